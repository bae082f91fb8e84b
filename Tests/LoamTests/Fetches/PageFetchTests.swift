import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

@Model final class Selfie {
    var SELF: Int
    var other: Int

    init(_ number: Int, other: Int) { (SELF, self.other) = (number, other) }
}

@Suite("Pages that resume behind a value")
struct PageFetchTests {
    private static let orders: [[SortDescriptor<Sounding>]] = [
        [], [SortDescriptor(\.station)], [SortDescriptor(\.station, order: .reverse), SortDescriptor(\.level)],
        [SortDescriptor(\.day, order: .reverse), SortDescriptor(\.small), SortDescriptor(\.name, order: .reverse)],
        [SortDescriptor(\.mass)], [SortDescriptor(\.value)],
        [SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.amount)],
        [SortDescriptor(\.quality), SortDescriptor(\.persistentModelID, order: .reverse)],
        [SortDescriptor(\.site.altitude), SortDescriptor(\.mass, order: .reverse)],
        [SortDescriptor(\.persistentModelID, order: .reverse)],
    ]

    @Test("give the whole result, one after another", arguments: [21, 22] as [UInt64])
    func giveTheResult(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed, count: 120)
        // NaN and the zeros have places in an order, too.
        for (sounding, value) in zip(try store.soundings { _ in true }, [.nan, 0, -0.0, .infinity, .nan] as [Double]) {
            (sounding.value, sounding.weight) = (value, Float(value))
        }
        for (predicate, _) in SoundingStore.conditions {
            for order in Self.orders {
                var descriptor = FetchDescriptor<Sounding>(predicate: predicate, sortBy: order)
                let all = try store.context.fetch(descriptor)
                descriptor.fetchLimit = 7
                var page = try store.context.fetchPage(descriptor)
                var found = page.models
                while let next = page.next {
                    let kept = try JSONDecoder().decode(
                        FetchCursor<Sounding>.self, from: JSONEncoder().encode(next))
                    #expect(kept == next)
                    page = try store.context.fetchPage(descriptor, after: kept)
                    #expect(!page.models.isEmpty)
                    found += page.models
                    guard found.count <= all.count else { break }
                }
                #expect(found.map(\.persistentModelID) == all.map(\.persistentModelID), "\(descriptor)")
            }
        }
    }

    @Test("resume in the order of a property that is called as identifiers are in the store's language")
    func resumeInTheOrderOfAPropertyCalledSELF() throws {
        let context = ModelContext(try memoryContainer(Selfie.self))
        for number in 0..<20 { context.insert(Selfie(number % 3, other: -number)) }
        try context.save()
        let orders: [[SortDescriptor<Selfie>]] = [
            [SortDescriptor(\.SELF)], [SortDescriptor(\.SELF, order: .reverse)],
            [SortDescriptor(\.SELF), SortDescriptor(\.other)],
            [SortDescriptor(\.other), SortDescriptor(\.SELF, order: .reverse)], [],
        ]
        for order in orders {
            var descriptor = FetchDescriptor<Selfie>(sortBy: order)
            let all = try context.fetch(descriptor).map(\.persistentModelID)
            descriptor.fetchLimit = 3
            var page = try context.fetchPage(descriptor)
            var found = page.models.map(\.persistentModelID)
            while let next = page.next, found.count < all.count {
                page = try context.fetchPage(descriptor, after: next)
                found += page.models.map(\.persistentModelID)
            }
            #expect(found == all && all.count == 20, "\(order)")
        }
    }

    @Test("pass over nothing and repeat nothing when models before the place come and go")
    func keepTheirPlace() throws {
        let store = try SoundingStore(seed: 23, count: 60, changes: false)
        var descriptor = FetchDescriptor<Sounding>(sortBy: [SortDescriptor(\.level)])
        let all = try store.context.fetch(descriptor).map(\.persistentModelID)
        descriptor.fetchLimit = 20
        let first = try store.context.fetchPage(descriptor)
        let other = ModelContext(store.container)
        for model in try other.fetch(descriptor) { other.delete(model) }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<30 {
            let site = try #require(try other.fetch(FetchDescriptor<Mooring>()).first)
            let early = Sounding(site: site, &generator)
            early.level = -99
            other.insert(early)
        }
        try other.save()
        let second = try store.context.fetchPage(descriptor, after: first.next)
        #expect(first.next != nil && second.models.map(\.persistentModelID) == Array(all[20..<40]))
    }

    @Test("enter the index at the value, and read little more than they show")
    func readLittle() throws {
        let container = try memoryContainer(City.self, Country.self, Tag.self)
        let context = ModelContext(container)
        for number in 0..<3_000 { context.insert(City("City \(number)", population: number)) }
        try context.save()
        var descriptor = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)])
        descriptor.fetchLimit = 2_000
        let half = try #require(try context.fetchPage(descriptor).next)
        var query = try descriptor.query()
        query.limit = 10
        try container.store.read { snapshot in
            query.predicate = try query.predicateBehind(
                half.values, row: half.identifier.rowID, of: snapshot.entity(named: query.entity),
                in: snapshot.schema)
            var work = Work()
            let plan = try Planner.plan(query, in: snapshot)
            let rows = try plan.rows(in: snapshot, work: &work)
            #expect(rows.count == 10 && work.entries + work.records <= 200, "\(plan.explanation(with: work))")
        }
    }

    /// Properties as files name them.
    @Test(
        "go on behind a value of the property that is called like a function", arguments: ["length(name)", "name"])
    func tellNamesFromCalls(key: String) throws {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Parcel",
            properties: [
                .init("name", type: .string), .init("length(name)", type: .int64),
            ])
        _ = try store.load(.newEntity(definition), rowCount: 60) { load in
            for number in 0..<60 {
                let place = Int64(number * 7 % 20)
                try load.append([.string(String(repeating: "x", count: number % 5)), .int(place)])
            }
        }
        try store.read { snapshot in
            let all = Query(entity: "Parcel", sort: [SortKey(key)], columns: [key])
            func rows(_ query: Query) throws -> [(rowID: RowID, values: [Value])] {
                var work = Work()
                return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work)
            }
            var page = all
            page.limit = 7
            var found: [RowID] = []
            repeat {
                let some = try rows(page)
                found += some.map(\.rowID)
                guard let last = some.last else { break }
                page.predicate = try page.predicateBehind(
                    last.values, row: last.rowID, of: snapshot.entity(named: "Parcel"), in: snapshot.schema)
            } while found.count <= 60
            #expect(try found == rows(all).map(\.rowID) && found.count == 60)
        }
    }

    @Test("of another order or another store are refused, and damaged ones are not read")
    func refuse() throws {
        let store = try SoundingStore(seed: 24, count: 10)
        var descriptor = FetchDescriptor<Sounding>(sortBy: [SortDescriptor(\.level)])
        descriptor.fetchLimit = 3
        let cursor = try #require(try store.context.fetchPage(descriptor).next)
        var reversed = descriptor
        reversed.sortBy = [SortDescriptor(\.level, order: .reverse)]
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try store.context.fetchPage(reversed, after: cursor)
        }
        let other = try SoundingStore(seed: 24, count: 10)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try other.context.fetchPage(descriptor, after: cursor)
        }
        let text = String(decoding: try JSONEncoder().encode(cursor), as: UTF8.self)
        let damaged = text.replacing(/"values":"[^"]*"/, with: "\"values\":\"AAAA\"")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FetchCursor<Sounding>.self, from: Data(damaged.utf8))
        }
    }
}
