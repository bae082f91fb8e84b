import Foundation
import LoamStorage
import Testing

@testable import Loam

@Suite("What a save leaves behind in its context")
struct SettlingTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    private func record(_ model: any PersistentModel) -> UInt64? { model._$backing?.record?.rowID }

    @Test("inserted objects have their stored record, in whatever order they came, entities mixed")
    func order() throws {
        let context = ModelContext(container)
        var models: [any PersistentModel] = []
        for number in 0..<40 {
            let city = City("City \(number)", population: number)
            let country = Country(code: "\(number)", name: "Country \(number)")
            context.insert(city)
            context.insert(country)
            models += [city, country] as [any PersistentModel]
            guard number % 7 == 0 else { continue }
            // The city is inserted last by this, and has another row id than before.
            context.delete(city)
            context.insert(city)
        }
        try context.save()
        for model in models {
            #expect(record(model) == model.persistentModelID.rowID)
            #expect(!model.hasChanges)
        }
        let other = ModelContext(container)
        for city in try other.fetch(FetchDescriptor<City>()) { city.name += "!" }
        try other.save()
        context.processPendingChanges()
        let names = models.compactMap { ($0 as? City)?.name }
        #expect(names == (0..<40).map { "City \($0)!" })
    }

    @Test("an inserted object that became an update stands for the stored row, among others that did not")
    func upserts() throws {
        let first = ModelContext(container)
        for number in [3, 5] { first.insert(Country(code: "\(number)", name: "Old \(number)")) }
        try first.save()
        let context = ModelContext(container)
        let countries = (0..<8).map { Country(code: "\($0)", name: "New \($0)") }
        for country in countries { context.insert(country) }
        try context.save()
        for country in countries {
            #expect(record(country) == country.persistentModelID.rowID)
            #expect(context.registeredModel(for: country.persistentModelID) as Country? === country)
        }
        #expect(try context.fetchCount(FetchDescriptor<Country>()) == 8)
        first.processPendingChanges()
        let stored = try first.fetch(FetchDescriptor<Country>(sortBy: [SortDescriptor(\.code)]))
        #expect(stored.map(\.name) == (0..<8).map { "New \($0)" })
    }
}
