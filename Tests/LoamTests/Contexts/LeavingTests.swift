import Foundation
import Testing

@testable import Loam

@Suite("What becomes of models that leave their context, or that it leaves")
struct LeavingTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    private func names() throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test("a model that was discarded before it was saved is another context's to insert")
    func discarded() throws {
        let first = ModelContext(container)
        let second = ModelContext(container)
        let city = City("Oslo")
        first.insert(city)
        first.delete(city)
        #expect(first.changes.listed.inserted.isEmpty)
        #expect(city._$backing?.isListed == false)
        second.insert(city)
        #expect(second.insertedModelsArray.count == 1)
        try first.save()
        try second.save()
        #expect(try names() == ["Oslo"])
    }

    @Test("a context does not keep models that were discarded before they were saved")
    func drafts() {
        let context = ModelContext(container)
        var city: City? = City("Oslo")
        weak let same = city
        city.map(context.insert)
        city.map(context.delete)
        city = nil
        #expect(same == nil)
    }

    @Test("an inserted model whose context goes can be inserted into another one")
    func outlivesContext() throws {
        var first: ModelContext? = ModelContext(container)
        let city = City("Oslo", population: 7)
        first?.insert(city)
        #expect(city.hasChanges)
        first = nil
        #expect(city.modelContext == nil)
        #expect(!city.hasChanges)
        let second = ModelContext(container)
        second.insert(city)
        try second.save()
        #expect(try names() == ["Oslo"])
        #expect(city.population == 7)
    }

    @Test("changed and deleted models whose context goes keep their values and cannot be inserted again")
    func outliveContext() throws {
        var first: ModelContext? = ModelContext(container)
        let cities = ["Oslo", "Bergen"].map { City($0, population: 3) }
        for city in cities { first?.insert(city) }
        try first?.save()
        cities[0].name = "Kristiania"
        first?.delete(cities[1])
        first = nil
        #expect(cities.map(\.name) == ["Kristiania", "Bergen"])
        #expect(cities.map(\.population) == [3, 3])
        #expect(cities.allSatisfy { $0.country == nil && $0.tags.isEmpty && !$0.isDeleted })
        cities[0].name = "Christiania"
        #expect(cities[0].name == "Christiania")
        let second = ModelContext(container)
        for city in cities { second.insert(city) }
        #expect(!second.hasChanges)
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
        #expect(try names() == ["Bergen", "Oslo"])
    }

    @Test("a fetch that prefetches relationships in both directions leaves nothing behind")
    func prefetchedBothWays() throws {
        let writer = ModelContext(container)
        let norway = Country(code: "no", name: "Norway")
        norway.cities = (0..<5).map { City("City \($0)") }
        writer.insert(norway)
        try writer.save()
        var context: ModelContext? = ModelContext(container)
        weak let kept = context
        var countries = FetchDescriptor<Country>()
        countries.relationshipKeyPathsForPrefetching = [\.cities]
        var cities = FetchDescriptor<City>()
        cities.relationshipKeyPathsForPrefetching = [\.country]
        do {
            let found = try context.map { try ($0.fetch(countries), $0.fetch(cities)) }
            #expect(found?.0.first?.cities.count == 5)
            #expect(found?.1.first?.country?.name == "Norway")
        }
        #expect(kept?.identities.count == 0)
        context = nil
        #expect(kept == nil)
    }

    @Test("links that were not saved go with their context")
    func links() throws {
        var context: ModelContext? = ModelContext(container)
        weak let list = context.flatMap { context in
            let city = City("Oslo")
            context.insert(city)
            city.tags = [Tag("old")]
            return context.relationships.lists.changed.first
        }
        #expect(list?.isChanged == true)
        context = nil
        #expect(list == nil)
    }
}
