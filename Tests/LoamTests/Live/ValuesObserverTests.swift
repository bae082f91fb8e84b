import Foundation
import Observation
import SeededRandom
import Synchronization
import Testing

@testable import Loam

@Model private final class Parcel {
    #Index<Parcel>([\.depot, \.weight], [\.weight])
    var number: Int
    var depot: String?
    var weight: Int
    var small: Int8?
    var mass: UInt16
    var volume: Double
    var price: Decimal
    var note: String
    var carrier: Carrier?

    init(number: Int, _ random: inout SeededGenerator) {
        self.number = number
        depot = random.percent(20) ? nil : "D\(Int.random(in: 0..<4, using: &random))"
        weight = Int.random(in: -20...20, using: &random)
        small = random.percent(30) ? nil : Int8.random(in: -100...100, using: &random)
        mass = UInt16.random(in: 0...9, using: &random)
        volume = Double.random(in: -1...1, using: &random)
        price = Decimal(Int.random(in: -999...999, using: &random)) / 100
        note = "n\(number % 7)"
    }
}

@Model private final class Carrier {
    var name: String
    @Relationship(inverse: \Parcel.carrier) var parcels: [Parcel] = []

    init(_ name: String) { self.name = name }
}

/// An observer, and whether it shows what a fetch gives.
private struct Watched {
    let name: String
    let source: any ValuesSource
    let shown: () -> (values: String, fetched: String, error: (any Error)?)

    init<Values>(_ name: String, _ observer: ValuesObserver<Values>, fetch: @escaping () throws -> Values) {
        self.name = name
        source = observer.source
        shown = {
            observer.refresh()
            let fetched = (try? fetch()).map { String(describing: $0) } ?? "no result"
            return (String(describing: observer.values), fetched, observer.fetchError)
        }
    }
}

@Suite("Live values")
@MainActor
struct ValuesObserverTests {
    private let folder: URL
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "loam-values-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try Self.container(in: folder)
        context = ModelContext(container)
        context.autosaveEnabled = false
    }

    private static func container(in folder: URL) throws -> ModelContainer {
        try ModelContainer(
            for: Parcel.self, Carrier.self, configurations: ModelConfiguration(url: folder.appending(path: "store")))
    }

    private func fill(_ count: Int, _ random: inout SeededGenerator) throws {
        for name in ["a", "b", "c"] { context.insert(Carrier(name)) }
        for number in 0..<count { context.insert(Parcel(number: number, &random)) }
        try context.save()
    }

    private func change(_ context: ModelContext, step: Int, _ random: inout SeededGenerator) throws {
        let parcels = try context.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)]))
        let carriers = try context.fetch(FetchDescriptor<Carrier>(sortBy: [SortDescriptor(\.name)]))
        for number in 0..<Int.random(in: 1...4, using: &random) {
            guard let parcel = parcels.randomElement(using: &random), !parcel.isDeleted, random.percent(75) else {
                context.insert(Parcel(number: step * 10 + number, &random))
                continue
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1: context.delete(parcel)
            case 2: parcel.depot = random.percent(20) ? nil : "D\(Int.random(in: 0..<5, using: &random))"
            case 3...4: parcel.weight = Int.random(in: -20...20, using: &random)
            case 5: parcel.small = random.percent(30) ? nil : Int8.random(in: -9...9, using: &random)
            case 6: parcel.price = Decimal(Int.random(in: -999...999, using: &random)) / 100
            case 7: parcel.volume = Double.random(in: -1...1, using: &random)
            case 8: carriers.randomElement(using: &random)?.name = "c\(Int.random(in: 0..<9, using: &random))"
            default: parcel.carrier = carriers.randomElement(using: &random)
            }
        }
    }

    private func watchedGroups() throws -> [Watched] {
        let heavy = #Predicate<Parcel> { $0.weight > 0 }
        let carried = #Predicate<Parcel> { $0.carrier?.name == "a" }
        let (context, one) = (context, #Predicate<Parcel> { $0.depot == "D1" })
        return [
            Watched("count", try ValuesObserver(.count, of: Parcel.self, where: heavy, modelContext: context)) {
                try context.fetch(.count, of: Parcel.self, where: heavy)
            },
            Watched(
                "exact",
                try ValuesObserver(
                    .count(of: \Parcel.small), .sum(\Parcel.weight), .sum(\.small), .sum(\.mass), .average(\.weight),
                    .sum(\.price), .average(\.price), where: heavy, modelContext: context)
            ) {
                try context.fetch(
                    .count(of: \Parcel.small), .sum(\Parcel.weight), .sum(\.small), .sum(\.mass), .average(\.weight),
                    .sum(\.price), .average(\.price), where: heavy)
            },
            Watched(
                "ends",
                try ValuesObserver(
                    .minimum(\Parcel.weight), .maximum(\Parcel.weight), .minimum(\.small), modelContext: context)
            ) {
                try context.fetch(.minimum(\Parcel.weight), .maximum(\Parcel.weight), .minimum(\.small))
            },
            Watched("end", try ValuesObserver(.maximum(\Parcel.price), where: one, modelContext: context)) {
                try context.fetch(.maximum(\Parcel.price), where: one)
            },
            Watched("rounded", try ValuesObserver(.sum(\Parcel.volume), .average(\.volume), modelContext: context)) {
                try context.fetch(.sum(\Parcel.volume), .average(\.volume))
            },
            Watched("related", try ValuesObserver(.sum(\Parcel.weight), where: carried, modelContext: context)) {
                try context.fetch(.sum(\Parcel.weight), where: carried)
            },
            Watched(
                "groups",
                try ValuesObserver(
                    groupedBy: \Parcel.depot, aggregates: .count, .sum(\.weight), .maximum(\.weight), .average(\.price),
                    modelContext: context)
            ) {
                try context.fetch(
                    groupedBy: \Parcel.depot, aggregates: .count, .sum(\.weight), .maximum(\.weight), .average(\.price))
            },
            Watched(
                "sizes",
                try ValuesObserver(groupedBy: \Parcel.depot, aggregates: .count, modelContext: context)
            ) { try context.fetch(groupedBy: \Parcel.depot, aggregates: .count) },
            Watched(
                "some groups",
                try ValuesObserver(
                    groupedBy: \Parcel.depot, \.note, aggregates: .count, .minimum(\.price), where: heavy,
                    having: .count > 1, sortBy: [.descending(.sum(\.weight)), .ascending(\.note)], limit: 5, offset: 1,
                    modelContext: context)
            ) {
                try context.fetch(
                    groupedBy: \Parcel.depot, \.note, aggregates: .count, .minimum(\.price), where: heavy,
                    having: .count > 1, sortBy: [.descending(.sum(\.weight)), .ascending(\.note)], limit: 5, offset: 1)
            },
            Watched(
                "by function",
                try ValuesObserver(groupedBy: \Parcel.note.count, aggregates: .sum(\.mass), modelContext: context)
            ) { try context.fetch(groupedBy: \Parcel.note.count, aggregates: .sum(\.mass)) },
        ]
    }

    private func watchedRows() throws -> [Watched] {
        let (context, heavy) = (context, #Predicate<Parcel> { $0.weight > 0 })
        let order = [SortDescriptor(\Parcel.weight), SortDescriptor(\Parcel.number)]
        let some = FetchDescriptor(predicate: heavy, sortBy: order)
        var window = some
        (window.fetchLimit, window.fetchOffset) = (6, 2)
        let (limited, byDepot) = (window, FetchDescriptor(sortBy: [SortDescriptor(\Parcel.depot)]))
        return [
            Watched("identifiers", try ValuesObserver(identifiersOf: some, modelContext: context)) {
                try context.fetchIdentifiers(some)
            },
            Watched("values", try ValuesObserver(\Parcel.depot, \.price, of: some, modelContext: context)) {
                try context.fetch(\Parcel.depot, \.price, of: some)
            },
            Watched("window", try ValuesObserver(\Parcel.small, \.note, of: limited, modelContext: context)) {
                try context.fetch(\Parcel.small, \.note, of: limited)
            },
            Watched(
                "with identifiers",
                try ValuesObserver(\Parcel.persistentModelID, \Parcel.note.count, of: byDepot, modelContext: context)
            ) { try context.fetch(\Parcel.persistentModelID, \Parcel.note.count, of: byDepot) },
            Watched("distinct", try ValuesObserver(\Parcel.depot, of: some, distinct: true, modelContext: context)) {
                try context.fetch(\Parcel.depot, of: some, distinct: true)
            },
            Watched("related", try ValuesObserver(\Parcel.carrier?.name, of: some, modelContext: context)) {
                try context.fetch(\Parcel.carrier?.name, of: some)
            },
        ]
    }

    @Test("are what a fetch gives, whoever changes something", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: seed)
        try fill(seed == 3 ? 0 : 40, &random)
        let other = ModelContext(container)
        let second = ModelContext(try Self.container(in: folder))
        let all = try watchedGroups() + watchedRows()
        for step in 0..<40 {
            if random.percent(60) { try change(context, step: step + 1, &random) }
            if random.percent(25) {
                try change(other, step: step + 100, &random)
                try other.save()
            }
            if random.percent(10) {
                try change(second, step: step + 200, &random)
                try second.save()
            }
            if random.percent(15) { context.rollback() }
            if random.percent(40) { try context.save() }
            for watched in all {
                let shown = watched.shown()
                try #require(
                    shown.values == shown.fetched && shown.error == nil, "\(watched.name), seed \(seed), step \(step)")
            }
        }
    }

    @Test("are kept from the records of a save alone where nothing is rounded")
    func readsNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 4)
        try fill(60, &random)
        let all = try watchedGroups().filter { ["count", "exact", "sizes", "by function"].contains($0.name) }
        for step in 0..<30 {
            try change(context, step: step + 1, &random)
            try context.save()
            for watched in all {
                let shown = watched.shown()
                #expect(shown.values == shown.fetched, "\(watched.name), step \(step)")
            }
        }
        for watched in all {
            let work = try #require(watched.source as? GroupValues).work
            #expect(work.reads == 0 && work.searches == 0 && work.placed > 0, "\(watched.name): \(work)")
        }
    }

    @Test("are looked for in an index when a least value goes, and not before")
    func ends() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 5)
        try fill(20, &random)
        let parcels = try context.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)]))
        for (number, parcel) in parcels.enumerated() { parcel.weight = 100 + number }
        try context.save()
        let observer = try ValuesObserver(.minimum(\Parcel.weight), modelContext: context)
        let source = try #require(observer.source as? GroupValues)
        #expect(observer.values == 100)
        parcels[5].weight = 99
        try context.save()
        observer.refresh()
        #expect(observer.values == 99 && source.work == (1, 0, 0))
        parcels[7].weight = 300
        context.delete(parcels[9])
        try context.save()
        observer.refresh()
        #expect(observer.values == 99 && source.work == (3, 0, 0))
        parcels[5].weight = 98
        try context.save()
        observer.refresh()
        #expect(observer.values == 98 && source.work == (4, 0, 0))
        context.delete(parcels[5])
        try context.save()
        observer.refresh()
        #expect(observer.values == 100 && source.work == (5, 1, 0))
    }

    @Test("of properties are read for the models that changed, and for no others")
    func changedRows() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 6)
        try fill(50, &random)
        let observer = try ValuesObserver(\Parcel.number, \.note, modelContext: context)
        let source = try #require(observer.source as? RowValues<Parcel>)
        let opened = source.readRows
        let parcels = try context.fetch(FetchDescriptor<Parcel>())
        parcels[3].note = "other"
        // Nobody looks at this one.
        parcels[4].mass = 7
        context.delete(parcels[8])
        try context.save()
        observer.refresh()
        #expect(observer.values.contains { $0 == (parcels[3].number, "other") })
        #expect(opened == 50 && source.readRows - opened <= 4, "\(source.readRows)")
    }

    @Test("come as a sequence, the newest ones")
    func sequence() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 7)
        try fill(3, &random)
        let observer = try ValuesObserver(.count, .maximum(\Parcel.number), modelContext: context)
        var changes = observer.changes.makeAsyncIterator()
        context.insert(Parcel(number: 10, &random))
        context.insert(Parcel(number: 11, &random))
        var next = try #require(await changes.next())
        #expect(next == (5, 11))
        context.rollback()
        next = try #require(await changes.next())
        #expect(next == (3, 2))
        let other = ModelContext(container)
        other.insert(Parcel(number: 20, &random))
        try other.save()
        next = try #require(await changes.next())
        #expect(next == (4, 20))
    }

    @Test("end with their observer, and tell those who track them")
    func tracked() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 8)
        try fill(3, &random)
        var observer: ValuesObserver<Int>? = try ValuesObserver(.count, of: Parcel.self, modelContext: context)
        let told = Mutex(0)
        withObservationTracking {
            #expect(observer?.values == 3)
        } onChange: {
            told.withLock { $0 += 1 }
        }
        let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
        parcel.note = "no change of the number"
        observer?.refresh()
        #expect(told.withLock { $0 } == 0)
        context.delete(parcel)
        observer?.refresh()
        #expect(told.withLock { $0 } == 1 && observer?.values == 2)
        let changes = try #require(observer?.changes)
        observer = nil
        for await _ in changes { Issue.record("nothing changes any more") }
    }

    @Test("say that a sum does not fit, and go on when it does")
    func overflow() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 9)
        try fill(2, &random)
        let parcels = try context.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)]))
        (parcels[0].weight, parcels[1].weight) = (1, 2)
        try context.save()
        let observer = try ValuesObserver(.sum(\Parcel.weight), modelContext: context)
        parcels[0].weight = .max
        try context.save()
        observer.refresh()
        #expect(observer.fetchError as? SwiftDataError == .aggregateOverflow)
        #expect(observer.values == 3)
        parcels[1].weight = -5
        try context.save()
        observer.refresh()
        #expect(observer.fetchError == nil && observer.values == .max - 5)
    }

    @Test("are refused where a fetch is")
    func refused() {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: SwiftDataError.self) {
            _ = try ValuesObserver(
                groupedBy: \Parcel.depot, aggregates: .count, sortBy: [.ascending(\.note)], modelContext: context)
        }
        #expect(throws: SwiftDataError.self) { _ = try ValuesObserver(\Parcel.carrier, modelContext: context) }
    }
}
