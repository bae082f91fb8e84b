import Foundation
import Loam
import Testing

/// What users of Core Data's controller report of it.
@Suite("Defects that are known of fetched results controllers")
@MainActor
struct FetchedResultsDefectTests {
    @Test("A limit of the fetch is not kept after later inserts: here it holds")
    func limitIsKept() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID(limit: 2)
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        try race.save { context, _ in context.insert(Runner(id: 0, name: "cat")) }
        controller.refresh()
        #expect(controller.fetchedObjects?.map(\.name) == ["cat", "ann"])
        #expect(recorder.take() == ["will", "delete [0, 1] bob", "insert [0, 0] cat", "did"])
        try race.save { context, runners in if let cat = runners["cat"] { context.delete(cat) } }
        controller.refresh()
        #expect(controller.fetchedObjects?.map(\.name) == ["ann", "bob"])
    }

    @Test("A row that moves into a new section at the same index path is an update: here it is none")
    func moveToTheSameIndexPath() throws {
        let race = try Race([("ann", "red"), ("bob", "yellow")])
        let controller = try race.byTeam()
        let recorder = Recorder<String>()
        controller.delegate = recorder
        try race.save { _, runners in runners["ann"]?.team = "blue" }
        controller.refresh()
        #expect(
            recorder.take() == [
                "will", "delete section 0 red*1", "insert section 0 blue*1", "delete [0, 0] ann", "insert [0, 0] ann",
                "did",
            ])
    }

    @Test("Moves from sections that go and to sections that come have to be translated: here they are")
    func movesOfSections() throws {
        let race = try Race([("ann", "red"), ("bob", "yellow"), ("cat", "yellow")])
        let controller = try race.byTeam()
        let recorder = Recorder<String>()
        controller.delegate = recorder
        try race.save { _, runners in
            runners["ann"]?.team = "yellow"
            runners["cat"]?.team = "green"
        }
        controller.refresh()
        #expect(
            recorder.take() == [
                "will", "delete section 0 red*1", "insert section 0 green*1", "delete [1, 1] cat", "delete [0, 0] ann",
                "insert [0, 0] cat", "insert [1, 0] ann", "did",
            ])
        // Between sections that stay it is a move.
        try race.save { _, runners in runners["bob"]?.team = "green" }
        controller.refresh()
        #expect(recorder.take() == ["will", "move [1, 1] [0, 0] bob", "did"])
    }

    @Test("A change of an object that the predicate leads to is not noticed: here it is")
    func relatedObjectInThePredicate() throws {
        let race = try Race()
        let squad = Squad(id: 1, name: "old")
        race.context.insert(squad)
        race.context.insert(Runner(id: 1, name: "ann", squad: squad))
        try race.context.save()
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: FetchDescriptor(predicate: #Predicate { $0.squad?.name == "new" }),
            modelContext: race.context)
        try controller.performFetch()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        #expect(controller.fetchedObjects?.isEmpty == true)
        try race.save { context, _ in
            for squad in try context.fetch(FetchDescriptor<Squad>()) { squad.name = "new" }
        }
        controller.refresh()
        #expect(recorder.take() == ["will", "insert [0, 0] ann", "did"])
    }

    @Test("A change of an object that the order leads to is not noticed: here it is")
    func relatedObjectInTheOrder() throws {
        let race = try Race()
        for (id, name) in [(1, "a"), (2, "b")] {
            let squad = Squad(id: id, name: name)
            race.context.insert(squad)
            race.context.insert(Runner(id: id, name: "runner \(id)", squad: squad))
        }
        try race.context.save()
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\Runner.squad?.name)]), modelContext: race.context)
        try controller.performFetch()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        try race.save { context, _ in
            for squad in try context.fetch(FetchDescriptor<Squad>()) where squad.id == 1 { squad.name = "c" }
        }
        controller.refresh()
        #expect(controller.fetchedObjects?.map(\.id) == [2, 1])
        #expect(recorder.heard.count == 3 && recorder.take()[1].hasPrefix("move"))
    }

    @Test("What another context saves does not enter the results where its object was not read: here it does")
    func savedInTheBackground() async throws {
        let race = try Race([("ann", "red"), ("bob", "blue")])
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: FetchDescriptor(predicate: #Predicate { $0.team == "red" }), modelContext: race.context)
        try controller.performFetch()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        let container = race.container
        try await Task.detached {
            let background = ModelContext(container)
            for runner in try background.fetch(FetchDescriptor<Runner>()) { runner.team = "red" }
            try background.save()
        }.value
        controller.refresh()
        #expect(recorder.take() == ["will", "insert [0, 1] bob", "did"])
        #expect(controller.fetchedObjects?.map(\.team) == ["red", "red"])
    }

    @Test("A fetch, a save or a refresh in the midst of a change corrupts it: here it comes after it")
    func nestedFetch() throws {
        let race = try Race([("ann", "red"), ("bob", "red")])
        let controller = try race.byTeam()
        let recorder = Recorder<String>()
        controller.delegate = recorder
        var saves = 0
        recorder.onCall = { controller, line in
            let shown = controller.fetchedObjects?.map(\.name)
            #expect(throws: Never.self) {
                _ = try race.context.fetch(FetchDescriptor<Runner>())
                if saves < 3, line == "will" || line.hasPrefix("insert [") {
                    saves += 1
                    try race.save { context, _ in
                        context.insert(Runner(id: -saves, name: "n\(saves)", team: "blue"))
                    }
                }
            }
            controller.refresh()
            #expect(controller.fetchedObjects?.map(\.name) == shown)
        }
        try race.save { context, runners in
            if let ann = runners["ann"] { context.delete(ann) }
            context.insert(Runner(id: 3, name: "cat", team: "red"))
        }
        controller.refresh()
        let heard = recorder.take()
        #expect(heard.prefix(4) == ["will", "delete [0, 0] ann", "insert [0, 1] cat", "did"])
        #expect(heard.count { $0 == "will" } == heard.count { $0 == "did" })
        // The next begins when the one before has ended.
        let ends = heard.filter { $0 == "will" || $0 == "did" }
        #expect(ends.indices.allSatisfy { ends[$0] == ($0 % 2 == 0 ? "will" : "did") })
        #expect(controller.fetchedObjects?.map(\.name) == ["n3", "n2", "n1", "bob", "cat"])
        #expect(Set(heard.filter { $0.hasSuffix("n1") || $0.hasSuffix("n2") || $0.hasSuffix("n3") }).count == 3)
    }

    @Test("A new fetch in the midst of a change is told as a change of its own after it")
    func nestedPerformFetch() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        recorder.onCall = { controller, line in
            guard line.hasPrefix("insert") else { return }
            controller.fetchDescriptor.sortBy = [SortDescriptor(\.id, order: .reverse)]
            #expect(throws: Never.self) { try controller.performFetch() }
            #expect(controller.fetchedObjects?.map(\.name) == ["ann", "bob", "cat"])
        }
        try race.save { context, _ in context.insert(Runner(id: 3, name: "cat")) }
        controller.refresh()
        #expect(controller.fetchedObjects?.map(\.name) == ["cat", "bob", "ann"])
        let heard = recorder.take()
        #expect(heard.prefix(4) == ["will", "insert [0, 2] cat", "did", "will"] && heard.last == "did")
        // The order is another one, and no object is told twice.
        let names = heard.dropFirst(4).dropLast().compactMap { $0.split(separator: " ").last }
        #expect(!names.isEmpty && Set(names).count == names.count)
    }

    @Test("A change that is asked for while a new fetch is told comes after it")
    func nestedRefreshInANestedFetch() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        var calls = 0
        recorder.onCall = { controller, line in
            calls += 1
            #expect(throws: Never.self) {
                // In the first change two fetches, and in each of theirs a save that is asked for at once.
                if calls == 1 || calls == 4 {
                    controller.fetchDescriptor.sortBy = [SortDescriptor(\.id, order: calls == 1 ? .reverse : .forward)]
                    try controller.performFetch()
                }
                if line == "will", calls > 1, calls < 20 {
                    let id = 10 + calls
                    try race.save { context, _ in context.insert(Runner(id: id, name: "n\(id)")) }
                }
            }
            controller.refresh()
        }
        try race.save { context, _ in context.insert(Runner(id: 3, name: "cat")) }
        controller.refresh()
        let ends = recorder.take().filter { $0 == "will" || $0 == "did" }
        #expect(ends.count >= 4 && ends.count % 2 == 0)
        #expect(ends.indices.allSatisfy { ends[$0] == ($0 % 2 == 0 ? "will" : "did") }, "\(ends)")
        recorder.onCall = { _, _ in }
        controller.refresh()
        let order = controller.fetchDescriptor.sortBy
        let fresh = try race.context.fetch(FetchDescriptor<Runner>(sortBy: order)).map(\.name)
        #expect(controller.fetchedObjects?.map(\.name) == fresh)
    }

    @Test("Sections are split where the order is another one: here they never are")
    func sectionsInAnotherOrder() throws {
        let race = try Race([("ann", "red"), ("bob", "blue"), ("cat", "red"), ("dan", "blue")])
        let controller = try race.byTeam()
        #expect(controller.sections?.map(\.name) == ["blue", "red"])
        #expect(controller.sections?.map { $0.objects.map(\.name) } == [["bob", "dan"], ["ann", "cat"]])
    }

    @Test("A fetch without sort descriptors is refused: here it is none that fails")
    func withoutAnOrder() throws {
        let race = try Race([("ann", "red"), ("bob", "blue")])
        let controller = FetchedResultsController<Runner, String>(modelContext: race.context, sectionBy: \.team)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["bob", "ann"])
    }

    @Test("Rows that only make room are told as moves: here they are not told")
    func impliedMoves() throws {
        let race = try Race([("ann", nil), ("bob", nil), ("cat", nil)])
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        try race.save { context, runners in
            context.insert(Runner(id: 0, name: "dan"))
            runners["cat"]?.id = -1
        }
        controller.refresh()
        #expect(recorder.take() == ["will", "insert [0, 1] dan", "move [0, 2] [0, 0] cat", "did"])
    }
}
