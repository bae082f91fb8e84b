import Foundation
import Loam
import SeededRandom
import Testing

@Suite("A list that replays a fetched results controller's calls")
@MainActor
struct FetchedResultsReplayTests {
    private static let teams = [nil, "", "blue", "green", "red", "yellow"]

    private static func text(_ runner: Runner) -> String { "\(runner.id) \(runner.name) \(runner.description)" }

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
    ) throws -> [ReplayedList<Runner, String>.Section] {
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
        var sections: [ReplayedList<Runner, String>.Section] = []
        for runner in window {
            if sections.last?.title != runner.team ?? "" { sections.append(.init(title: runner.team ?? "", rows: [])) }
            sections[sections.count - 1].rows.append(.init(runner, text: Self.text(runner)))
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
        let list = ReplayedList(controller, text: Self.text)
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
