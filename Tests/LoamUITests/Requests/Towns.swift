import LoamUI

/// Towns of a few lands.
@Model final class Town {
    var name: String
    var people: Int
    var land: String
    var founded: Date?

    init(_ name: String, people: Int, land: String = "") {
        (self.name, self.people, self.land) = (name, people, land)
    }

    /// Not stored.
    var initial: String { String(name.prefix(1)) }
}

extension FetchDescriptor where T == Town {
    static var large: FetchDescriptor { FetchDescriptor(predicate: #Predicate { $0.people >= 500 }) }
}

@MainActor func makeTowns(_ count: Int = 1000) throws -> ModelContainer {
    let container = try ModelContainer(for: Town.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = container.mainContext
    context.autosaveEnabled = false
    for number in 0..<count {
        let name = String(repeating: "0", count: 5 - "\(number)".count) + "\(number)"
        context.insert(Town(name, people: number, land: number % 3 == 0 ? "A" : "B"))
    }
    try context.save()
    return container
}
