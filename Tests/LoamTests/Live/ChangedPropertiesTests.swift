import Foundation
import Loam
import SeededRandom
import Testing

@Model private final class Errand {
    #Index<Errand>([\.effort, \.id])
    var id: Int
    var name: String
    var description: String
    var effort: Int
    var keeper: Keeper?

    init(id: Int, name: String, effort: Int, keeper: Keeper? = nil) {
        (self.id, self.name, description) = (id, name, "")
        (self.effort, self.keeper) = (effort, keeper)
    }

    /// What a difference may name, with what it is.
    var values: [String: String] {
        [
            "id": "\(id)", "name": name, "description": description, "effort": "\(effort)",
            "keeper": keeper.map { "\($0.id)" } ?? "",
        ]
    }
}

@Model private final class Keeper {
    var id: Int
    var name: String
    @Relationship(inverse: \Errand.keeper) var errands: [Errand] = []

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

/// Takes the differences of an observer, and compares the names in them with what has changed in the results.
private final class NamedChanges {
    private let observer: ResultsObserver<Errand, Never>
    private var differences: ResultsStream<ResultsDifference<Never>>.Iterator
    private var values: [PersistentIdentifier: [String: String]]
    private(set) var resets = 0
    /// How many changed models were named, and of how many of these just the properties that differ.
    private(set) var (named, exact) = (0, 0)

    init(_ descriptor: FetchDescriptor<Errand>, in context: ModelContext) throws {
        observer = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
        differences = observer.makeDifferences().makeAsyncIterator()
        values = Self.values(observer)
    }

    private static func values(_ observer: ResultsObserver<Errand, Never>) -> [PersistentIdentifier: [String: String]] {
        Dictionary(uniqueKeysWithValues: observer.results.map { ($0.persistentModelID, $0.values) })
    }

    func check(isolation: isolated (any Actor)? = #isolation, _ comment: Comment) async throws {
        observer.refresh()
        let difference = try #require(await differences.next(isolation: isolation), comment)
        let now = Self.values(observer)
        defer { values = now }
        guard !difference.isReset else { return resets += 1 }
        var changes: [PersistentIdentifier: Set<String>] = [:]
        for move in difference.moves {
            guard let names = move.changedProperties else {
                Issue.record("\(comment): nothing named")
                continue
            }
            changes[move.identifier] = names
        }
        for update in difference.updates {
            guard let names = update.changedProperties else {
                Issue.record("\(comment): nothing named")
                continue
            }
            changes[update.identifier] = names
        }
        for (identifier, before) in values {
            guard let after = now[identifier] else { continue }
            let differing = Set(before.keys.filter { before[$0] != after[$0] })
            let names = changes.removeValue(forKey: identifier)
            try #require(differing.isSubset(of: names ?? []), comment)
            guard let names else { continue }
            named += 1
            exact += names == differing ? 1 : 0
        }
        try #require(changes.isEmpty, comment)
    }
}

@Suite("The properties that differences name")
@MainActor
struct ChangedPropertiesTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: Errand.self, Keeper.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        context.autosaveEnabled = false
    }

    private func fill(_ count: Int) throws {
        let keepers = (0..<4).map { Keeper(id: $0, name: "k\($0)") }
        for keeper in keepers { context.insert(keeper) }
        for id in 0..<count {
            context.insert(Errand(id: id, name: "n\(id)", effort: id % 10, keeper: keepers[id % 4]))
        }
        try context.save()
    }

    private func change(_ context: ModelContext, step: Int, _ random: inout SeededGenerator) throws {
        let errands = try context.fetch(FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.id)]))
        let keepers = try context.fetch(FetchDescriptor<Keeper>(sortBy: [SortDescriptor(\.id)]))
        // Each result shows this one, so that there is a difference each time.
        errands.last?.description = "\(step)"
        for number in 0..<Int.random(in: 1...6, using: &random) {
            guard let errand = errands.dropLast().randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: context.insert(Errand(id: step * 10 + number - 10_000, name: "new", effort: number))
            case 1: context.delete(errand)
            case 2: errand.name = "n\(Int.random(in: 0..<5, using: &random))"
            case 3...4: errand.effort = Int.random(in: 0..<10, using: &random)
            case 5: errand.description = "step \(step)"
            case 6: errand.keeper = random.percent(20) ? nil : keepers.randomElement(using: &random)
            default: keepers.randomElement(using: &random)?.name = "k\(Int.random(in: 0..<9, using: &random))"
            }
        }
    }

    @Test("are at least those that differ", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try fill(50)
        context.insert(Errand(id: 1_000_000, name: "last", effort: 1_000))
        try context.save()
        let other = ModelContext(container)
        other.autosaveEnabled = false
        var window = FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.effort, order: .reverse), SortDescriptor(\.id)])
        window.fetchLimit = 20
        let descriptors = [
            FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.effort), SortDescriptor(\.id)]),
            FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.name), SortDescriptor(\.id)]),
            FetchDescriptor<Errand>(predicate: #Predicate { $0.effort > 3 }, sortBy: [SortDescriptor(\.id)]),
            FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.keeper?.name), SortDescriptor(\.id)]),
            window,
        ]
        let results = try descriptors.map { try NamedChanges($0, in: context) }
        for step in 1...40 {
            // What one context has not saved, the other one does not write over.
            if context.hasChanges || random.percent(60) {
                try change(context, step: step, &random)
                if random.percent(50) { try context.save() }
                if random.percent(10) { context.rollback() }
                context.insert(Errand(id: -step, name: "more", effort: 500))
            } else {
                try change(other, step: step, &random)
                try other.save()
            }
            for (number, result) in results.enumerated() {
                try await result.check("seed \(seed), step \(step), result \(number)")
            }
        }
        let (named, exact) = results.reduce(into: (0, 0)) { $0 = ($0.0 + $1.named, $0.1 + $1.exact) }
        #expect(named > 200 && exact > named * 9 / 10, "\(exact) of \(named)")
        #expect(results.allSatisfy { $0.resets < 10 })
    }

    @Test("are the union of those of all saves that nobody has taken")
    func joined() async throws {
        try fill(3)
        let observer = try ResultsObserver<Errand, Never>(sortBy: [SortDescriptor(\.id)], modelContext: context)
        var differences = observer.makeDifferences().makeAsyncIterator()
        let other = ModelContext(container)
        let errands = try other.fetch(FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.id)]))
        errands[1].name = "other"
        try other.save()
        observer.refresh()
        errands[1].keeper = nil
        try other.save()
        observer.refresh()
        errands[0].id = 9
        try other.save()
        observer.refresh()
        let difference = try #require(await differences.next())
        #expect(difference.updates.map(\.identifier) == [errands[1].persistentModelID])
        #expect(difference.updates.map(\.changedProperties) == [["name", "keeper"]])
        #expect(difference.moves.map(\.changedProperties) == [["id"]])
    }

    @Test("are those that a rollback takes back, and none for a related change")
    func unsaved() async throws {
        try fill(3)
        let observer = try ResultsObserver<Errand, Never>(
            sortBy: [SortDescriptor(\.keeper?.name), SortDescriptor(\.id)], modelContext: context)
        var changes = observer.changes.makeAsyncIterator()
        let errand = observer.results[0]
        errand.name = "changed"
        errand.description = "too"
        var difference = try #require(await changes.next()).difference
        #expect(difference.updates.map(\.changedProperties) == [["name", "description"]])
        errand.effort = 77
        difference = try #require(await changes.next()).difference
        #expect(difference.updates.map(\.changedProperties) == [["effort"]])
        context.rollback()
        difference = try #require(await changes.next()).difference
        #expect(difference.updates.map(\.changedProperties) == [["name", "description", "effort"]])
        errand.keeper?.name = "z"
        difference = try #require(await changes.next()).difference
        #expect(difference.moves.map(\.changedProperties) == [[]] && difference.updates.isEmpty)
    }
}
