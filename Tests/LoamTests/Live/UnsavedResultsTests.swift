import Foundation
import SeededRandom
import Testing

@testable import Loam

@Model private final class Chore {
    #Index<Chore>([\.room, \.effort], [\.effort])
    var id: Int
    var name: String
    var description: String
    var room: String
    var effort: Int
    var helper: Helper?
    @Relationship(inverse: \Label.chores) var labels: [Label] = []

    init(id: Int, name: String, room: String, effort: Int, helper: Helper? = nil) {
        (self.id, self.name, description) = (id, name, "")
        (self.room, self.effort, self.helper) = (room, effort, helper)
    }
}

@Model private final class Helper {
    var id: Int
    var name: String
    @Relationship(inverse: \Chore.helper) var chores: [Chore] = []

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

@Model private final class Label {
    var name: String
    var chores: [Chore] = []

    init(_ name: String) { self.name = name }
}

/// A controller, the list that its delegate keeps, and what a fetch says.
private final class CheckedList<SectionTitle: Hashable & SendableMetatype> {
    typealias List = ReplayedList<Chore, SectionTitle>

    let controller: FetchedResultsController<Chore, SectionTitle>
    let list: List
    private let sorted: FetchDescriptor<Chore>

    /// - Parameter sorted: fetches the same in the order of the sections.
    init(_ controller: FetchedResultsController<Chore, SectionTitle>, sorted: FetchDescriptor<Chore>) throws {
        (self.controller, self.sorted) = (controller, sorted)
        try controller.performFetch()
        list = List(controller, text: Self.text)
        controller.delegate = list
    }

    static func text(_ chore: Chore) -> String {
        "\(chore.id) \(chore.name) \(chore.description) \(chore.room) \(chore.effort)"
    }

    func check(_ comment: Comment) throws {
        let fetched = try controller.modelContext.fetch(sorted)
        let shown = List.sections(of: controller, text: Self.text)
        try #require(controller.fetchedObjects?.identifiers == fetched.map(\.persistentModelID), comment)
        try #require(shown.flatMap { $0.rows.map(\.text) } == fetched.map(Self.text), comment)
        try #require(list.sections == shown, comment)
        try #require(list.faults.isEmpty, "\(comment): \(list.faults)")
        try #require(controller.fetchError == nil, comment)
        let places = fetched.compactMap { controller.indexPath(forObject: $0) }
        try #require(places.count == fetched.count && places == places.sorted(), comment)
        let titles = shown.compactMap(\.title)
        try #require(
            Set(titles).count == titles.count && shown.allSatisfy { !$0.rows.isEmpty || $0.title == nil }, comment)
    }
}

@Suite("Unsaved changes in live results")
@MainActor
struct UnsavedResultsTests {
    private static let rooms = ["attic", "bath", "cellar", "hall", "kitchen"]

    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: Chore.self, Helper.self, Label.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        context.autosaveEnabled = false
    }

    private func fill(_ count: Int, _ random: inout SeededGenerator) throws {
        for id in 0..<6 { context.insert(Helper(id: id, name: "h\(id)")) }
        for name in ["l0", "l1", "l2"] { context.insert(Label(name)) }
        for id in 0..<count { context.insert(chore(id, &random)) }
        try context.save()
    }

    private func chore(_ id: Int, _ random: inout SeededGenerator) -> Chore {
        Chore(
            id: id, name: "n\(id)", room: Self.rooms.randomElement(using: &random) ?? "",
            effort: Int.random(in: 0..<12, using: &random))
    }

    private func change(_ context: ModelContext, step: Int, _ random: inout SeededGenerator) throws {
        let chores = try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)]))
        let helpers = try context.fetch(FetchDescriptor<Helper>(sortBy: [SortDescriptor(\.id)]))
        let labels = try context.fetch(FetchDescriptor<Label>(sortBy: [SortDescriptor(\.name)]))
        for number in 0..<Int.random(in: 1...5, using: &random) {
            let helper = helpers.randomElement(using: &random)
            guard let chore = chores.randomElement(using: &random), !chore.isDeleted, random.percent(75) else {
                context.insert(self.chore(step * 10 + number, &random))
                continue
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: context.delete(chore)
            case 1: chore.room = Self.rooms.randomElement(using: &random) ?? ""
            case 2...3: chore.effort = Int.random(in: 0..<12, using: &random)
            case 4: chore.description = "step \(step)"
            case 5: chore.helper = random.percent(20) ? nil : helper
            case 8...9:
                guard let label = labels.randomElement(using: &random) else { continue }
                if let index = chore.labels.firstIndex(of: label) {
                    chore.labels.remove(at: index)
                } else {
                    chore.labels.append(label)
                }
            case 6: helper?.name = "h\(Int.random(in: 0..<9, using: &random))"
            default:
                // What others delete, this context could not save a reference to.
                guard random.percent(30), context === self.context, helpers.count > 3 else { continue }
                if let helper, !helper.isDeleted { context.delete(helper) }
            }
        }
    }

    @Test("are what a fetch gives, and each change leads there", arguments: 0..<10 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try fill(seed % 4 == 0 ? 1 : 60, &random)
        let other = ModelContext(container)
        other.autosaveEnabled = false
        let byEffort = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.effort), SortDescriptor(\.id)])
        let byRoom = FetchDescriptor<Chore>(
            sortBy: [SortDescriptor(\.room), SortDescriptor(\.effort), SortDescriptor(\.id)])
        let onlyEffort = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.effort, order: .reverse)])
        let some = FetchDescriptor<Chore>(
            predicate: #Predicate { $0.effort > 4 && $0.helper != nil }, sortBy: [SortDescriptor(\.name)])
        let labelled = FetchDescriptor<Chore>(
            predicate: #Predicate { $0.labels.contains { $0.name == "l1" } }, sortBy: [SortDescriptor(\.id)])
        let byHelper = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.helper?.name), SortDescriptor(\.id)])
        var window = byEffort
        window.fetchLimit = Int.random(in: 1..<30, using: &random)
        window.fetchOffset = Int.random(in: 0..<8, using: &random)
        let plain = try [byEffort, byRoom, onlyEffort, some, labelled, byHelper, window].map {
            try CheckedList<Never>(
                FetchedResultsController(fetchDescriptor: $0, modelContext: context), sorted: $0)
        }
        var inRooms = byRoom
        inRooms.sortBy.removeFirst()
        var alike = byRoom
        alike.sortBy.removeLast()
        var sectioned = try [(byRoom, byRoom), (inRooms, byRoom), (alike, alike)].map {
            try CheckedList<String>(
                FetchedResultsController(fetchDescriptor: $0.0, modelContext: context, sectionBy: \.room), sorted: $0.1)
        }
        let byHelpers = try [byHelper, FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)])].map {
            try CheckedList<String>(
                FetchedResultsController(fetchDescriptor: $0, modelContext: context, sectionBy: \.helper?.name),
                sorted: byHelper)
        }
        sectioned += byHelpers
        var shownUnsaved = 0
        for step in 0..<40 {
            try change(context, step: step + 1, &random)
            if random.percent(25) {
                try change(other, step: step + 100, &random)
                try other.save()
            }
            if random.percent(10) { context.rollback() }
            if random.percent(25) { try context.save() }
            for list in plain { list.controller.refresh() }
            for list in sectioned { list.controller.refresh() }
            let comment: Comment = "seed \(seed), step \(step)"
            for list in plain { try list.check(comment) }
            for list in sectioned { try list.check(comment) }
            shownUnsaved += context.hasChanges ? 1 : 0
        }
        #expect(shownUnsaved > 10)
        #expect(plain[0].list.changes > 10)
    }

    @Test("come without a save, in one difference, and go with a rollback")
    func arrive() async throws {
        var random = SeededGenerator(seed: 1)
        try fill(3, &random)
        let observer = try ResultsObserver<Chore, Never>(sortBy: [SortDescriptor(\.id)], modelContext: context)
        var differences = observer.makeDifferences().makeAsyncIterator()
        context.insert(chore(7, &random))
        context.insert(chore(8, &random))
        observer.results[0].id = 9
        #expect(observer.results.map(\.id) == [9, 1, 2])
        var difference = try #require(await differences.next())
        #expect(difference.insertions.map(\.position) == [[0, 2], [0, 3]])
        #expect(difference.moves.map(\.to) == [[0, 4]])
        #expect(observer.results.map(\.id) == [1, 2, 7, 8, 9])
        context.rollback()
        difference = try #require(await differences.next())
        #expect(difference.deletions == [[0, 2], [0, 3]] && difference.moves.map(\.to) == [[0, 0]])
        #expect(observer.results.map(\.id) == [0, 1, 2])
    }

    @Test("stay where they are when they are saved")
    func saved() async throws {
        var random = SeededGenerator(seed: 1)
        try fill(3, &random)
        let observer = try ResultsObserver<Chore, Never>(sortBy: [SortDescriptor(\.id)], modelContext: context)
        var differences = observer.makeDifferences().makeAsyncIterator()
        context.insert(chore(7, &random))
        var difference = try #require(await differences.next())
        #expect(difference.insertions.count == 1)
        try context.save()
        difference = try #require(await differences.next())
        #expect(
            difference.updates.map(\.position) == [[0, 3]] && difference.insertions.isEmpty
                && difference.deletions.isEmpty)
        #expect(observer.results.map(\.id) == [0, 1, 2, 7])
    }

    @Test("are seen by results that are opened beside them, and by their own context alone")
    func opened() throws {
        var random = SeededGenerator(seed: 1)
        try fill(2, &random)
        context.insert(chore(7, &random))
        let other = ModelContext(container)
        let ids = try [context, other].map { context in
            try ResultsObserver<Chore, Never>(sortBy: [SortDescriptor(\.id)], modelContext: context).results.map(\.id)
        }
        #expect(ids == [[0, 1, 7], [0, 1]])
    }

    @Test("are left out where the descriptor says so, from one moment to the next")
    func leftOut() throws {
        var random = SeededGenerator(seed: 1)
        try fill(2, &random)
        context.insert(chore(7, &random))
        var descriptor = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)])
        descriptor.includePendingChanges = false
        let observer = try ResultsObserver<Chore, Never>(fetchDescriptor: descriptor, modelContext: context)
        #expect(observer.results.map(\.id) == [0, 1])
        observer.fetchDescriptor.includePendingChanges = true
        #expect(observer.results.map(\.id) == [0, 1, 7])
        observer.fetchDescriptor.includePendingChanges = false
        #expect(observer.results.map(\.id) == [0, 1])
    }

    @Test("stay where they are when a delegate saves them in the midst of a change")
    func savedByDelegate() throws {
        let race = try Race()
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.id)]), modelContext: race.context)
        let recorder = Recorder<Never>()
        try controller.performFetch()
        controller.delegate = recorder
        race.context.insert(Runner(id: 1, name: "own"))
        controller.refresh()
        #expect(recorder.take().contains { $0.hasPrefix("insert") })
        recorder.onCall = { _, line in
            if line == "did", race.context.hasChanges { #expect(throws: Never.self) { try race.context.save() } }
        }
        let other = ModelContext(race.container)
        other.insert(Runner(id: 2, name: "other"))
        try other.save()
        controller.refresh()
        controller.refresh()
        #expect(!race.context.hasChanges)
        #expect(controller.fetchedObjects?.map(\.id) == [1, 2])
        #expect(!recorder.heard.contains { $0.hasPrefix("delete") }, "\(recorder.heard)")
    }

    @Test("stand where others have moved their models before the result was opened")
    func movedBefore() throws {
        var random = SeededGenerator(seed: 1)
        try fill(3, &random)
        let descriptor = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)])
        let first = try #require(try context.fetch(descriptor).first)
        first.name = "edited"
        let other = ModelContext(container)
        try #require(try other.fetch(descriptor).first).id = 9
        try other.save()
        let observer = try ResultsObserver<Chore, Never>(fetchDescriptor: descriptor, modelContext: context)
        #expect(observer.results.map(\.id) == [1, 2, 9])
        #expect(observer.results.map(\.name) == ["n1", "n2", "edited"])
    }

    @Test("are shown beside those of others that arrive later, behind a limit")
    func window() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            if seed == 0 { try fill(5, &random) }
            var descriptor = FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id, order: .reverse)])
            descriptor.fetchLimit = 3
            let list = try CheckedList<Never>(
                FetchedResultsController(fetchDescriptor: descriptor, modelContext: context), sorted: descriptor)
            context.insert(chore(100, &random))
            list.controller.refresh()
            let other = ModelContext(container)
            other.insert(chore(50 + Int(seed), &random))
            try other.save()
            context.insert(Helper(id: 7, name: "another"))
            // The save may have arrived, or not.
            list.controller.observer?.takeDeliveries()
            list.controller.refresh()
            try list.check("seed \(seed)")
            context.rollback()
        }
    }
}
