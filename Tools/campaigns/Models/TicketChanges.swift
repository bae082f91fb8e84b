import Loam

/// A ticket as plain values.
struct TicketValues: Equatable {
    var code: Int
    var title: String
    var note: String?
    var stall: Int?
}

/// The unsaved changes of a context, as they show in it and as a save merges them with what is stored.
struct TicketChanges {
    typealias Stored = [PersistentIdentifier: TicketValues]
    typealias Change = (inout TicketValues) -> Void

    struct Outcome {
        var stored: Stored
        /// By the identifier of an inserted ticket: the one whose code it had.
        var mapping: [PersistentIdentifier: PersistentIdentifier] = [:]
        /// The properties whose changes are lost, as the ticket is deleted.
        var dropped: [PersistentIdentifier: Set<String>] = [:]
    }

    /// In the order of their insertion.
    private(set) var inserted: [(id: PersistentIdentifier, values: TicketValues)] = []
    /// By the name of the property.
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

    /// Whether the ticket was changed here, and deleted by another context.
    func isLost(_ id: PersistentIdentifier, _ stored: Stored) -> Bool { changed[id] != nil && stored[id] == nil }

    func change(_ values: inout TicketValues, _ id: PersistentIdentifier) {
        for change in (changed[id] ?? [:]).values { change(&values) }
    }

    /// What the context shows besides lost tickets.
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
            // What an inserted ticket does not lead to, the stored one goes on leading to.
            values.stall = values.stall ?? like?.value.stall
            outcome.stored[like?.key ?? id] = values
        }
        return outcome
    }

    /// What is stored, with the changes, without what is deleted.
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
