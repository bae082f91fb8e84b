import LoamViews

@testable import world

extension WorldStore {
    /// Inserts countries, and saves.
    func fill(_ body: ((Country) -> Void) throws -> Void) throws {
        let context = ModelContext(container)
        try body { context.insert($0) }
        try context.save()
    }
}

extension WorldStore {
    /// Gives a country another capital, and saves.
    func setCapital(_ name: String, of code: String) throws {
        let context = ModelContext(container)
        let countries = try context.fetch(FetchDescriptor(predicate: #Predicate<Country> { $0.code == code }))
        for country in countries { country.capital = name }
        try context.save()
    }
}
