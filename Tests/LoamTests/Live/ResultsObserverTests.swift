import Foundation
import Observation
import SeededRandom
import Synchronization
import Testing

@testable import Loam

@Suite("A results observer")
@MainActor
struct ResultsObserverTests {
    let container: ModelContainer

    init() throws {
        container = try ModelContainer(
            for: Stop.self, configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
    }

    /// The rows that are shown, by section.
    private struct Shown: Equatable {
        var titles: [Int] = []
        var rows: [[PersistentIdentifier]] = []

        @MainActor init(_ observer: ResultsObserver<Stop, Int>) {
            titles = observer.sections?.sectionTitles ?? []
            rows = observer.sections?.map { $0.map(\.persistentModelID) } ?? []
        }

        init(_ snapshot: ResultsSnapshot<Int>) {
            titles = snapshot.sectionIdentifiers
            rows = titles.indices.map { snapshot.itemIdentifiers(inSectionAt: $0) }
        }

        /// Groups the stops of a fetch by line.
        init(_ stops: [Stop]) {
            for stop in stops {
                if titles.last != stop.line {
                    titles.append(stop.line)
                    rows.append([])
                }
                rows[rows.count - 1].append(stop.persistentModelID)
            }
        }

        mutating func apply(_ difference: ResultsDifference<Int>) {
            for place in (difference.deletions + difference.moves.map(\.from)).sorted().reversed() {
                rows[place[0]].remove(at: place[1])
            }
            for section in difference.deletedSections.reversed() {
                rows.remove(at: section)
                titles.remove(at: section)
            }
            for section in difference.insertedSections {
                rows.insert([], at: section.section)
                titles.insert(section.title, at: section.section)
            }
            let arrivals =
                difference.insertions.map { ($0.position, $0.identifier) }
                + difference.moves.map { ($0.to, $0.identifier) }
            for (place, identifier) in arrivals.sorted(by: { $0.0 < $1.0 }) {
                rows[place[0]].insert(identifier, at: place[1])
            }
        }
    }

    private static let order = [SortDescriptor(\Stop.line, order: .reverse), SortDescriptor(\Stop.name)]

    @Test("shows after every save of any context what a fetch in a new one gives", arguments: [1, 2, 3] as [UInt64])
    func equalsAFetch(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let contexts = [ModelContext(container), ModelContext(container), container.mainContext]
        let observer = try ResultsObserver(sortBy: Self.order, sectionBy: \Stop.line, modelContext: contexts[2])
        var differences = observer.makeDifferences().makeAsyncIterator()
        var shown = Shown(observer)
        for step in 0..<80 {
            let context = contexts[step % 3]
            let stops = try context.fetch(FetchDescriptor<Stop>())
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch (Int.random(in: 0..<6, using: &random), stops.randomElement(using: &random)) {
                case (0...2, _), (_, nil): context.insert(Stop("T\(step)", line: step % 5))
                case (3, let stop?): context.delete(stop)
                case (4, let stop?) where !stop.isDeleted: stop.name = "U\(step)"
                case (_, let stop?) where !stop.isDeleted: stop.line = Int.random(in: 0..<5, using: &random)
                default: break
                }
            }
            try context.save()
            // A refresh also takes in a delivery that has come by itself.
            observer.refresh()
            let expected = Shown(try ModelContext(container).fetch(FetchDescriptor<Stop>(sortBy: Self.order)))
            try #require(Shown(observer) == expected, "step \(step)")
            while shown != expected {
                let difference = try #require(await differences.next())
                shown.apply(difference)
            }
            #expect(observer.results.count == expected.rows.reduce(0) { $0 + $1.count })
        }
    }

    @Test("gives readers elsewhere each change with the results behind it, as identifiers")
    func givesSnapshots() async throws {
        let context = ModelContext(container)
        for name in ["Oslo", "Rome", "Lima"] { context.insert(Stop(name, line: 1)) }
        try context.save()
        let observer = try ResultsObserver(sortBy: Self.order, sectionBy: \Stop.line, modelContainer: container)
        let (changes, first) = (observer.changes, observer.snapshot)
        #expect(Shown(first) == Shown(observer) && first.numberOfItems == 3 && first.numberOfSections == 1)
        let reader = Task.detached {
            var (shown, reloaded, count) = (Shown(first), [PersistentIdentifier](), 0)
            for await change in changes {
                shown.apply(change.difference)
                #expect(shown == Shown(change.snapshot))
                reloaded += change.snapshot.reloadedItemIdentifiers
                count = change.snapshot.numberOfItems
                if count == 0 { break }
            }
            return (shown, reloaded)
        }
        let stops = try context.fetch(FetchDescriptor<Stop>(sortBy: [SortDescriptor(\.name)]))
        stops[0].name = "Zürich"
        try context.save()
        observer.refresh()
        #expect(observer.snapshot.reloadedItemIdentifiers.isEmpty && Shown(observer.snapshot) == Shown(observer))
        stops[1].line = 2
        context.insert(Stop("Bonn", line: 3))
        try context.save()
        for stop in try context.fetch(FetchDescriptor<Stop>()) { context.delete(stop) }
        try context.save()
        let (shown, reloaded) = await reader.value
        #expect(shown == Shown([Stop]()) && Set(reloaded).isSubset(of: Set(stops.map(\.persistentModelID))))
        #expect(Shown(first).rows.first?.count == 3)
    }

    @Test("delivers on the isolation that made it, without being asked")
    func deliversByItself() async throws {
        let observer = try ResultsObserver<Stop, Never>(sortBy: [SortDescriptor(\.name)], modelContainer: container)
        let changes = Mutex(0)
        withObservationTracking {
            _ = observer.results.count
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        var differences = observer.makeDifferences().makeAsyncIterator()
        let container = container
        try await Task.detached {
            let context = ModelContext(container)
            context.insert(Stop("Oslo", line: 1))
            try context.save()
        }.value
        let difference = try #require(await differences.next())
        #expect(difference.insertions.map(\.position) == [[0, 0]] && !difference.isReset)
        #expect(observer.results.map(\.name) == ["Oslo"] && changes.withLock { $0 } == 1)
        let stop = try #require(observer.element(at: [0]))
        #expect(observer.indexPath(for: stop) == [0, 0] && observer.element(at: [0, 1]) == nil)
    }

    /// Makes an observer on its own isolation.
    private actor Watcher {
        /// The rows that are shown after the next difference, and whether the difference came on this actor.
        func next(
            in container: ModelContainer, after change: @Sendable () async throws -> Void
        ) async throws -> (names: [String], isIsolated: Bool) {
            let observer = try ResultsObserver<Stop, Never>(sortBy: [SortDescriptor(\.name)], modelContainer: container)
            let differences = observer.makeDifferences()
            let isIsolated = Box()
            withObservationTracking {
                _ = observer.results
            } onChange: { [weak self] in
                self?.preconditionIsolated()
                isIsolated.value.withLock { $0 = true }
            }
            try await change()
            for await _ in differences { break }
            return (observer.results.map(\.name), isIsolated.value.withLock { $0 })
        }
    }

    private final class Box: Sendable {
        let value = Mutex(false)
    }

    @Test("changes on the actor that made it")
    func changesOnItsActor() async throws {
        let container = container
        let (names, isIsolated) = try await Watcher().next(in: container) {
            let context = ModelContext(container)
            context.insert(Stop("Oslo", line: 1))
            try context.save()
        }
        #expect(names == ["Oslo"] && isIsolated)
    }

    @Test("follows a new descriptor, and keeps its results where it cannot")
    func followsANewDescriptor() throws {
        let context = ModelContext(container)
        for number in 0..<5 { context.insert(Stop("T\(number)", line: number)) }
        try context.save()
        let observer = try ResultsObserver<Stop, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
        observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
        #expect(observer.results.map(\.name) == ["T4", "T3", "T2", "T1", "T0"])
        observer.fetchDescriptor.fetchLimit = 2
        #expect(observer.results.map(\.name) == ["T4", "T3"] && observer.fetchError == nil)
        observer.fetchDescriptor.fetchLimit = -1
        #expect(observer.results.map(\.name) == ["T4", "T3"] && observer.fetchError != nil)
    }

    @Test("leads with one difference to what is set in place, and goes on from there", arguments: [1, 2] as [UInt64])
    func followsWhatIsSetInPlace(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let context = ModelContext(container)
        for number in 0..<40 { context.insert(Stop("T\(number * 7 % 40)", line: number % 6)) }
        try context.save()
        let observer = try ResultsObserver(sortBy: Self.order, sectionBy: \Stop.line, modelContext: context)
        var differences = observer.makeDifferences().makeAsyncIterator()
        var shown = Shown(observer)
        for step in 0..<30 {
            let (line, isReversed) = (Int.random(in: 0..<6, using: &random), Bool.random(using: &random))
            switch step % 3 {
            case 0: observer.filterBy = #Predicate { $0.line != line }
            case 1:
                observer.sortBy = [
                    SortDescriptor(\.line), SortDescriptor(\.name, order: isReversed ? .reverse : .forward),
                ]
            default:
                observer.fetchDescriptor.fetchLimit = isReversed ? 10 + line : nil
                context.insert(Stop("S\(step)", line: line))
                try context.save()
            }
            observer.refresh()
            #expect(observer.fetchError == nil)
            guard Shown(observer) != shown else { continue }
            let difference = try #require(await differences.next())
            #expect(!difference.isReset)
            shown.apply(difference)
            #expect(shown == Shown(observer))
        }
        #expect(observer.sectionBy == \Stop.line)
        observer.sectionBy = nil
        #expect(observer.sections == nil && observer.fetchError == nil && !observer.results.isEmpty)
        let withoutSections = observer.results.identifiers
        observer.sectionBy = \Stop.name
        #expect(observer.sections == nil && observer.fetchError as? SwiftDataError == .unsupportedKeyPath)
        #expect(observer.results.identifiers == withoutSections)
        observer.sectionBy = \Stop.line
        #expect(observer.fetchError == nil && observer.sections?.sectionTitles == Shown(observer).titles)
        #expect(observer.sections?.reduce(0) { $0 + $1.count } == withoutSections.count)
    }

    @Test("titles sections by strings, those without one by none")
    func findsSectionsByTitle() throws {
        let context = ModelContext(container)
        for name in ["b", "a", "b"] { context.insert(Stop(name, line: 1)) }
        try context.save()
        let observer = try ResultsObserver(sectionBy: \Stop.name, modelContext: context)
        #expect(observer.sections?.sectionTitles == ["a", "b"])
        #expect(observer.sections?[sectionTitle: "b"]?.count == 2 && observer.sections?[sectionTitle: "c"] == nil)
        #expect(
            observer.sections?.index(ofSectionTitled: "b") == 1
                && observer.sections?.contains(sectionTitle: "a") == true)
    }

    @Test("ends its differences when it goes")
    func endsItsDifferences() async throws {
        var observer: ResultsObserver<Stop, Never>? = try ResultsObserver(modelContainer: container)
        let stream = try #require(observer?.makeDifferences())
        observer = nil
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == nil)
    }
}
