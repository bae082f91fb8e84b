import Loam

@MainActor func figures(in container: ModelContainer) throws {
    let context = container.mainContext
    let order = [SortDescriptor(\City.population, order: .reverse)]
    for (name, population) in try context.fetch(\City.name, \.population, sortBy: order) { print(name, population) }

    let (count, people, average) = try context.fetch(.count, .sum(\City.population), .average(\.population))
    print(count, people, average ?? 0)

    let namesakes = try context.fetch(
        groupedBy: \City.name, aggregates: .count, .maximum(\.population), having: .count > 1,
        sortBy: [.descending(.count)], limit: 10)
    for (name, count, largest) in namesakes { print(name, count, largest ?? 0) }

    try context.update(City.self, where: #Predicate { $0.name == "Tokyo" }, set: .add(1, to: \.population))

    var descriptor = FetchDescriptor(sortBy: order)
    descriptor.fetchLimit = 2
    var page = try context.fetchPage(descriptor)
    while let next = page.next { page = try context.fetchPage(descriptor, after: next) }
    print(page.models.map(\.name))
}
