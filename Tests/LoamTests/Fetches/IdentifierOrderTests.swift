import Foundation
import Loam
import Testing

@Model private final class Coin {
    var value: Int
    var note = ""

    init(_ value: Int) { self.value = value }
}

@Suite("An order that names the identifier")
struct IdentifierOrderTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try memoryContainer(Coin.self)
        context = ModelContext(container)
        for number in 0..<9 { context.insert(Coin(number % 3)) }
        try context.save()
        // The unsaved changes put rows between and behind the stored ones.
        for coin in try context.fetch(FetchDescriptor<Coin>(predicate: #Predicate { $0.value == 1 })) { coin.value = 2 }
        for number in 0..<4 { context.insert(Coin(number % 2)) }
    }

    private static let orders: [[SortDescriptor<Coin>]] = [
        [SortDescriptor(\.persistentModelID)], [SortDescriptor(\.persistentModelID, order: .reverse)],
        [SortDescriptor(\.id, order: .reverse)],
        [SortDescriptor(\.value), SortDescriptor(\.persistentModelID)],
        [SortDescriptor(\.value), SortDescriptor(\.persistentModelID, order: .reverse)],
        [SortDescriptor(\.value, order: .reverse), SortDescriptor(\.persistentModelID)],
        [SortDescriptor(\.persistentModelID, order: .reverse), SortDescriptor(\.value)],
    ]

    private func sorted(_ coins: [Coin], by order: [SortDescriptor<Coin>]) -> [PersistentIdentifier] {
        coins.sorted { left, right in
            for key in order {
                switch key.compare(left, right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }.map(\.persistentModelID)
    }

    @Test("holds in fetches, with changes unsaved and saved, and with a limit", arguments: 0..<7 as Range<Int>)
    func fetches(number: Int) throws {
        let order = Self.orders[number]
        for _ in 0..<2 {
            let expected = sorted(try context.fetch(FetchDescriptor<Coin>()), by: order)
            var descriptor = FetchDescriptor<Coin>(sortBy: order)
            #expect(try context.fetch(descriptor).map(\.persistentModelID) == expected)
            #expect(try context.fetchIdentifiers(descriptor) == expected)
            (descriptor.fetchLimit, descriptor.fetchOffset) = (5, 2)
            #expect(try context.fetchIdentifiers(descriptor) == Array(expected.dropFirst(2).prefix(5)))
            #expect("\(descriptor)".contains("persistentModelID"))
            try context.save()
        }
    }

    @Test("holds in live results, whole, in sections, and after a save", arguments: 0..<7 as Range<Int>)
    func observers(number: Int) throws {
        let order = Self.orders[number]
        try context.save()
        let plain = try ResultsObserver<Coin, Never>(sortBy: order, modelContainer: container)
        let sectioned = try ResultsObserver<Coin, Int>(sortBy: order, sectionBy: \.value, modelContainer: container)
        for step in 0..<3 {
            let coins = try ModelContext(container).fetch(FetchDescriptor<Coin>())
            #expect(plain.results.identifiers == sorted(coins, by: order))
            for section in try #require(sectioned.sections) {
                let expected = sorted(coins.filter { $0.value == section.title }, by: order)
                #expect(section.map(\.persistentModelID) == expected)
            }
            for coin in try context.fetch(FetchDescriptor<Coin>()) where coin.value == step { coin.value += 1 }
            context.insert(Coin(step))
            try context.save()
            plain.refresh()
            sectioned.refresh()
        }
    }
}
