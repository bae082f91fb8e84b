import Loam

/// A ticket as plain values.
struct TicketValues: Equatable {
    var code: Int
    var title: String
    var note: String?
    var stall: Int?
}

/// The unsaved changes of a context, as it shows them and as a save merges them with the stored tickets.
struct TicketChanges {
    typealias Stored = [PersistentIdentifier: TicketValues]
    typealias Change = (inout TicketValues) -> Void

    struct Outcome {
        var stored: Stored
        /// For an inserted ticket, the stored one that had its code.
        var mapping: [PersistentIdentifier: PersistentIdentifier] = [:]
        /// The properties whose changes are lost, since the ticket is deleted.
        var dropped: [PersistentIdentifier: Set<String>] = [:]
    }

    /// The inserted tickets, in the order of their insertion.
    private(set) var inserted: [(id: PersistentIdentifier, values: TicketValues)] = []
    /// The changes, by the names of the properties.
    private(set) var changed: [PersistentIdentifier: [String: Change]] = [:]
    private(set) var deleted: Set<PersistentIdentifier> = []

    mutating func insert(_ values: TicketValues, _ id: PersistentIdentifier) { inserted.append((id, values)) }

    mutating func set(_ property: String, of id: PersistentIdentifier, _ change: @escaping Change) {
        if let place = inserted.firstIndex(where: { $0.id == id }) {
            change(&inserted[place].values)
        } else {
            changed[id, default: [:]][property] = change
        }
    }

    mutating func delete(_ id: PersistentIdentifier) {
        changed[id] = nil
        if let place = inserted.firstIndex(where: { $0.id == id }) {
            inserted.remove(at: place)
        } else {
            deleted.insert(id)
        }
    }

    /// Whether the ticket was changed in this context and deleted by another one.
    func isLost(_ id: PersistentIdentifier, _ stored: Stored) -> Bool { changed[id] != nil && stored[id] == nil }

    func change(_ values: inout TicketValues, _ id: PersistentIdentifier) {
        for change in (changed[id] ?? [:]).values { change(&values) }
    }

    /// The tickets that the context shows, without the lost ones.
    func shown(over stored: Stored) -> Stored {
        inserted.reduce(into: kept(stored)) { $0[$1.id] = $1.values }
    }

    func saved(over stored: Stored) -> Outcome {
        var outcome = Outcome(stored: kept(stored))
        for (id, changes) in changed where stored[id] == nil { outcome.dropped[id] = Set(changes.keys) }
        for (id, values) in inserted {
            let like = outcome.stored.first { $0.value.code == values.code }
            if let like { outcome.mapping[id] = like.key }
            var values = values
            // Where an inserted ticket leads to no stall, the stored one keeps its own.
            values.stall = values.stall ?? like?.value.stall
            outcome.stored[like?.key ?? id] = values
        }
        return outcome
    }

    /// The stored tickets with the changes, without the deleted ones.
    private func kept(_ stored: Stored) -> Stored {
        var result = stored.filter { !deleted.contains($0.key) }
        for id in changed.keys {
            guard var values = result[id] else { continue }
            change(&values, id)
            result[id] = values
        }
        return result
    }
}
