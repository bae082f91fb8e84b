import Foundation
import Loam
import LoamStorage
import Testing

@Suite("What the models lack")
struct UnclaimedTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func newTrip(_ number: Int, in context: ModelContext) throws -> NewTrips.Trip {
        try #require(
            try context.fetch(FetchDescriptor<NewTrips.Trip>(predicate: #Predicate { $0.number == number })).first)
    }

    private func oldTrip(_ number: Int, in context: ModelContext) throws -> OldTrips.Trip {
        try #require(
            try context.fetch(FetchDescriptor<OldTrips.Trip>(predicate: #Predicate { $0.number == number })).first)
    }

    /// Makes a store by the newer program, with one trip.
    private func makeStore() throws {
        let context = ModelContext(try folder.openNew())
        let trip = NewTrips.Trip(1, "Lisbon")
        (trip.rating, trip.note, trip.code) = (5, "by train", "LIS")
        trip.guide = NewTrips.Guide("Inês")
        trip.stays = [NewTrips.Stay("Alfama")]
        trip.stays[0].remark = "with a view"
        context.insert(trip)
        try context.save()
    }

    @Test("survives openings and saves through older models: values, relationships, entities, indexes")
    func values() throws {
        try makeStore()
        do {
            let context = ModelContext(try folder.openOld())
            let trip = try oldTrip(1, in: context)
            #expect(trip.title == "Lisbon")
            trip.title = "Lisboa"
            trip.days = 4
            trip.stays[0].name = "Bairro Alto"
            trip.stays.append(OldTrips.Stay("Belém"))
            try context.save()
        }
        let container = try folder.openNew()
        let trip = try newTrip(1, in: ModelContext(container))
        #expect(trip.name == "Lisboa")
        #expect(trip.days == 4)
        #expect(trip.rating == 5)
        #expect(trip.note == "by train")
        #expect(trip.code == "LIS")
        #expect(trip.guide?.name == "Inês")
        #expect(trip.stays.map(\.name) == ["Bairro Alto", "Belém"])
        #expect(trip.stays.map(\.remark) == ["with a view", "none"])
        #expect(try container.store.check().faults == [])
    }

    @Test("gets its first default in new rows")
    func newRows() throws {
        try makeStore()
        do {
            let context = ModelContext(try folder.openOld())
            context.insert(OldTrips.Trip(2, "Porto"))
            context.insert(OldTrips.Trip(3, "Faro"))
            try context.save()
        }
        let container = try folder.openNew()
        let trip = try newTrip(2, in: ModelContext(container))
        #expect(trip.rating == 3)
        #expect(trip.note == nil)
        #expect(trip.code == nil)
        #expect(trip.guide == nil)
        #expect(try container.store.check().faults == [])
    }

    @Test("keeps its former name for those who know it by that, in predicates and orders too")
    func formerNames() throws {
        try makeStore()
        let context = ModelContext(try folder.openOld())
        context.insert(OldTrips.Trip(2, "Porto"))
        try context.save()
        let found = try context.fetch(
            FetchDescriptor<OldTrips.Trip>(
                predicate: #Predicate { $0.title > "K" }, sortBy: [SortDescriptor(\.title, order: .reverse)]))
        #expect(found.map(\.title) == ["Porto", "Lisbon"])
        let store = try folder.openNew().store
        let entity = try #require(try store.catalog().schema.entity(named: "Trip"))
        #expect(
            entity.properties.filter { $0.role == .attribute }.map(\.name) == [
                "number", "name", "days", "rating", "note", "code",
            ])
    }

    @Test("is not renamed back, nor added twice, by turns")
    func turns() throws {
        try makeStore()
        let schema = try folder.openNew().store.catalog().schema
        for _ in 0..<3 {
            #expect(try folder.openOld().store.catalog().schema == schema)
            #expect(try folder.openNew().store.catalog().schema == schema)
        }
    }

    @Test("and must have a value without a default, keeps rows from being inserted, by name; all else goes on")
    func required() throws {
        do {
            let context = ModelContext(try folder.open(OtherTrips.Guide.self, version: Schema.Version(2, 0, 0)))
            context.insert(OtherTrips.Guide("Rui", licence: "77"))
            try context.save()
        }
        let context = ModelContext(try folder.open(NewTrips.Guide.self))
        let guide = try #require(try context.fetch(FetchDescriptor<NewTrips.Guide>()).first)
        guide.name = "Rui Costa"
        try context.save()
        context.insert(NewTrips.Guide("Ana"))
        let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(error?.detail.contains("licence") == true)
        #expect(error?.detail.contains("loam schema STORE drop") == true)
        context.rollback()
        context.delete(guide)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<NewTrips.Guide>()) == 0)
    }

    @Test("and is unique holds, but never turns an insert into an update")
    func uniqueConstraint() throws {
        try makeStore()
        let context = ModelContext(try folder.openOld())
        context.insert(OldTrips.Trip(2, "Porto"))
        try context.save()
        // The title and the number of days are those of another trip, which the newer program's constraint denies.
        context.insert(OldTrips.Trip(3, "Porto"))
        let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(error?.detail.contains("unique name,days") == true)
        #expect(error?.detail.contains("loam schema STORE drop") == true)
        context.rollback()
        // The constraint that both programs know makes the insert an update, which leaves alone what the older one
        // lacks.
        let again = OldTrips.Trip(1, "Lisboa")
        again.days = 9
        context.insert(again)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<OldTrips.Trip>()) == 2)
        let trip = try newTrip(1, in: ModelContext(try folder.openNew()))
        #expect(trip.name == "Lisboa")
        #expect(trip.rating == 5)
        #expect(trip.code == "LIS")
        #expect(trip.guide?.name == "Inês")
    }

    @Test("has the delete rules of the catalog, which older models do not change")
    func rules() throws {
        try makeStore()
        let context = ModelContext(try folder.openOld())
        // The newer program's rule deletes the stays, too.
        context.delete(try oldTrip(1, in: context))
        try context.save()
        #expect(try ModelContext(try folder.openOld()).fetchCount(FetchDescriptor<OldTrips.Stay>()) == 0)
    }

    @Test("is read by a running program once another has added it, which goes on")
    func whileRunning() throws {
        let old = try folder.openOld()
        let context = ModelContext(old)
        context.insert(OldTrips.Trip(1, "Lisbon"))
        try context.save()
        let inserted = OldTrips.Trip(2, "Porto")
        context.insert(inserted)
        let trip = try oldTrip(1, in: context)
        trip.days = 2
        let new = try folder.openNew()
        try context.save()
        trip.title = "Lisboa"
        inserted.title = "Oporto"
        try context.save()
        let trips = try ModelContext(new).fetch(FetchDescriptor<NewTrips.Trip>(sortBy: [SortDescriptor(\.number)]))
        #expect(trips.map(\.name) == ["Lisboa", "Oporto"])
        #expect(trips.map(\.rating) == [3, 3])
        #expect(try new.store.check().faults == [])
    }

    @Test("of what it declares, stops a running program with an error that says so")
    func goneWhileRunning() throws {
        let old = try folder.openOld()
        let context = ModelContext(old)
        context.insert(OldTrips.Trip(1, "Lisbon"))
        try context.save()
        try old.store.apply(.removeProperty("title", from: "Trip"))
        let error = #expect(throws: SwiftDataError.unknownSchema) {
            try context.fetch(FetchDescriptor<OldTrips.Trip>())
        }
        #expect(error?.detail.contains("Trip.title") == true)
    }
}
