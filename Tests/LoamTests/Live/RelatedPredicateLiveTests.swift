import Foundation
import Loam
import SeededRandom
import Testing

@Model private final class Parcel {
    var id: Int
    var name: String
    var next: Parcel?
    @Relationship(inverse: \Parcel.next) var before: [Parcel] = []

    init(_ id: Int, _ name: String) { (self.id, self.name) = (id, name) }
}

@Suite("Results that follow predicates which read related rows")
@MainActor
struct RelatedPredicateLiveTests {
    /// What reads rows between, and the first and the last of related rows, typed and as a format.
    private static var predicates: [Predicate<Parcel>] {
        get throws {
            [
                #Predicate { s in s.before.contains { b in s.before.contains { $0.id > b.id && $0.name == b.name } } },
                #Predicate { s in
                    s.before.contains { b in b.before.contains { c in s.before.contains { $0.name > c.name } } }
                },
                #Predicate { s in s.next?.before.first?.name == s.name },
                #Predicate { s in s.before.filter { $0.name != s.name }.last?.name == "b" },
                #Predicate { s in s.before.first?.next?.name == "a" },
                #Predicate { s in s.before.first?.before.contains { $0.name == s.name } == true },
                #Predicate { s in s.next?.before.last?.before.filter { $0.name > s.name }.count == 1 },
                #Predicate { s in s.before.first?.before.last?.name == "c" },
                try Predicate(
                    format: "SUBQUERY(before, $b, SUBQUERY(before, $c, $c.name == $b.name).@count > 1).@count > 0"),
                try Predicate(format: "before[LAST].name < name"),
            ]
        }
    }

    @Test(
        "are what a fetch finds after each save of another context", .timeLimit(.minutes(20)),
        arguments: [1, 2, 3] as [UInt64])
    func follow(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let container = try ModelContainer(
            for: Parcel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let (shown, writer) = (ModelContext(container), ModelContext(container))
        (shown.autosaveEnabled, writer.autosaveEnabled) = (false, false)
        let observers = try Self.predicates.map {
            try ResultsObserver<Parcel, Never>(filterBy: $0, sortBy: [SortDescriptor(\.id)], modelContext: shown)
        }
        var parcels: [Parcel] = []
        for step in 0..<60 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let parcel = Parcel(
                        parcels.count + 100 * step, ["a", "b", "c"].randomElement(using: &random) ?? "a")
                    writer.insert(parcel)
                    parcel.next = parcels.randomElement(using: &random)
                    parcels.append(parcel)
                case 4..<6: parcels.randomElement(using: &random)?.next = parcels.randomElement(using: &random)
                case 6..<9:
                    parcels.randomElement(using: &random)?.name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
                default:
                    guard parcels.count > 20, let index = parcels.indices.randomElement(using: &random) else {
                        continue
                    }
                    writer.delete(parcels.remove(at: index))
                }
            }
            try writer.save()
            for (number, (observer, predicate)) in try zip(observers, Self.predicates).enumerated() {
                let sorted = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
                let expected = try ModelContext(container).fetch(sorted).map(\.id)
                while observer.results.map(\.id) != expected, !Task.isCancelled { await Task.yield() }
                #expect(observer.results.map(\.id) == expected, "seed \(seed), step \(step), result \(number)")
            }
        }
    }
}
