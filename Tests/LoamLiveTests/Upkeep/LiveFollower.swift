import LoamLive
import LoamQuery
import LoamStorage
import Synchronization

/// Shows a live result by its deliveries alone, and notes where they do not fit together.
final class LiveFollower: Sendable {
    private let shown: ShownRows
    let live: LiveResult

    init(_ query: Query, in store: Store) throws {
        let shown = ShownRows()
        self.shown = shown
        live = try LiveResult(query, in: store) { live in if let delivery = live.take() { shown.take(delivery) } }
        shown.begin(with: live.start())
    }

    /// The rows after the last delivery.
    var rows: SectionedRows { shown.content.rows }
    var faults: [String] { shown.content.faults }
    var deliveries: Int { shown.content.deliveries }
    var resets: Int { shown.content.resets }
    var last: LiveChange? { shown.content.last }
}

private final class ShownRows: Sendable {
    struct Content {
        var rows = SectionedRows(sections: [])
        var save: UInt64 = 0
        var deliveries = 0
        var resets = 0
        var last: LiveChange?
        var faults: [String] = []
    }

    private let shared = Mutex(Content())

    func begin(with state: ResultState) {
        shared.withLock { content in
            content.rows = SectionedRows(state)
            content.save = state.save
        }
    }

    var content: Content { shared.withLock { $0 } }

    func take(_ delivery: LiveResult.Delivery) {
        shared.withLock { content in
            if let update = delivery.update { content.take(update) }
            if let error = delivery.error { content.faults.append("\(error)") }
        }
    }
}

extension ShownRows.Content {
    fileprivate mutating func take(_ update: LiveUpdate) {
        let old = SectionedRows(update.old)
        if rows != old { faults.append("a delivery does not begin where the last one ended") }
        let change = update.change()
        // A change of the schema gets no save number, so a reset may have the number of the state before.
        if update.new.save < save + (change == .reset ? 0 : 1) {
            faults.append("a delivery is not newer than the last")
        }
        faults += update.new.checkInvariants()
        switch change {
        case .reset:
            resets += 1
            rows = SectionedRows(update.new)
        case .difference(let difference):
            if difference.isEmpty { faults.append("a delivery says nothing") }
            rows = old.applying(difference)
            if rows != SectionedRows(update.new) { faults.append("the difference does not give the new state") }
        }
        (save, last) = (update.new.save, change)
        deliveries += 1
    }
}
