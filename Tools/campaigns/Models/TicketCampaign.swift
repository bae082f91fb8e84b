import Loam
import SeededRandom

/// Contexts that insert codes which are stored already, and change tickets that others delete.
final class TicketCampaign {
    static let stalls = 3
    private let container: ModelContainer
    private let contexts: [TicketContext]
    private var stored: TicketChanges.Stored
    private var number = 0

    /// - Parameter stored: what the store must hold.
    init(_ container: ModelContainer, contexts: Int, stored: TicketChanges.Stored) throws {
        self.container = container
        self.stored = stored
        self.contexts = (0..<contexts).map { _ in TicketContext(container) }
        let context = ModelContext(container)
        for key in 0..<Self.stalls { context.insert(Stall(key: key)) }
        try context.save()
    }

    var upserts: Int { contexts.reduce(0) { $0 + $1.upserts } }
    var dropped: Int { contexts.reduce(0) { $0 + $1.dropped } }

    func step(_ random: inout SeededGenerator) throws {
        number += 1
        guard let context = contexts.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: try save(context)
        case 15..<17: try context.rollBack(stored)
        default:
            let isFresh = random.percent(60)
            if isFresh { try context.compare(with: stored) }
            try context.change(number, stored, isFresh: isFresh, &random)
        }
    }

    private func save(_ context: TicketContext) throws {
        stored = try context.save(over: stored)
        try TicketContext(container).compare(with: stored)
    }

    /// Saves every context; returns the tickets that are stored then.
    func finish() throws -> TicketChanges.Stored {
        for context in contexts { try save(context) }
        return stored
    }
}
