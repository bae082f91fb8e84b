import Loam
import SeededRandom

/// A context that changes tickets at random and holds objects of them.
final class TicketContext {
    private let context: ModelContext
    private var changes = TicketChanges()
    /// The objects that are held; several may stand for one row.
    private var held: [(ticket: Ticket, id: PersistentIdentifier)] = []
    private(set) var upserts = 0
    private(set) var dropped = 0

    init(_ container: ModelContainer) {
        context = ModelContext(container)
    }

    /// - Parameter isFresh: whether the context knows what others have saved.
    func change(
        _ number: Int, _ stored: TicketChanges.Stored, isFresh: Bool, _ random: inout SeededGenerator
    ) throws {
        let code = Int.random(in: 0..<10, using: &random)
        if random.percent(20) {
            for copy in 0..<(random.percent(20) ? 2 : 1) { insert(code, "t\(number).\(copy)") }
            return
        }
        if isFresh, random.percent(40) {
            for ticket in try context.fetch(FetchDescriptor<Ticket>(predicate: Ticket.with(key: code))) {
                held.append((ticket, ticket.persistentModelID))
            }
        }
        guard let place = held.indices.randomElement(using: &random), !changes.deleted.contains(held[place].id) else {
            return
        }
        let (ticket, id) = held[place]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40:
            ticket.title = "t\(number)"
            changes.set("title", of: id) { $0.title = "t\(number)" }
        case 40..<52:
            let note = random.percent(50) ? nil : "n\(number)"
            guard ticket.note != note else { return }
            ticket.note = note
            changes.set("note", of: id) { $0.note = note }
        case 52..<75:
            let key = random.percent(30) ? nil : Int.random(in: 0..<TicketCampaign.stalls, using: &random)
            // A stall has no ticket whose row is gone.
            let fromStall = random.percent(50) && !changes.isLost(id, stored)
            if isFresh { try relate(ticket, id, to: key, fromStall: fromStall) }
        case 75..<87:
            context.delete(ticket)
            changes.delete(id)
            if ticket.modelContext == nil { held.removeAll { $0.id == id } }
        default: held.remove(at: place)
        }
    }

    private func insert(_ code: Int, _ title: String) {
        let ticket = Ticket(code: code, title: title)
        context.insert(ticket)
        held.append((ticket, ticket.persistentModelID))
        changes.insert(TicketValues(code: code, title: title), ticket.persistentModelID)
    }

    private func relate(_ ticket: Ticket, _ id: PersistentIdentifier, to key: Int?, fromStall: Bool) throws {
        guard ticket.stall?.key != key else { return }
        let stall = try key.map { try find($0) }
        if let stall, fromStall {
            stall.tickets.append(ticket)
        } else if fromStall {
            ticket.stall?.tickets.removeAll { $0 == ticket }
        } else {
            ticket.stall = stall
        }
        changes.set("stall", of: id) { $0.stall = key }
    }

    private func find(_ key: Int) throws -> Stall {
        guard let stall = try context.fetch(FetchDescriptor(predicate: Stall.with(key: key))).first else {
            throw CampaignError("stall \(key) is gone")
        }
        return stall
    }

    func rollBack(_ stored: TicketChanges.Stored) throws {
        context.rollback()
        changes = TicketChanges()
        try compare(with: stored)
    }

    /// Saves, and returns the tickets that must be stored then.
    func save(over stored: TicketChanges.Stored) throws -> TicketChanges.Stored {
        let outcome = changes.saved(over: stored)
        let hasChanges = context.hasChanges
        try context.save()
        if hasChanges {
            let found = Dictionary(context.droppedChanges.map { ($0.identifier, $0.properties) }) { $0.union($1) }
            guard found == outcome.dropped, context.droppedChanges.allSatisfy(\.isDeleted) else {
                throw CampaignError("dropped is \(context.droppedChanges) instead of \(outcome.dropped)")
            }
        }
        upserts += outcome.mapping.count
        dropped += outcome.dropped.count
        changes = TicketChanges()
        held = held.map { ($0.ticket, outcome.mapping[$0.id] ?? $0.id) }
        guard !context.hasChanges else { throw CampaignError("a context has changes after its save") }
        try compare(with: outcome.stored)
        return outcome.stored
    }

    /// Compares what the context and the objects show; lets go of objects without a row.
    func compare(with stored: TicketChanges.Stored) throws {
        context.processPendingChanges()
        let wanted = changes.shown(over: stored)
        for (ticket, id) in held {
            if changes.deleted.contains(id) {
                guard ticket.isDeleted else { throw CampaignError("ticket \(id) is not deleted") }
            } else if changes.isLost(id, stored) || wanted[id] != nil {
                var values = wanted[id] ?? TicketValues(ticket)
                changes.change(&values, id)
                guard ticket.modelContext === context, ticket.persistentModelID == id, TicketValues(ticket) == values
                else {
                    throw CampaignError(
                        "an object of \(id) is \(ticket.persistentModelID) with \(TicketValues(ticket)), not \(values)")
                }
            } else if ticket.modelContext != nil {
                throw CampaignError("ticket \(id) is gone, and its object in a context")
            }
        }
        held.removeAll { $0.ticket.modelContext == nil }
        held.removeFirst(max(0, held.count - 30))
        try compareFetched(wanted, stored)
    }

    private func compareFetched(_ wanted: TicketChanges.Stored, _ stored: TicketChanges.Stored) throws {
        func isTold(_ ticket: Ticket) -> Bool { !changes.isLost(ticket.persistentModelID, stored) }
        let found = try context.fetch(FetchDescriptor<Ticket>()).filter(isTold)
        guard Set(found.map(\.persistentModelID)).count == found.count else {
            throw CampaignError("a fetch gives a ticket twice: \(found.map(\.persistentModelID))")
        }
        for ticket in found where wanted[ticket.persistentModelID] != TicketValues(ticket) {
            throw CampaignError(
                "ticket \(ticket.persistentModelID) is \(TicketValues(ticket)) instead of "
                    + (wanted[ticket.persistentModelID].map { "\($0)" } ?? "nothing"))
        }
        guard found.count == wanted.count else { throw CampaignError("\(found.count) tickets, not \(wanted.count)") }
        for key in 0..<TicketCampaign.stalls {
            let tickets = try find(key).tickets.filter(isTold).map(\.persistentModelID)
            let members = wanted.filter { $0.value.stall == key }.map(\.key)
            guard tickets.count == members.count, Set(tickets) == Set(members) else {
                throw CampaignError("stall \(key) has \(tickets) instead of \(members)")
            }
        }
    }
}

extension TicketValues {
    init(_ ticket: Ticket) {
        self.init(code: ticket.code, title: ticket.title, note: ticket.note, stall: ticket.stall?.key)
    }
}
