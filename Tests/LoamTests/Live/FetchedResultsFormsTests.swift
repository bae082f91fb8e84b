import Foundation
import Loam
import Testing

/// Takes changes as differences.
private class Differences: FetchedResultsControllerDelegate {
    typealias Controller = FetchedResultsController<Runner, String>

    var heard: [String] = []
    var difference: ResultsDifference<String>?

    func controllerWillChangeContent(_ controller: Controller) { heard.append("will") }
    func controllerDidChangeContent(_ controller: Controller) { heard.append("did") }

    func controller(
        _ controller: Controller, didChange object: Runner, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        heard.append("object")
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: FetchedResultsSectionInfo<Runner, String>,
        atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
    ) {
        heard.append("section")
    }

    func controller(_ controller: Controller, didChangeContentWith difference: ResultsDifference<String>) {
        heard.append("difference")
        self.difference = difference
    }
}

/// Takes changes as states, though it could take them in each form.
private final class Snapshots: FetchedResultsControllerDelegate {
    typealias Controller = FetchedResultsController<Runner, String>

    var heard: [String] = []
    var snapshot: ResultsSnapshot<String>?

    func controller(
        _ controller: Controller, didChange object: Runner, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        heard.append("object")
    }

    func controller(_ controller: Controller, didChangeContentWith difference: ResultsDifference<String>) {
        heard.append("difference")
    }

    func controller(_ controller: Controller, didChangeContentWith snapshot: ResultsSnapshot<String>) {
        heard.append("snapshot")
        self.snapshot = snapshot
    }
}

/// Takes nothing but the ends of changes, on the main actor.
@MainActor private final class MainList: @MainActor FetchedResultsControllerDelegate {
    let (changes, continuation) = AsyncStream.makeStream(of: [String].self)

    func controllerDidChangeContent(_ controller: FetchedResultsController<Runner, Never>) {
        continuation.yield(controller.fetchedObjects?.map(\.name) ?? [])
    }
}

/// Keeps a controller on its own isolation.
private actor Scoreboard {
    private var controller: FetchedResultsController<Runner, Never>?
    private let recorder = Recorder<Never>()

    func open(_ container: ModelContainer, changes: AsyncStream<[String]>.Continuation) throws {
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.id)]), modelContext: ModelContext(container))
        recorder.onCall = { [recorder, weak self] _, line in
            self?.preconditionIsolated()
            if line == "did" { changes.yield(recorder.take()) }
        }
        controller.delegate = recorder
        try controller.performFetch()
        self.controller = controller
    }
}

@Suite("The forms of a fetched results controller's changes")
@MainActor
struct FetchedResultsFormsTests {
    private func change(_ race: Race) throws {
        try race.save { context, runners in
            runners["ann"]?.team = "red"
            runners["cat"]?.description = "last"
            context.insert(Runner(id: 4, name: "dan", team: "red"))
        }
    }

    @Test("a difference, for a delegate that takes one: moves of sections are moves, unchanged places updates")
    func differences() throws {
        let race = try Race([("ann", "blue"), ("bob", "red"), ("cat", "red")])
        let controller = try race.byTeam()
        let delegate = Differences()
        controller.delegate = delegate
        try change(race)
        controller.refresh()
        let difference = try #require(delegate.difference)
        #expect(delegate.heard == ["will", "difference", "did"] && !difference.isReset)
        #expect(difference.deletedSections == [0] && difference.insertedSections.isEmpty)
        #expect(difference.deletions.isEmpty && difference.insertions.map(\.position) == [[0, 3]])
        #expect(difference.moves.map(\.from) == [[0, 0]] && difference.moves.map(\.to) == [[0, 0]])
        #expect(difference.updates.map(\.position) == [[0, 2]])
    }

    @Test("a snapshot, for a delegate that takes one, with the models that changed, for any isolation")
    func snapshots() async throws {
        let race = try Race([("ann", "blue"), ("bob", "red"), ("cat", "red")])
        let controller = try race.byTeam()
        let delegate = Snapshots()
        controller.delegate = delegate
        let ids = try #require(controller.snapshot?.itemIdentifiers)
        try change(race)
        controller.refresh()
        #expect(delegate.heard == ["snapshot"])
        let snapshot = try #require(delegate.snapshot)
        let inserted = try #require(controller.object(at: [0, 3])?.persistentModelID)
        let (titles, sections, changed) = await Task.detached {
            (
                snapshot.sectionIdentifiers,
                snapshot.sectionIdentifiers.map { snapshot.itemIdentifiers(inSection: $0) },
                snapshot.reloadedItemIdentifiers
            )
        }.value
        #expect(titles == ["red"] && sections == [[ids[0], ids[1], ids[2], inserted]])
        #expect(changed == [ids[0], ids[2]])
        #expect(snapshot.numberOfItems == 4 && snapshot.numberOfSections == 1)
        #expect(snapshot.itemIdentifiers == sections.flatMap(\.self))
        #expect(snapshot.itemIdentifiers(inSection: "blue").isEmpty && snapshot.itemIdentifiers(inSectionAt: 1).isEmpty)
        // A snapshot outside of a change says what is there, and that nothing changed.
        #expect(controller.snapshot?.itemIdentifiers == snapshot.itemIdentifiers)
        #expect(controller.snapshot?.reloadedItemIdentifiers.isEmpty == true)
        #expect(try race.byID().snapshot?.numberOfSections == 0)
    }

    @Test("an inserted model has its identifier in snapshots before it is saved")
    func identifiersStay() throws {
        let race = try Race()
        let controller = try race.byTeam()
        let runner = Runner(id: 1, name: "ann", team: "red")
        race.context.insert(runner)
        let identifier = runner.persistentModelID
        try race.context.save()
        controller.refresh()
        #expect(controller.snapshot?.itemIdentifiers == [identifier])
    }

    @Test("calls on the main actor, by themselves, for what a detached task saves")
    func onTheMainActor() async throws {
        let race = try Race([("ann", nil)])
        let controller = try race.byID()
        let list = MainList()
        controller.delegate = list
        let container = race.container
        try await Task.detached {
            let background = ModelContext(container)
            background.insert(Runner(id: 2, name: "bob"))
            try background.save()
        }.value
        var changes = list.changes.makeAsyncIterator()
        #expect(await changes.next() == ["ann", "bob"])
    }

    @Test("calls on the actor that made the controller, and on no other")
    func onAnActor() async throws {
        let race = try Race([("ann", nil)])
        let (changes, continuation) = AsyncStream.makeStream(of: [String].self)
        let board = Scoreboard()
        try await board.open(race.container, changes: continuation)
        try race.save { context, _ in context.insert(Runner(id: 2, name: "bob")) }
        var told = changes.makeAsyncIterator()
        #expect(await told.next() == ["will", "insert [0, 1] bob", "did"])
        withExtendedLifetime(board) {}
    }
}
