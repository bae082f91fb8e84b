import Foundation
import Testing

@testable import Loam

@Model
final class Parchment {
    #Index<Parchment>([\.title], [\.shelf, \.weight])

    var title: String
    var text: String
    var shelf: Int
    var weight: Double
    var height: Float
    var mark: Int?
    var price: Decimal
    var written: Date
    var seal: UUID
    var isBound: Bool

    init(_ number: Int) {
        title = "Parchment \(number * 577 % 1_000)"
        // Some lie in the record, some outside of it.
        text = String(repeating: "é", count: [0, 3, 600, 2_000, 9_000][number % 5]) + "\(number)"
        shelf = number % 7
        weight = Double(number) / 8
        height = Float(number) / 4
        mark = number % 3 == 0 ? nil : number
        price = Decimal(number) / 100
        written = Date(timeIntervalSinceReferenceDate: Double(number) * 3_600)
        seal = UUID()
        isBound = number.isMultiple(of: 2)
    }
}

/// Results without pending changes are handed out many rows at a time.
@Suite("Values of many saved models")
struct ValueBatchTests {
    private static let count = 700
    private let context: ModelContext

    init() throws {
        let container = try memoryContainer(Parchment.self)
        let filling = ModelContext(container)
        for number in 0..<Self.count { filling.insert(Parchment(number)) }
        try filling.save()
        context = ModelContext(container)
    }

    private static var descriptors: [FetchDescriptor<Parchment>] {
        let orders: [[SortDescriptor<Parchment>]] = [
            [], [SortDescriptor(\.title)], [SortDescriptor(\.title, order: .reverse)], [SortDescriptor(\.height)],
            [SortDescriptor(\.shelf), SortDescriptor(\.weight, order: .reverse)],
        ]
        let predicates: [Predicate<Parchment>?] = [
            nil, #Predicate { $0.weight >= 10 && $0.text.contains("é") },
            #Predicate { $0.title.starts(with: "Parchment 1") }, #Predicate { $0.shelf == 3 && $0.weight > 5 },
            #Predicate { $0.shelf > 9 },
        ]
        return orders.flatMap { order in
            predicates.flatMap { predicate in
                [(nil, nil), (300, 0), (40, 280), (nil, 5)].map { limit, offset in
                    var descriptor = FetchDescriptor(predicate: predicate, sortBy: order)
                    (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
                    return descriptor
                }
            }
        }
    }

    @Test("are what the models' properties read, long texts and identifiers too")
    func areTheProperties() throws {
        for descriptor in Self.descriptors {
            let models = try context.fetch(descriptor)
            #expect(try context.fetchIdentifiers(descriptor) == models.map(\.persistentModelID))
            #expect(try context.fetch(\.persistentModelID, of: descriptor) == models.map(\.persistentModelID))
            #expect(try context.fetch(\.text, of: descriptor) == models.map(\.text))
            #expect(try context.fetch(\.title, of: descriptor) == models.map(\.title))
            #expect(try context.fetch(\.weight, of: descriptor) == models.map(\.weight))
            #expect(try context.fetch(\.height, of: descriptor) == models.map(\.height))
            #expect(try context.fetch(\.mark, of: descriptor) == models.map(\.mark))
            #expect(try context.fetch(\.price, of: descriptor) == models.map(\.price))
            #expect(try context.fetch(\.written, of: descriptor) == models.map(\.written))
            #expect(try context.fetch(\.seal, of: descriptor) == models.map(\.seal))
            #expect(try context.fetch(\.isBound, of: descriptor) == models.map(\.isBound))
            let rows = try context.fetch(\.shelf, \.persistentModelID, \.text, \.mark, of: descriptor)
            #expect(rows.count == models.count)
            for (row, model) in zip(rows, models) {
                #expect(row.0 == model.shelf && row.1 == model.persistentModelID)
                #expect(row.2 == model.text && row.3 == model.mark)
            }
        }
    }

    @Test("are added up as one by one", arguments: [nil, 0, 300] as [Double?])
    func areAddedUp(least: Double?) throws {
        let predicate = least.map { least in #Predicate<Parchment> { $0.weight >= least && $0.isBound } }
        let models = try context.fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\Parchment.persistentModelID)]))
        let (count, weight, height, price, shelf, marks) = try context.fetch(
            .count, .sum(\Parchment.weight), .average(\.height), .sum(\.price), .sum(\.shelf), .count(of: \.mark),
            where: predicate)
        #expect(count == models.count)
        #expect(weight == models.reduce(0) { $0 + $1.weight })
        #expect(price == models.reduce(0) { $0 + $1.price })
        #expect(shelf == models.reduce(0) { $0 + $1.shelf })
        #expect(marks == models.count { $0.mark != nil })
        let average = models.isEmpty ? nil : models.reduce(0) { $0 + Double($1.height) } / Double(models.count)
        #expect(height == average)
    }
}
