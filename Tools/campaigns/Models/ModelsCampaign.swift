import Foundation
import Loam
import LoamStorage
import SeededRandom

/// The campaign's store, its contexts and observers, and what they must show.
final class ModelsCampaign {
    private let path: String
    private let contextCount: Int
    private let mostPlayers: Int
    private var random: SeededGenerator
    private var container: ModelContainer
    private var contexts: [PlayerContext] = []
    private var byScore: ResultMirror<Int>?
    private var named: ResultMirror<Never>?
    private var stored = PlayerWorld()
    private var tickets: TicketCampaign?
    private var storedTickets: TicketChanges.Stored = [:]
    private var nextKey = 1
    private var chooser: StepChooser
    private(set) var number = 0
    private(set) var saves = 0
    private(set) var denied = 0
    private(set) var rollbacks = 0
    private(set) var reopenings = 0
    private(set) var differences = 0
    private(set) var upserts = 0
    private(set) var dropped = 0

    init(path: String, seed: UInt64, contexts: Int, mostPlayers: Int) throws {
        self.path = path
        contextCount = contexts
        self.mostPlayers = mostPlayers
        random = SeededGenerator(seed: seed)
        chooser = StepChooser(mostPlayers: mostPlayers)
        container = try Self.open(path)
        try begin()
    }

    private static func open(_ path: String) throws -> ModelContainer {
        try ModelContainer(
            for: Player.self, Ticket.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    }

    private static var scoreDescriptor: FetchDescriptor<Player> {
        FetchDescriptor(sortBy: [SortDescriptor(\.score), SortDescriptor(\.key)])
    }

    private static var nameDescriptor: FetchDescriptor<Player> {
        var descriptor = FetchDescriptor<Player>(
            predicate: #Predicate<Player> { $0.score >= 3 && $0.name != "c" },
            sortBy: [SortDescriptor(\.name, order: .reverse)])
        descriptor.fetchLimit = 12
        return descriptor
    }

    private func begin() throws {
        contexts = (0..<contextCount).map { _ in PlayerContext(container) }
        byScore = ResultMirror(
            try ResultsObserver(
                fetchDescriptor: Self.scoreDescriptor, sectionBy: \Player.score,
                modelContext: ModelContext(container), isolation: nil))
        named = ResultMirror(
            try ResultsObserver(
                fetchDescriptor: Self.nameDescriptor, modelContext: ModelContext(container), isolation: nil))
        tickets = try TicketCampaign(container, contexts: contextCount, stored: storedTickets)
    }

    func step() async throws {
        number += 1
        let context = contexts[Int.random(in: 0..<contexts.count, using: &random)]
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<120: try await save(context)
        case 120..<135:
            context.context.rollback()
            context.forget()
            rollbacks += 1
            try compare(context)
        case 135..<180: try compare(context)
        case 180..<181: try await reopen()
        case 181..<380: try tickets?.step(&random)
        default: try change(context)
        }
    }

    /// Makes one change that touches nothing that another context has changed.
    private func change(_ context: PlayerContext) throws {
        let view = context.view(of: stored)
        guard let step = chooser.choose(from: view, nextKey: &nextKey, &random) else { return }
        let touched = view.touched(by: step).union(stored.touched(by: step))
        guard contexts.allSatisfy({ $0 === context || $0.locked.isDisjoint(with: touched) }) else { return }
        try context.perform(step, touching: touched)
    }

    private func save(_ context: PlayerContext) async throws {
        saves += 1
        var world = stored
        var isDenied = false
        for step in context.steps {
            // A guild may lose its players before the save, so that its deletion is not denied then.
            isDenied = isDenied || isDeniedAtTheEnd(step, context)
            world.apply(step)
        }
        do {
            try context.context.save()
            guard !isDenied else { throw CampaignError("the deletion of a guild with players was not denied") }
            stored = world
        } catch SwiftDataError.modelValidationFailure where isDenied {
            denied += 1
            context.context.rollback()
        }
        context.forget()
        try await verify()
    }

    private func isDeniedAtTheEnd(_ step: PlayerStep, _ context: PlayerContext) -> Bool {
        guard case .deleteGroup(.guild, _) = step else { return false }
        return chooser.isDenied(step, in: stored, after: context.steps)
    }

    /// Compares the stored models, read in a new context, and the observers.
    private func verify() async throws {
        if let difference = try PlayerWorld(reading: ModelContext(container)).difference(from: stored) {
            throw CampaignError("stored: \(difference)")
        }
        guard let byScore, let named else { return }
        try await byScore.catchUp()
        try byScore.verify(Self.scoreDescriptor, container)
        try await named.catchUp()
        try named.verify(Self.nameDescriptor, container)
    }

    /// Compares what a context shows, with its changes.
    private func compare(_ context: PlayerContext) throws {
        let found = try PlayerWorld(reading: context.context)
        if let difference = found.difference(from: context.view(of: stored)) {
            throw CampaignError("in a context with \(context.steps.count) unsaved steps: \(difference)")
        }
        let low = Int.random(in: 0..<10, using: &random)
        let predicate = #Predicate<Player> { $0.score >= low && $0.score < low + 4 }
        var descriptor = FetchDescriptor<Player>(
            predicate: predicate, sortBy: [SortDescriptor(\.score, order: .reverse), SortDescriptor(\.key)])
        let wanted = found.people.filter { $0.value.score >= low && $0.value.score < low + 4 }
            .sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }.map(\.key)
        guard try context.context.fetchCount(descriptor) == wanted.count else {
            throw CampaignError("a count of players with scores from \(low) is not \(wanted.count)")
        }
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 5
        let keys = try context.context.fetch(descriptor).map(\.key)
        guard keys == Array(wanted.dropFirst().prefix(5)) else {
            throw CampaignError(
                "a page of players with scores from \(low) is \(keys), not \(wanted.dropFirst().prefix(5))")
        }
    }

    private func reopen() async throws {
        for context in contexts { try await save(context) }
        reopenings += 1
        differences += (byScore?.applied ?? 0) + (named?.applied ?? 0)
        if let tickets {
            storedTickets = try tickets.finish()
            upserts += tickets.upserts
            dropped += tickets.dropped
        }
        tickets = nil
        contexts = []
        byScore = nil
        named = nil
        container = try Self.open(path)
        try begin()
        try await verify()
    }

    func finish() async throws {
        try await reopen()
        let faults = try container.store.check().faults
        guard faults.isEmpty else { throw CampaignError("check: \(faults.map { "\($0)" }.joined(separator: "; "))") }
    }
}
