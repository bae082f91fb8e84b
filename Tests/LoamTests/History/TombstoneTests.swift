import Foundation
import Loam
import LoamStorage
import Testing

/// The models of an older program, which keeps no values of deleted rows.
private enum Before {
    @Model final class Trip {
        var code: String
        var rank: Int16

        init(_ code: String, rank: Int16) { (self.code, self.rank) = (code, rank) }
    }
}

private enum After {
    @Model final class Trip {
        @Attribute(.preserveValueOnDeletion, originalName: "code") var key: String
        @Attribute(.preserveValueOnDeletion) var rank: Int16

        init(_ key: String, rank: Int16) { (self.key, self.rank) = (key, rank) }
    }
}

private enum Wider {
    @Model final class Trip {
        @Attribute(.preserveValueOnDeletion, originalName: "code") var key: String
        @Attribute(.preserveValueOnDeletion) var rank: Int

        init(_ key: String, rank: Int) { (self.key, self.rank) = (key, rank) }
    }
}

@Suite("Values that outlive a deletion")
struct TombstoneTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("are in the history, whatever their type and length")
    func values() throws {
        let container = try folder.open(Travel.Trip.self)
        let context = ModelContext(container)
        let long = String(repeating: "long ", count: 10_000)
        let trips = [
            Travel.Trip("a", kind: .leisure, place: .init(city: "Rome", floor: 3), notes: long),
            Travel.Trip("b"),
        ]
        for trip in trips { context.insert(trip) }
        try context.save()
        let identifiers = trips.map(\.persistentModelID)
        for trip in trips { context.delete(trip) }
        try context.save()

        let deletions = try #require(try context.history().last).deletions(of: Travel.Trip.self)
        #expect(deletions.map(\.changedPersistentIdentifier) == identifiers)
        let first = try #require(deletions.first).tombstone
        #expect(first[\.code] as? String == "a")
        #expect(first[\.start] as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(first[\.kind] as? Travel.Kind == .leisure)
        #expect(first[\.place] as? Travel.Place == Travel.Place(city: "Rome", floor: 3))
        #expect(first[\.notes] as? String == long)
        #expect(first[\.name] == nil && first[\.description] == nil)
        #expect(first.count { _ in true } == 5)
        let second = try #require(deletions.last).tombstone
        #expect(second[\.place] == nil)
        #expect(second.compactMap { $0 as? String } == ["b", ""])
        #expect(second.count { _ in true } == 4)
        #expect(try container.store.check().faults == [])
    }

    @Test("are there for rows that a rule or a predicate deletes; what only an index uses is not")
    func rulesAndPredicates() throws {
        let container = try folder.open(Travel.Trip.self)
        let context = ModelContext(container)
        let trip = Travel.Trip("a")
        context.insert(trip)
        for nights in 1...3 { context.insert(Travel.Stay("Hotel \(nights)", nights: nights, trip: trip)) }
        for nights in 4...6 { context.insert(Travel.Stay("Hotel \(nights)", nights: nights)) }
        try context.save()
        context.delete(trip)
        try context.save()
        try context.delete(model: Travel.Stay.self, where: #Predicate { $0.nights > 4 })
        try context.save()

        let history = try context.history()
        #expect(history.count == 3)
        let cascade = history[1].deletions(of: Travel.Stay.self).map(\.tombstone)
        #expect(cascade.compactMap { $0[\.nights] as? Int }.sorted() == [1, 2, 3])
        #expect(cascade.allSatisfy { $0[\.hotel] == nil && Array($0).count == 1 })
        #expect(history[1].deletions(of: Travel.Trip.self).map { $0.tombstone[\.code] as? String } == ["a"])
        let batch = history[2].deletions(of: Travel.Stay.self).map(\.tombstone)
        #expect(batch.compactMap { $0[\.nights] as? Int }.sorted() == [5, 6])
    }

    @Test("are kept from the opening that asks for it, also by older programs, and read as what they are by now")
    func evolution() throws {
        let older = ModelContext(try folder.open(Before.Trip.self))
        let trips = (0..<3).map { Before.Trip("trip \($0)", rank: Int16($0)) }
        for trip in trips { older.insert(trip) }
        try older.save()
        older.delete(trips[0])
        try older.save()
        _ = try folder.open(After.Trip.self, version: Schema.Version(2, 0, 0))
        older.delete(trips[1])
        try older.save()
        // An older program that opens the store does not change the rule.
        let again = ModelContext(try folder.open(Before.Trip.self))
        try again.delete(model: Before.Trip.self)
        try again.save()
        let container = try folder.open(Wider.Trip.self, version: Schema.Version(3, 0, 0))
        let tombstones = try ModelContext(container).history().flatMap { $0.deletions(of: Wider.Trip.self) }
            .map(\.tombstone)
        #expect(tombstones.map { $0[\.key] as? String } == [nil, "trip 1", "trip 2"])
        #expect(tombstones.map { $0[\.rank] as? Int } == [nil, 1, 2])
        #expect(try container.store.check().faults == [])
    }
}
