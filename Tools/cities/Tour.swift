import Foundation
import Loam

/// The steps of the demo, each with a line of words before it.
@MainActor
struct Tour {
    let store: URL
    let samples: URL

    func run() async throws {
        try await work()
        // No variable holds the container any more, and with it the store is closed.
        try reopen()
    }

    nonisolated static func open(_ store: URL) throws -> ModelContainer {
        try ModelContainer(for: Country.self, City.self, configurations: ModelConfiguration(url: store))
    }

    private func work() async throws {
        let container = try Self.open(store)
        try fill(ModelContext(container))
        try fetch(ModelContext(container))
        try await observe(container)
    }

    private func fill(_ context: ModelContext) throws {
        say("Store the sample: insert a model for each row, and save.")
        var countries: [String: Country] = [:]
        for row in try Samples(contentsOf: samples.appendingPathComponent("countries.csv")).rows {
            let country = Country(code: try row["iso"], name: try row["name"], continent: try row["continent_code"])
            countries[country.code] = country
            context.insert(country)
        }
        for row in try Samples(contentsOf: samples.appendingPathComponent("cities.csv")).rows {
            guard let country = countries[try row["country_iso"]] else { throw SamplesError(column: "country_iso") }
            guard let population = Int(try row["population"]) else { throw SamplesError(column: "population") }
            context.insert(
                City(try row["name"], population: population, timezone: try row["timezone"], country: country))
        }
        try context.save()
        try printCounts(context)
    }

    private func printCounts(_ context: ModelContext) throws {
        let countries = try context.fetchCount(FetchDescriptor<Country>())
        let cities = try context.fetchCount(FetchDescriptor<City>())
        print("\(countries) countries, \(cities) cities\n")
    }

    /// Cities above 100,000 whose names begin with "os", whatever the case and the accents, by country and name.
    private var search: FetchDescriptor<City> {
        FetchDescriptor(
            predicate: #Predicate { (city: City) in
                city.name.localizedStandardStarts(with: "os") && city.population > 100_000
            },
            sortBy: [SortDescriptor(\.countryCode), SortDescriptor(\.name)])
    }

    /// Cities above four million in Oceania and Africa, by population.
    private var large: FetchDescriptor<City> {
        let continents = ["OC", "AF"]
        return FetchDescriptor(
            predicate: #Predicate { (city: City) in
                city.population > 4_000_000 && continents.contains(city.country?.continent ?? "")
            },
            sortBy: [SortDescriptor(\.population, order: .reverse)])
    }

    private func fetch(_ context: ModelContext) throws {
        say("All cities by country and name: the section index has them in this order. The plan of the first three.")
        var all = FetchDescriptor<City>(sortBy: [SortDescriptor(\.countryCode), SortDescriptor(\.name)])
        all.fetchLimit = 3
        print(try context.explanation(of: all))
        for city in try context.fetch(all) { print(city.countryCode, city.line) }

        print()
        say("A search among them by the beginning of the name, whatever the case and the accents. Its plan.")
        print(try context.explanation(of: search))
        print()
        say("Its result by sections, the countries: the first six.")
        try ResultsObserver(fetchDescriptor: search, sectionBy: \.countryCode, modelContext: context).printSections(6)

        print()
        say("Cities above four million in Oceania and Africa, asked for through the relationship.")
        for city in try context.fetch(large) { print(city.line, "", city.country?.name ?? "") }
        print()
    }

    /// An actor changes cities in a context of its own; the result follows, and prints what is different.
    private func observe(_ container: ModelContainer) async throws {
        let editor = Editor(modelContainer: container)
        let followed = try FollowedSearch(search, in: container)
        try await followed.step(
            "An actor changes the cities while the search is observed. Oslo grows: its row is updated."
        ) {
            try await editor.setPopulation(1_100_000, of: "Oslo")
        }
        try await followed.step("Östersund grows above 100,000: a row and a section for it.") {
            try await editor.setPopulation(100_001, of: "Östersund")
        }
        try await followed.step("Ōshū is written without accents: its row moves.") {
            try await editor.rename("Ōshū", to: "Oshu")
        }
        try await followed.step("Ostia is inserted.") {
            try await editor.insert("Ostia", population: 231_701, timezone: "Europe/Rome", in: "IT")
        }
        try await followed.step("Oshodi is deleted.") {
            try await editor.delete("Oshodi")
        }
        try await followed.step("Norway is deleted: its cities go with it, for the delete rule says so.") {
            try await editor.deleteCountry("NO")
        }
        let context = followed.observer.modelContext
        try await followed.step(
            "Osaka gets its accent in the context of the result, unsaved: its row moves. Osorno grows."
        ) {
            followed.observer.results.first { $0.name == "Osaka" }?.name = "Ōsaka"
            followed.observer.results.first { $0.name == "Osorno" }?.population += 1
        }
        try await followed.step("These changes are rolled back.") { context.rollback() }
        try await followed.step("Another process deletes Oshawa.") {
            try await AnotherProcess.delete("Oshawa", of: store, samples: samples)
        }
        say("The result as it stands: the first seven sections.")
        followed.observer.printSections(7)
        print()
        try await observeRelated(container, editor)
    }

    private func observeRelated(_ container: ModelContainer, _ editor: Editor) async throws {
        let followed = try FollowedSearch(large, in: container)
        try await followed.step(
            "Turkey is filed under Africa: Istanbul is now among the large cities found through it."
        ) {
            try await editor.setContinent("AF", of: "TR")
        }
        try await followed.step("And back under Asia.") { try await editor.setContinent("AS", of: "TR") }
    }

    private func reopen() throws {
        say("Close the store, and open it again: what is there.")
        let context = ModelContext(try Self.open(store))
        try printCounts(context)
        let japan = FetchDescriptor<Country>(predicate: #Predicate { (country: Country) in country.code == "JP" })
        say("Through the relationship: the first cities of Japan in the order in which they were inserted.")
        for country in try context.fetch(japan) {
            print(country.name, country.cities.count)
            for city in country.cities.prefix(3) { print("  ", city.line) }
        }
    }
}
