import Foundation
import Loam
import Testing

@Suite("A fetched results controller")
@MainActor
struct FetchedResultsControllerTests {
    @Test("has nothing before it fetches, and tells nothing of the fetch")
    func hasNothingBefore() throws {
        let race = try Race([("ann", "red")])
        let controller = FetchedResultsController<Runner, Never>(modelContext: race.context)
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        controller.refresh()
        #expect(controller.fetchedObjects == nil && controller.sections == nil && controller.snapshot == nil)
        #expect(controller.object(at: [0, 0]) == nil && controller.fetchError == nil)
        #expect(controller.sectionIndexTitles.isEmpty && controller.section(forSectionIndexTitle: "R", at: 0) == nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["ann"] && recorder.heard.isEmpty)
    }

    @Test("gives sections, objects and places, and nil for index paths that lead nowhere")
    func findsPlaces() throws {
        let race = try Race([("ann", "red"), ("bob", "blue"), ("cat", "red"), ("dan", nil)])
        let controller = try race.byTeam()
        let sections = try #require(controller.sections)
        #expect(sections.map(\.name) == ["", "blue", "red"] && sections.map(\.title) == ["", "blue", "red"])
        #expect(sections.map(\.numberOfObjects) == [1, 1, 2] && sections[2].objects.map(\.name) == ["ann", "cat"])
        #expect(controller.fetchedObjects?.map(\.name) == ["dan", "bob", "ann", "cat"])
        let cat = try #require(controller.object(at: [2, 1]))
        #expect(cat.name == "cat" && cat === sections[2].objects[1])
        #expect(controller.indexPath(forObject: cat) == [2, 1])
        #expect(sections[2].objects.index(of: cat.persistentModelID) == 1)
        #expect(sections[1].objects.index(of: cat.persistentModelID) == nil)
        #expect(sections[2].objects.identifiers == sections[2].objects.map(\.persistentModelID))
        let nowhere: [IndexPath] = [[], [3], [3, 0], [2, 2], [-1, 0], [0, -1], [0, 0, 0]]
        for path in nowhere { #expect(controller.object(at: path) == nil, "\(path)") }
        #expect(controller.indexPath(forObject: Runner(id: 9, name: "eve")) == nil)
    }

    @Test("is one section without a section property, also when it is empty")
    func isOneSection() throws {
        let race = try Race()
        let controller = try race.byID()
        #expect(controller.sections?.map(\.numberOfObjects) == [0])
        try race.save { context, _ in context.insert(Runner(id: 1, name: "ann")) }
        controller.refresh()
        let section = try #require(controller.sections?.first)
        #expect(controller.sections?.count == 1 && section.numberOfObjects == 1 && section.name.isEmpty)
        #expect(section.title == nil && section.indexTitle == nil && controller.sectionIndexTitles.isEmpty)
        #expect(controller.object(at: [0])?.name == "ann" && controller.object(at: [0, 0])?.name == "ann")
    }

    private final class Titles: FetchedResultsControllerDelegate {
        func controller(
            _ controller: FetchedResultsController<Runner, String>, sectionIndexTitleForSectionName sectionName: String
        ) -> String? {
            sectionName == "blue" ? nil : String(sectionName.suffix(1))
        }
    }

    @Test("titles sections by their first letter, or as the delegate says")
    func titlesSections() throws {
        let race = try Race([("a", "ash"), ("b", "blue"), ("c", "birch"), ("d", "crimson"), ("e", "")])
        let controller = try race.byTeam()
        #expect(controller.sections?.map(\.name) == ["", "ash", "birch", "blue", "crimson"])
        #expect(controller.sectionIndexTitles == ["A", "B", "C"])
        #expect(controller.sections?.map(\.indexTitle) == [nil, "A", "B", "B", "C"])
        #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
        #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 4)
        #expect(controller.section(forSectionIndexTitle: "B", at: 2) == nil)
        #expect(controller.section(forSectionIndexTitle: "B", at: 9) == nil)
        let titles = Titles()
        controller.delegate = titles
        #expect(controller.sectionIndexTitle(forSectionName: "crimson") == "n")
        #expect(controller.sectionIndexTitles == ["", "h", "n"])
        #expect(controller.section(forSectionIndexTitle: "n", at: 2) == 4)
    }

    @Test("tells sections, then objects, between will and did, old places for what goes, new ones for what comes")
    func tellsInOrder() throws {
        let race = try Race([
            ("ann", "blue"), ("bob", "green"), ("cat", "green"), ("dan", "green"), ("eve", "red"), ("fay", "red"),
        ])
        let controller = try race.byTeam()
        let recorder = Recorder<String>()
        controller.delegate = recorder
        try race.save { context, runners in
            if let ann = runners["ann"] { context.delete(ann) }
            if let bob = runners["bob"] { context.delete(bob) }
            runners["cat"]?.id = 9
            runners["dan"]?.description = "first"
            runners["eve"]?.team = "green"
            runners["fay"]?.description = "last"
            context.insert(Runner(id: 10, name: "gil", team: "yellow"))
        }
        controller.refresh()
        #expect(
            recorder.take() == [
                "will", "delete section 0 blue*1", "insert section 2 yellow*1", "delete [1, 0] bob",
                "delete [0, 0] ann", "insert [2, 0] gil", "move [2, 0] [0, 1] eve", "move [1, 1] [0, 2] cat",
                "update [1, 2] [0, 0] dan", "update [2, 1] [1, 0] fay", "did",
            ])
    }

    @Test("shows what was in the first call, and what is in all others")
    func showsTheNewState() throws {
        let race = try Race([("ann", "blue"), ("bob", "red")])
        let controller = try race.byTeam()
        let recorder = Recorder<String>()
        controller.delegate = recorder
        var shown: [[String]] = []
        recorder.onCall = { controller, _ in
            shown.append((controller.sections?.map(\.name) ?? []) + (controller.fetchedObjects?.map(\.name) ?? []))
        }
        try race.save { context, runners in
            runners["bob"]?.description = "late"
            context.insert(Runner(id: 3, name: "cat", team: "green"))
        }
        controller.refresh()
        let after = ["blue", "green", "red", "ann", "cat", "bob"]
        #expect(shown == [["blue", "red", "ann", "bob"], after, after, after, after])
    }

    @Test("tells nothing where nothing of the results changed")
    func tellsNothing() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID(limit: 1)
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        try race.save { _, runners in runners["bob"]?.description = "far behind" }
        controller.refresh()
        #expect(recorder.heard.isEmpty)
    }

    @Test("gives the object that goes, with its last values, whether or not somebody held it")
    func givesDeletedObjects() throws {
        let race = try Race([("ann", nil), ("bob", nil), ("cat", nil)])
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        let held = try #require(controller.object(at: [0, 0]))
        try race.save { context, runners in
            for name in ["ann", "bob"] { if let runner = runners[name] { context.delete(runner) } }
        }
        // The context hears of the deletion before the controller does, as the main actor's does by itself.
        race.context.processPendingChanges()
        controller.refresh()
        #expect(recorder.objects[.delete]?.contains { $0 === held && $0.name == "ann" } == true)
        _ = recorder.take()

        // The context's own deletion, of an object that nobody holds any more.
        let identifier = try #require(controller.object(at: [0, 0])?.persistentModelID)
        try {
            guard let cat = controller.object(at: [0, 0]) else { return }
            #expect(cat.name == "cat")
            race.context.delete(cat)
            try race.context.save()
        }()
        controller.refresh()
        #expect(recorder.objects[.delete]?.map(\.persistentModelID) == [identifier])
        #expect(recorder.take() == ["will", "delete [0, 0] cat", "did"])

        // Nobody but the store had the values of what goes here.
        try race.save { context, _ in context.insert(Runner(id: 7, name: "dan")) }
        controller.refresh()
        _ = recorder.take()
        try race.save { context, runners in if let dan = runners["dan"] { context.delete(dan) } }
        controller.refresh()
        #expect(recorder.take() == ["will", "delete [0, 0] dan", "did"])
    }

    @Test("lets go of the objects that it has told of, and of those that it never shows")
    func letsGoOfDeletedObjects() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID(limit: 1)
        weak var shown: Runner?
        weak var other: Runner?
        do {
            let recorder = Recorder<Never>()
            controller.delegate = recorder
            let runners = try race.context.fetch(FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]))
            (shown, other) = (runners.first, runners.last)
            for runner in runners { race.context.delete(runner) }
            try race.context.save()
            controller.refresh()
            #expect(recorder.take() == ["will", "delete [0, 0] ann", "did"])
        }
        #expect(shown == nil && other == nil)
    }

    private struct WeakRunner {
        weak var runner: Runner?
    }

    @Test("holds few deleted objects that it never shows, before its results change")
    func holdsFewDeletedObjects() throws {
        let race = try Race((0..<600).map { ("n\($0)", nil) })
        let controller = try race.byID(limit: 1)
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        var deleted: [WeakRunner] = []
        do {
            let runners = try race.context.fetch(FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]))
            for runner in runners.dropFirst() {
                deleted.append(WeakRunner(runner: runner))
                race.context.delete(runner)
            }
            try race.context.save()
        }
        #expect(deleted.count == 599 && deleted.count { $0.runner != nil } <= 256)
        controller.refresh()
        #expect(recorder.heard.isEmpty && controller.fetchedObjects?.count == 1)
    }

    @Test("follows a new descriptor from the next fetch on, and its results where that fails")
    func fetchesAnew() throws {
        let race = try Race([("ann", nil), ("bob", nil)])
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        controller.fetchDescriptor.sortBy = [SortDescriptor(\.id, order: .reverse)]
        #expect(controller.fetchedObjects?.map(\.name) == ["ann", "bob"])
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["bob", "ann"] && recorder.heard.isEmpty)
        controller.fetchDescriptor.fetchLimit = -1
        #expect(throws: SwiftDataError.self) { try controller.performFetch() }
        try race.save { context, _ in context.insert(Runner(id: 3, name: "cat")) }
        controller.refresh()
        #expect(controller.fetchedObjects?.map(\.name) == ["cat", "bob", "ann"])
        #expect(recorder.take() == ["will", "insert [0, 0] cat", "did"])
    }

    @Test("shares a delegate with another controller")
    func sharesADelegate() throws {
        let race = try Race([("ann", "red"), ("bob", "red")])
        let (all, first) = (try race.byID(), try race.byID(limit: 1))
        let recorder = Recorder<Never>()
        (all.delegate, first.delegate) = (recorder, recorder)
        var counts: [String: Int] = [:]
        recorder.onCall = { controller, line in
            counts["\(controller === all ? "all" : controller === first ? "first" : "other") \(line)", default: 0] += 1
        }
        try race.save { context, _ in context.insert(Runner(id: 0, name: "cat")) }
        for controller in [all, first] { controller.refresh() }
        #expect(
            counts == [
                "all will": 1, "all insert [0, 0] cat": 1, "all did": 1,
                "first will": 1, "first delete [0, 0] ann": 1, "first insert [0, 0] cat": 1, "first did": 1,
            ])
    }

    @Test("does not keep its delegate, and ends a change with the one that it began with")
    func doesNotKeepItsDelegate() throws {
        let race = try Race([("ann", nil)])
        let controller = try race.byID()
        do {
            let recorder = Recorder<Never>()
            controller.delegate = recorder
        }
        #expect(controller.delegate == nil)
        try race.save { context, _ in context.insert(Runner(id: 2, name: "bob")) }
        controller.refresh()
        #expect(controller.fetchedObjects?.count == 2)

        let (first, second) = (Recorder<Never>(), Recorder<Never>())
        controller.delegate = first
        first.onCall = { controller, line in if line == "will" { controller.delegate = second } }
        try race.save { context, _ in context.insert(Runner(id: 3, name: "cat")) }
        controller.refresh()
        #expect(first.take() == ["will", "insert [0, 2] cat", "did"] && second.heard.isEmpty)
        try race.save { context, _ in context.insert(Runner(id: 4, name: "dan")) }
        controller.refresh()
        #expect(first.heard.isEmpty && second.take() == ["will", "insert [0, 3] dan", "did"])
    }
}
