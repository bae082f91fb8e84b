import Loam

@Model final class Country {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .cascade, inverse: \City.country) var cities: [City] = []

    init(code: String) { self.code = code }
}

@Model final class City {
    #Index<City>([\.population], [\.name])
    var name: String
    var population: Int
    var country: Country?

    init(_ name: String, population: Int, country: Country) {
        (self.name, self.population, self.country) = (name, population, country)
    }
}

@MainActor func largeCities(in container: ModelContainer) async throws {
    let context = container.mainContext
    let japan = Country(code: "JP")
    context.insert(City("Tokyo", population: 9_733_276, country: japan))
    context.insert(City("Ōsaka", population: 2_753_862, country: japan))
    try context.save()

    let large = #Predicate<City> { $0.population > 1_000_000 && $0.country?.code == "JP" }
    let order = [SortDescriptor(\City.name)]
    for city in try context.fetch(FetchDescriptor(predicate: large, sortBy: order)) {
        print(city.name, city.population)
    }

    let observer = try ResultsObserver<City, Never>(filterBy: large, sortBy: order, modelContainer: container)
    var differences = observer.makeDifferences().makeAsyncIterator()
    context.insert(City("Nagoya", population: 2_332_176, country: japan))
    try context.save()
    if let difference = await differences.next() { print("inserted at", difference.insertions.map(\.position)) }
    print(observer.results.map(\.name))
}
