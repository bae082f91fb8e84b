import Foundation
import Loam
import SeededRandom
import Testing

/// A list that is kept by a delegate's calls alone, as a table is: what goes is taken out at its old place, what comes is
/// put in at its new one, when the change is over.
private final class ReplayedList: FetchedResultsControllerDelegate {
    typealias Controller = FetchedResultsController<Runner, String>

    struct Row: Equatable {
        var identifier: PersistentIdentifier
        var text: String

        init(_ runner: Runner) {
            identifier = runner.persistentModelID
            text = "\(runner.id) \(runner.name) \(runner.description)"
        }
    }

    struct Section: Equatable {
        var name: String
        var rows: [Row]
    }

    var sections: [Section]
    /// What is wrong with the calls.
    private(set) var faults: [String] = []
    private(set) var moves = 0
    private(set) var changes = 0
    private var goneSections: [Int] = []
    private var newSections: [(index: Int, name: String)] = []
    private var gone: [IndexPath] = []
    private var come: [(place: IndexPath, row: Row)] = []
    private var updates: [(from: IndexPath, to: IndexPath, row: Row)] = []

    init(_ controller: Controller) {
        sections = controller.sections?.map { Section(name: $0.name, rows: $0.objects.map(Row.init)) } ?? []
    }

    func controllerWillChangeContent(_ controller: Controller) {
        check(controller.fetchedObjects?.identifiers == sections.flatMap { $0.rows.map(\.identifier) }, "will")
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: FetchedResultsSectionInfo<Runner, String>,
        atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
    ) {
        check(gone.isEmpty && come.isEmpty && updates.isEmpty, "section behind objects")
        if type == .delete {
            check(sections[sectionIndex].name == sectionInfo.name, "deleted section")
            check(sections[sectionIndex].rows.count == sectionInfo.numberOfObjects, "size of deleted section")
            goneSections.append(sectionIndex)
        } else {
            check(type == .insert, "kind of section change")
            newSections.append((sectionIndex, sectionInfo.name))
        }
    }

    func controller(
        _ controller: Controller, didChange object: Runner, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let row = Row(object)
        if let indexPath {
            check(sections[indexPath[0]].rows[indexPath[1]].identifier == row.identifier, "\(type) of another row")
        }
        if let newIndexPath { check(controller.object(at: newIndexPath) === object, "\(type) to another row") }
        switch (type, indexPath, newIndexPath) {
        case (.delete, let from?, nil): gone.append(from)
        case (.insert, nil, let to?): come.append((to, row))
        case (.move, let from?, let to?):
            moves += 1
            gone.append(from)
            come.append((to, row))
            check(!goneSections.contains(from[0]), "move from a section that goes")
            check(!newSections.contains { $0.index == to[0] }, "move to a section that comes")
        case (.update, let from?, let to?): updates.append((from, to, row))
        default: check(false, "places of \(type)")
        }
    }

    func controllerDidChangeContent(_ controller: Controller) {
        changes += 1
        check(Set(gone + updates.map(\.from)).count == gone.count + updates.count, "a place that goes twice")
        for place in gone.sorted().reversed() { sections[place[0]].rows.remove(at: place[1]) }
        for section in goneSections.sorted().reversed() {
            check(sections[section].rows.isEmpty, "rows in a section that goes")
            sections.remove(at: section)
        }
        for section in newSections.sorted(by: { $0.index < $1.index }) {
            sections.insert(Section(name: section.name, rows: []), at: section.index)
        }
        for (place, row) in come.sorted(by: { $0.place < $1.place }) {
            sections[place[0]].rows.insert(row, at: place[1])
        }
        for update in updates {
            check(sections[update.to[0]].rows[update.to[1]].identifier == update.row.identifier, "updated row")
            sections[update.to[0]].rows[update.to[1]] = update.row
        }
        (goneSections, newSections, gone, come, updates) = ([], [], [], [], [])
    }

    private func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
}

@Suite("A list that replays a fetched results controller's calls")
@MainActor
struct FetchedResultsReplayTests {
    private static let teams = [nil, "", "blue", "green", "red", "yellow"]

    /// Changes some of the runners, sometimes many of them.
    private func change(_ context: ModelContext, step: Int, _ random: inout SeededGenerator) throws {
        let runners = try context.fetch(FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]))
        let count = random.percent(10) ? 90 : Int.random(in: 1...6, using: &random)
        for number in 0..<count {
            let team = Self.teams.randomElement(using: &random) ?? nil
            let id = Int.random(in: 0..<60, using: &random)
            switch (Int.random(in: 0..<7, using: &random), runners.randomElement(using: &random)) {
            case (0, let runner?): context.delete(runner)
            case (1...2, let runner?) where !runner.isDeleted: runner.team = team
            case (3, let runner?) where !runner.isDeleted: runner.id = id
            case (4, let runner?) where !runner.isDeleted: runner.description = "step \(step)"
            default: context.insert(Runner(id: id, name: "n\(step).\(number)", team: team))
            }
        }
        try context.save()
    }

    /// What a fetch gives, in sections.
    private func expected(
        _ container: ModelContainer, _ descriptor: FetchDescriptor<Runner>
    ) throws -> [ReplayedList.Section] {
        let context = ModelContext(container)
        let all = try context.fetch(FetchDescriptor<Runner>(sortBy: descriptor.sortBy))
        // Runners without a team are in one section with those whose team is empty.
        let isReversed = descriptor.sortBy.count > 1
        let byTeam = Dictionary(grouping: all) { $0.team ?? "" }.sorted {
            isReversed ? $0.key > $1.key : $0.key < $1.key
        }
        let ordered = byTeam.flatMap { team in
            isReversed
                ? team.value.sorted { ($0.id, $0.persistentModelID) < ($1.id, $1.persistentModelID) } : team.value
        }
        let window = ordered.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max)
        var sections: [ReplayedList.Section] = []
        for runner in window {
            if sections.last?.name != runner.team ?? "" { sections.append(.init(name: runner.team ?? "", rows: [])) }
            sections[sections.count - 1].rows.append(.init(runner))
        }
        return sections
    }

    @Test("shows what a fetch gives, after every save of any context", arguments: 0..<12 as Range<UInt64>)
    func replays(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let race = try Race()
        let contexts = [race.context, ModelContext(race.container)]
        var descriptor = FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)])
        if seed % 2 == 1 { descriptor.sortBy = [SortDescriptor(\.team, order: .reverse), SortDescriptor(\.id)] }
        if seed % 3 > 0 { descriptor.fetchLimit = Int.random(in: 1..<40, using: &random) }
        if seed % 3 > 1 { descriptor.fetchOffset = Int.random(in: 0..<10, using: &random) }
        try change(race.context, step: -1, &random)
        let controller = FetchedResultsController(
            fetchDescriptor: descriptor, modelContext: race.context, sectionBy: \.team)
        try controller.performFetch()
        let list = ReplayedList(controller)
        controller.delegate = list
        for step in 0..<40 {
            // Several saves are one change, where nobody asks in between.
            for context in contexts.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)) {
                try change(context, step: step, &random)
            }
            controller.refresh()
            try #require(try list.sections == expected(race.container, descriptor), "seed \(seed), step \(step)")
            try #require(list.faults.isEmpty, "seed \(seed), step \(step): \(list.faults)")
            try #require(controller.fetchError == nil)
        }
        #expect(list.changes > 10 && (descriptor.fetchLimit != nil || list.moves > 5))
    }
}
