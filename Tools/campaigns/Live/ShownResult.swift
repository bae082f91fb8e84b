import LoamLive
import LoamStorage

/// A live result, and what somebody shows who has followed its deliveries alone.
struct ShownResult: Sendable {
    /// What was taken, and what was wrong with it.
    struct Tally: Sendable {
        var deliveries = 0
        var resets = 0
        var faults: [String] = []
    }

    let live: LiveResult
    private(set) var rows: SectionedRows

    init(_ live: LiveResult) {
        self.live = live
        rows = SectionedRows(live.start())
    }

    /// Takes what there is, and looks whether it leads from the state before to the one behind. Returns whether there
    /// was another state.
    @discardableResult
    mutating func take(_ tally: inout Tally) -> Bool {
        guard let delivery = live.take() else { return false }
        if let error = delivery.error { tally.faults.append("\(live.query): \(error)") }
        guard let update = delivery.update else { return false }
        tally.deliveries += 1
        defer { rows = SectionedRows(update.new) }
        guard SectionedRows(update.old) == rows else {
            tally.faults.append("\(name): a delivery does not begin where the one before has ended")
            return true
        }
        switch update.change() {
        case .reset: tally.resets += 1
        case .difference(let difference):
            if rows.applying(difference) != SectionedRows(update.new) {
                tally.faults.append("\(name): the difference does not lead to the new state")
            }
        }
        return true
    }

    /// The faults of what is shown, where everything was taken and nobody saves.
    func faults(in store: LiveRows) throws -> [String] {
        var faults = live.state.checkInvariants().map { "\(name): \($0)" }
        if rows.sections.map(\.rows) != (try store.fresh(live.query)) {
            faults.append("\(name): other rows than those of a query that is asked anew")
        }
        return faults
    }

    private var name: String { "\(live.query), \(live.kind)" }
}
