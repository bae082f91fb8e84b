import Foundation
import Observation
import Testing

@testable import Loam

@Suite("Relationships")
struct RelationshipTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    @Test("keep both sides in step at once, and insert what they reach")
    func inverse() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        let oslo = City("Oslo", country: norway)
        let bergen = City("Bergen")
        context.insert(oslo)
        #expect(norway.modelContext === context)
        #expect(norway.cities == [oslo])
        norway.cities.append(bergen)
        #expect(bergen.country === norway)
        #expect(bergen.modelContext === context)
        let sweden = Country(code: "se", name: "Sweden")
        bergen.country = sweden
        #expect(norway.cities == [oslo])
        #expect(sweden.cities == [bergen])
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map { $0.cities.map(\.name) } == [["Oslo"], ["Bergen"]])
    }

    @Test("a model that is linked to an inserted one is inserted")
    func linking() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        context.insert(norway)
        let oslo = City("Oslo")
        oslo.country = norway
        #expect(oslo.modelContext === context)
        #expect(norway.cities == [oslo])
    }

    /// Calls an action once, in the middle of the next change of the cities of a tag.
    private func before(changing tag: Tag, _ action: @escaping @Sendable () -> Void) {
        withObservationTracking {
            _ = tag.cities
        } onChange: {
            action()
        }
    }

    @Test("links that are made around a save or a fetch of an observer are all there")
    func observersInBetween() throws {
        let context = ModelContext(container)
        let oslo = City("Oslo")
        let tags = ["a", "b", "c"].map { Tag($0) }
        context.insert(oslo)
        for tag in tags { context.insert(tag) }
        try context.save()
        nonisolated(unsafe) let same = context
        before(changing: tags[0]) { try? same.save() }
        before(changing: tags[1]) { _ = try? same.fetchCount(FetchDescriptor<Tag>()) }
        oslo.tags = tags
        #expect(oslo.tags.map(\.name) == ["a", "b", "c"])
        #expect(tags.allSatisfy { $0.cities == [oslo] })
        try context.save()
        let stored = try #require(ModelContext(container).fetch(FetchDescriptor<City>()).first)
        #expect(stored.tags.map(\.name) == ["a", "b", "c"])
        before(changing: tags[2]) { try? same.save() }
        oslo.tags = []
        try context.save()
        let bare = try #require(ModelContext(container).fetch(FetchDescriptor<City>()).first)
        #expect(bare.tags.isEmpty)
    }

    @Test("keep the order of several members that are set at once, from either side")
    func orderFromEitherSide() throws {
        let context = ModelContext(container)
        let (first, last) = (City("First"), Tag("last"))
        let tags = (0..<9).map { Tag("\($0 * 7 % 9)") }
        let cities = (0..<9).map { City("\($0 * 4 % 9)") }
        context.insert(first)
        context.insert(last)
        first.tags = tags
        last.cities = cities
        try context.save()
        let fresh = ModelContext(container)
        let city = try #require(fresh.fetch(FetchDescriptor<City>(predicate: #Predicate { $0.name == "First" })).first)
        let tag = try #require(fresh.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "last" })).first)
        #expect(city.tags.map(\.name) == tags.map(\.name))
        #expect(tag.cities.map(\.name) == cities.map(\.name))
    }

    @Test("keep the order that was set")
    func order() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        norway.cities = ["A", "B", "C", "D", "E"].map { City($0) }
        context.insert(norway)
        try context.save()
        let other = ModelContext(container)
        let stored = try #require(other.model(for: norway.persistentModelID) as? Country)
        #expect(stored.cities.map(\.name) == ["A", "B", "C", "D", "E"])
        stored.cities.swapAt(0, 3)
        stored.cities.insert(City("X"), at: 2)
        stored.cities.remove(at: 4)
        #expect(stored.cities.map(\.name) == ["D", "B", "X", "C", "E"])
        try other.save()
        let third = try #require(ModelContext(container).model(for: norway.persistentModelID) as? Country)
        #expect(third.cities.map(\.name) == ["D", "B", "X", "C", "E"])
    }

    @Test("many to many: both sides, their order, and their ends")
    func manyToMany() throws {
        let context = ModelContext(container)
        let (old, big) = (Tag("old"), Tag("big"))
        let (oslo, bergen) = (City("Oslo"), City("Bergen"))
        oslo.tags = [big, old]
        context.insert(oslo)
        context.insert(bergen)
        old.cities.append(bergen)
        #expect(bergen.tags == [old])
        try context.save()
        let other = ModelContext(container)
        let stored = try other.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map { $0.tags.map(\.name) } == [["old"], ["big", "old"]])
        let storedOld = try #require(other.model(for: old.persistentModelID) as? Tag)
        #expect(Set(storedOld.cities.map(\.name)) == ["Oslo", "Bergen"])
        other.delete(stored[1])
        #expect(storedOld.cities.map(\.name) == ["Bergen"])
        try other.save()
        #expect(storedOld.cities.map(\.name) == ["Bergen"])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 2)
    }

    @Test("cascade deletes what the model leads to, at once and in the store")
    func cascade() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        norway.cities = [City("Oslo"), City("Bergen")]
        context.insert(norway)
        context.insert(City("Rome"))
        try context.save()
        let other = ModelContext(container)
        other.delete(try #require(other.model(for: norway.persistentModelID) as? Country))
        #expect(other.deletedModelsArray.count == 3)
        #expect(try other.fetch(FetchDescriptor<City>()).map(\.name) == ["Rome"])
        try other.save()
        #expect(try context.fetch(FetchDescriptor<City>()).map(\.name) == ["Rome"])
        #expect(norway.modelContext == nil)
    }

    @Test("somebody else's new child goes with a cascading parent")
    func cascadeAcrossContexts() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        context.insert(norway)
        try context.save()
        let (first, second) = (ModelContext(container), ModelContext(container))
        let doomed = try #require(first.model(for: norway.persistentModelID) as? Country)
        _ = doomed.cities
        second.insert(City("Oslo", country: second.model(for: norway.persistentModelID) as? Country))
        try second.save()
        first.delete(doomed)
        try first.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<City>()) == 0)
    }

    @Test("a reference to a model that somebody else has deleted is refused")
    func missingTarget() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        context.insert(norway)
        try context.save()
        let other = ModelContext(container)
        let country = try #require(other.model(for: norway.persistentModelID) as? Country)
        other.insert(City("Oslo", country: country))
        context.delete(norway)
        try context.save()
        #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
    }

    @Test("prefetching reads the members along")
    func prefetching() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        norway.cities = (0..<50).map { City("City \($0)") }
        context.insert(norway)
        try context.save()
        var descriptor = FetchDescriptor<Country>()
        descriptor.relationshipKeyPathsForPrefetching = [\.cities]
        let other = ModelContext(container)
        let country = try #require(try other.fetch(descriptor).first)
        for _ in 0..<2 {
            let cities = country.cities
            #expect(cities.count == 50)
            #expect(cities.allSatisfy { $0._$backing?.record != nil })
        }
        var cities = FetchDescriptor<City>()
        cities.relationshipKeyPathsForPrefetching = [\.country]
        let city = try #require(try ModelContext(container).fetch(cities).first)
        #expect(city.country?._$backing?.record != nil)
    }

    @Test("what was prefetched gives way to what is saved later")
    func prefetchedBefore() throws {
        let context = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        norway.cities = [City("Oslo")]
        context.insert(norway)
        try context.save()
        var descriptor = FetchDescriptor<Country>()
        descriptor.relationshipKeyPathsForPrefetching = [\.cities]
        let other = ModelContext(container)
        let country = try #require(try other.fetch(descriptor).first)
        norway.cities.first?.name = "Kristiania"
        try context.save()
        other.processPendingChanges()
        #expect(country.cities.map(\.name) == ["Kristiania"])
        _ = try other.fetch(descriptor)
        country.cities.first?.name = "Oslo"
        try other.save()
        #expect(country.cities.map(\.name) == ["Oslo"])
    }

    @Test("a model that was made to lead elsewhere is no member of what somebody else has made it lead to")
    func movedByOthers() throws {
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (norway, sweden) = (Country(code: "no", name: "Norway"), Country(code: "se", name: "Sweden"))
        let oslo = City("Oslo")
        context.insert(norway)
        context.insert(sweden)
        context.insert(oslo)
        try context.save()
        let theirs = try #require(other.model(for: oslo.persistentModelID) as? City)
        let theirNorway = try #require(other.model(for: norway.persistentModelID) as? Country)
        for isSaved in [true, false] {
            oslo.country = sweden
            theirs.country = theirNorway
            try other.save()
            context.processPendingChanges()
            #expect(oslo.country === sweden)
            #expect(sweden.cities == [oslo] && norway.cities.isEmpty)
            if isSaved { try context.save() } else { context.rollback() }
            #expect(norway.cities == (isSaved ? [] : [oslo]))
            #expect(sweden.cities == (isSaved ? [oslo] : []))
            oslo.country = nil
            try context.save()
            other.processPendingChanges()
        }
        oslo.country = sweden
        theirs.country = theirNorway
        try other.save()
        context.processPendingChanges()
        oslo.country = norway
        #expect(sweden.cities.isEmpty && norway.cities == [oslo])
        oslo.country = nil
        #expect(sweden.cities.isEmpty && norway.cities.isEmpty)
        try context.save()
        #expect(sweden.cities.isEmpty && norway.cities.isEmpty)
    }
}
