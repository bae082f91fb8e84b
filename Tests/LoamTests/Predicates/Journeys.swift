import Loam

// Models with properties of the names that applications give them.

enum Stage: String, Codable, CaseIterable, Sendable { case planned, booked, done }

@Model final class Journey {
    var id: UUID
    var name: String
    var description: String
    var hash: String
    var stage: Stage
    var start: Date
    var end: Date?
    var budget: Double?
    var count: Int
    var isEmpty = false
    var first: Int?
    var isDeleted = false
    var isFavorite = false
    @Relationship(deleteRule: .cascade, inverse: \Halt.journey) var halts: [Halt] = []
    var land: Land?

    init(id: UUID, name: String, stage: Stage, start: Date, count: Int) {
        (self.id, self.name, self.stage, self.start, self.count) = (id, name, stage, start, count)
        (description, hash) = ("about \(name)", "#\(count)")
    }
}

/// A model whose `id` and `rawValue` are the application's own.
@Model final class Halt {
    @Attribute(.unique) var id: String
    var rawValue: Int
    var tags: [String] = []
    var journey: Journey?

    init(id: String, rawValue: Int, journey: Journey?) {
        (self.id, self.rawValue, self.journey) = (id, rawValue, journey)
    }
}

/// A model without an `id` of its own.
@Model final class Land {
    var name: String
    @Relationship(inverse: \Journey.land) var journeys: [Journey] = []

    init(name: String) { self.name = name }
}

@Model final class Coupon {
    var id: Int
    var price: Decimal

    init(id: Int, price: Decimal) { (self.id, self.price) = (id, price) }
}

/// A store of journeys.
struct JourneyStore {
    let context: ModelContext
    let journeys: [Journey]
    let halts: [Halt]
    let lands: [Land]
    static let noon = Date(timeIntervalSinceReferenceDate: 43_200)

    init() throws {
        let container = try memoryContainer(Journey.self, Halt.self, Land.self, Coupon.self)
        let context = ModelContext(container)
        let lands = ["Norway", "Åland"].map { Land(name: $0) }
        var journeys: [Journey] = []
        var halts: [Halt] = []
        for number in 0..<12 {
            let journey = Journey(
                id: UUID(), name: ["Fjords", "fjord", "Islands"][number % 3] + " \(number)",
                stage: Stage.allCases[number % 3], start: Self.noon.addingTimeInterval(Double(number) * 3_600),
                count: number % 5)
            context.insert(journey)
            journey.end = number % 4 == 0 ? nil : journey.start.addingTimeInterval(7_200)
            journey.budget = number % 3 == 0 ? nil : Double(number) * 10
            journey.first = number % 2 == 0 ? number : nil
            (journey.isFavorite, journey.isDeleted) = (number % 5 == 0, number == 7)
            journey.land = number % 6 == 5 ? nil : lands[number % 2]
            for rank in 0..<(number % 3) {
                let halt = Halt(id: "\(number)-\(rank)", rawValue: rank, journey: journey)
                halt.tags = rank == 0 ? ["quay"] : []
                context.insert(halt)
                halts.append(halt)
            }
            context.insert(Coupon(id: number, price: Decimal(number)))
            journeys.append(journey)
        }
        context.insert(Halt(id: "lost", rawValue: 9, journey: nil))
        try context.save()
        (self.context, self.journeys, self.halts, self.lands) = (context, journeys, halts, lands)
    }

    /// Expects that a fetch finds the models for which plain Swift code holds, and that these are some but not all.
    func agree<Model: PersistentModel>(
        _ predicate: Predicate<Model>, with isWanted: (Model) -> Bool, findsAny: Bool = true
    ) throws -> Bool {
        let all = try context.fetch(FetchDescriptor<Model>())
        let found = try ModelContext(context.container).fetch(FetchDescriptor(predicate: predicate))
        let expected = all.filter(isWanted).map(\.persistentModelID)
        return found.map(\.persistentModelID) == expected && expected.isEmpty != findsAny
    }
}
