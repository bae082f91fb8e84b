import Foundation
import Loam
import LoamStorage
import Testing

/// Identifiers come from outside, too: they are decoded, kept for long, or of another store.
@Suite("Identifiers that name another entity than their row's")
struct ForeignIdentifierTests {
    let container: ModelContainer
    private let country: PersistentIdentifier

    init() throws {
        container = try memoryContainer(Country.self)
        let context = ModelContext(container)
        let country = Country(code: "no", name: "Norway")
        context.insert(City("Oslo", country: country))
        try context.save()
        self.country = country.persistentModelID
    }

    /// The identifier of the same row under another entity's name.
    private func disguised(_ identifier: PersistentIdentifier, as entity: String) throws -> PersistentIdentifier {
        let text = try #require(String(data: JSONEncoder().encode(identifier), encoding: .utf8))
        let other = text.replacingOccurrences(of: identifier.entityName, with: entity)
        return try JSONDecoder().decode(PersistentIdentifier.self, from: Data(other.utf8))
    }

    @Test("the model that stands for the row stays the one that does: it hears of others' saves, and fetches give it")
    func live() throws {
        let context = ModelContext(container)
        let norway = try #require(context.model(for: country) as? Country)
        let wrong = try disguised(country, as: "City")
        let ghost = try #require(context.model(for: wrong) as? City)
        #expect(ghost.name == "")
        #expect(context.registeredModel(for: wrong) as Country? == nil)
        #expect(context.registeredModel(for: country) as Country? === norway)
        let other = ModelContext(container)
        try #require(other.model(for: country) as? Country).name = "Norge"
        try other.save()
        context.processPendingChanges()
        #expect(norway.name == "Norge")
        #expect(ghost.name == "")
        #expect(try context.fetch(FetchDescriptor<Country>()).first === norway)
        #expect(try context.fetch(FetchDescriptor<City>()).map(\.name) == ["Oslo"])
    }

    @Test("an object that was made for one first is in nobody's way")
    func first() throws {
        let context = ModelContext(container)
        let wrong = try disguised(country, as: "City")
        let ghost = context.model(for: wrong)
        let norway = try #require(try context.fetch(FetchDescriptor<Country>()).first)
        #expect(norway.name == "Norway")
        #expect(norway.cities.first?.country === norway)
        #expect(context.registeredModel(for: country) as Country? === norway)
        #expect(ghost.modelContext === context)
        try context.enumerate(FetchDescriptor<Country>()) { #expect($0 === norway) }
    }

    @Test("changes and deletions of a model without a row are dropped, and the row's own are saved")
    func changes() throws {
        let context = ModelContext(container)
        let norway = try #require(context.model(for: country) as? Country)
        let ghost = try #require(context.model(for: disguised(country, as: "City")) as? City)
        let other = try #require(context.model(for: disguised(country, as: "Tag")) as? Tag)
        ghost.name = "nowhere"
        context.delete(other)
        norway.name = "Norge"
        try context.save()
        #expect(context.droppedChanges.map(\.identifier) == [ghost.persistentModelID])
        #expect(context.droppedChanges.map(\.properties) == [["name"]])
        #expect(ghost.modelContext == nil)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Country>()).map(\.name) == ["Norge"])
        context.mergePolicy = .throwOnConflict
        let again = try #require(context.model(for: disguised(country, as: "City")) as? City)
        again.name = "nowhere"
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    }

    @Test("in predicates, relationships and the subscript of actors they name no row")
    func elsewhere() async throws {
        let context = ModelContext(container)
        let wrong = try disguised(country, as: "City")
        let byCountry = #Predicate<City> { (city: City) in city.country?.persistentModelID == wrong }
        #expect(try context.fetchCount(FetchDescriptor(predicate: byCountry)) == 0)
        let byItself = #Predicate<City> { (city: City) in city.persistentModelID == wrong }
        #expect(try context.fetchCount(FetchDescriptor(predicate: byItself)) == 0)
        let ghost = try #require(context.model(for: wrong) as? City)
        let norway = try #require(context.model(for: country) as? Country)
        norway.cities.append(ghost)
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Country>()).first?.cities.map(\.name) == ["Oslo"])
        #expect(try container.store.check().faults.isEmpty)
        let elsewhere = try memoryContainer(Country.self)
        let reader = IdentifierReader(modelContainer: elsewhere)
        #expect(await !reader.knows(country))
        #expect(await !reader.knows(wrong))
        #expect(await IdentifierReader(modelContainer: container).knows(country))
    }
}

@ModelActor private actor IdentifierReader {
    func knows(_ identifier: PersistentIdentifier) -> Bool { self[identifier, as: Country.self] != nil }
}
