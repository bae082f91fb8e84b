import Foundation
import Loam
import LoamStorage
import Synchronization
import Testing

@Suite("Saving what somebody else has deleted")
struct DeletedMeanwhileTests {
    let container: ModelContainer
    private let (first, second): (ModelContext, ModelContext)

    init() throws {
        container = try memoryContainer(Country.self)
        first = ModelContext(container)
        second = ModelContext(container)
        let country = Country(code: "no", name: "Norway")
        for name in ["Bergen", "Oslo"] { first.insert(City(name, country: country)) }
        first.insert(Tag("coast"))
        try first.save()
    }

    private func city(_ name: String, _ context: ModelContext) throws -> City {
        try #require(try context.fetch(FetchDescriptor<City>(predicate: #Predicate { $0.name == name })).first)
    }

    private func names() throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test(
        "the other changes are saved, what was dropped is told, and the model is as deleted",
        arguments: [ModelContext.MergePolicy.propertyByProperty, .storeWins])
    func dropped(_ policy: ModelContext.MergePolicy) throws {
        second.mergePolicy = policy
        let (gone, kept) = (try city("Oslo", second), try city("Bergen", second))
        gone.name = "Kristiania"
        gone.population = 7
        kept.name = "Bjørgvin"
        second.insert(City("Tromsø"))
        first.delete(try city("Oslo", first))
        try first.save()
        let told = Mutex<[[ModelContext.DroppedChange]]>([])
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: second, queue: nil
        ) { notification in
            let key = ModelContext.NotificationKey.droppedChanges.rawValue
            let changes = notification.userInfo?[key] as? [ModelContext.DroppedChange]
            told.withLock { $0.append(changes ?? []) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let identifier = gone.persistentModelID
        try second.save()
        #expect(try names() == ["Bjørgvin", "Tromsø"])
        #expect(second.droppedChanges.map(\.identifier) == [identifier])
        #expect(second.droppedChanges.map(\.properties) == [["name", "population"]])
        #expect(second.droppedChanges.map(\.isDeleted) == [true])
        #expect(told.withLock { $0 } == [second.droppedChanges])
        #expect(gone.modelContext == nil && !gone.isDeleted)
        #expect(gone.name == "Kristiania")
        #expect(!second.hasChanges)
        kept.name = "Bergen"
        try second.save()
        #expect(second.droppedChanges.isEmpty)
        #expect(told.withLock { $0.last } == [])
    }

    @Test("a policy that throws saves nothing, and keeps everything")
    func throwing() throws {
        second.mergePolicy = .throwOnConflict
        let gone = try city("Oslo", second)
        gone.name = "Kristiania"
        second.insert(City("Tromsø"))
        first.delete(try city("Oslo", first))
        try first.save()
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
        #expect(try names() == ["Bergen"])
        #expect(gone.name == "Kristiania" && second.insertedModelsArray.count == 1)
    }

    @Test("a model that was made to lead to a deleted one leads where it led before")
    func references() throws {
        let sweden = Country(code: "se", name: "Sweden")
        first.insert(sweden)
        try first.save()
        let oslo = try city("Oslo", second)
        oslo.country = try #require(second.model(for: sweden.persistentModelID) as? Country)
        oslo.population = 1
        first.delete(sweden)
        try first.save()
        try second.save()
        #expect(oslo.country?.code == "no")
        #expect(oslo.population == 1)
        #expect(second.droppedChanges.map(\.properties) == [["country"]])
        #expect(second.droppedChanges.map(\.isDeleted) == [false])
        let norway = try #require(oslo.country)
        #expect(Set(norway.cities.map(\.name)) == ["Bergen", "Oslo"])
        let again = Country(code: "dk", name: "Denmark")
        first.insert(again)
        try first.save()
        let denmark = try #require(second.model(for: again.persistentModelID) as? Country)
        second.insert(City("Odense", country: denmark))
        first.delete(again)
        try first.save()
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
    }

    @Test("links with a deleted model go, from whichever side they were made, and the rest stays")
    func links() throws {
        let (oslo, bergen) = (try city("Oslo", second), try city("Bergen", second))
        let coast = try #require(try second.fetch(FetchDescriptor<Tag>()).first)
        coast.cities = [oslo, bergen]
        first.delete(try city("Oslo", first))
        try first.save()
        try second.save()
        #expect(coast.cities.map(\.name) == ["Bergen"])
        #expect(try container.store.check().faults.isEmpty)
        #expect(second.droppedChanges.count == 1)
    }
}
