import LoamViews

@Model final class City {
    var name: String
    var place: Int

    init(_ name: String, place: Int) { (self.name, self.place) = (name, place) }
}

@MainActor func makeCities(_ names: [String]) throws -> ModelContainer {
    let container = try ModelContainer(for: City.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    for (place, name) in names.enumerated() { container.mainContext.insert(City(name, place: place)) }
    try container.mainContext.save()
    return container
}
