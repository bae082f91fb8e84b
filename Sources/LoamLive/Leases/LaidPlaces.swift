import LoamStorage

/// What unsaved changes take out of virtual rows, and put in: by places, so that nothing is held of the other rows.
///
/// A value, whose copies share what they have in common: one more change costs O(log² changes), and states that are kept
/// stay as they were.
struct LaidPlaces: Sendable {
    enum Source {
        /// A saved row, by its place among the saved ones.
        case saved(Int)
        case unsaved(RowID)
    }

    /// An unsaved row, and the number of saved ones that come before it.
    struct Arrival: Hashable, CountedElement {
        var row: ResultRow
        var before: Int
        var weight: Int { 1 }
    }

    /// What becomes of a row.
    struct Change: Hashable, CountedElement {
        let rowID: RowID
        /// Its place among the saved ones, where it is not shown any more; nil where it is none of them.
        var saved: Int?
        /// Nil where it is not shown.
        var arrival: Arrival?
        var weight: Int { 1 }
    }

    private struct Gap: CountedElement {
        let index: Int
        var weight: Int { 1 }
    }

    private let order: ResultOrder
    /// The places of saved rows that are not shown there, ascending.
    private var gaps: CountedTree<ElementLeaf<Gap>>
    /// The unsaved rows in the order of the result.
    private var arrivals: CountedTree<ElementLeaf<Arrival>>
    /// All of them by row id.
    private var changes: CountedTree<ElementLeaf<Change>>

    /// - Parameter changes: at most one of a row, in no order.
    init(_ changes: [Change] = [], order: ResultOrder) {
        self.order = order
        gaps = CountedTree(sorted: changes.compactMap(\.saved).sorted().map(Gap.init))
        arrivals = CountedTree(sorted: changes.compactMap(\.arrival).sorted { order.precedes($0.row, $1.row) })
        self.changes = CountedTree(sorted: changes.sorted { $0.rowID < $1.rowID })
    }

    /// By how many rows there are more than are saved.
    var growth: Int { arrivals.count - gaps.count }

    // MARK: Changes

    /// What has become of a row; nil where it is as it is saved. O(log changes).
    func change(of rowID: RowID) -> Change? {
        let position = changes.firstPosition { $0.rowID < rowID }
        guard position < changes.count, changes[position].rowID == rowID else { return nil }
        return changes[position]
    }

    /// A row that is as it was saved from now on. O(log changes).
    mutating func forget(_ rowID: RowID) {
        guard let known = change(of: rowID) else { return }
        changes.remove(at: changes.firstPosition { $0.rowID < rowID })
        if let saved = known.saved { gaps.remove(at: gaps.firstPosition { $0.index < saved }) }
        if let arrival = known.arrival { arrivals.remove(at: position(of: arrival.row)) }
    }

    /// Something else becomes of a row from now on. O(log changes).
    mutating func set(_ change: Change) {
        forget(change.rowID)
        changes.insert(change, at: changes.firstPosition { $0.rowID < change.rowID })
        if let saved = change.saved { gaps.insert(Gap(index: saved), at: gaps.firstPosition { $0.index < saved }) }
        if let arrival = change.arrival { arrivals.insert(arrival, at: position(of: arrival.row)) }
    }

    // MARK: Places

    private func position(of row: ResultRow) -> Int { arrivals.firstPosition { order.precedes($0.row, row) } }

    /// How many of the saved rows before a place are shown.
    private func rank(_ saved: Int) -> Int { saved - gaps.firstPosition { $0.index < saved } }

    /// Where one of the unsaved rows is shown.
    private func place(ofArrival number: Int) -> Int { rank(arrivals[number].before) + number }

    /// The first of the unsaved rows that is not shown before a place.
    private func firstArrival(from place: Int) -> Int {
        (0..<arrivals.count).partitionPoint { self.place(ofArrival: $0) < place }
    }

    /// Which row is shown at a place. O(log² changes).
    func source(of place: Int) -> Source {
        let next = firstArrival(from: place)
        if next < arrivals.count, self.place(ofArrival: next) == place { return .unsaved(arrivals[next].row.rowID) }
        let rank = place - next
        return .saved(rank + (0..<gaps.count).partitionPoint { gaps[$0].index - $0 <= rank })
    }

    /// How many saved rows that stand side by side are shown from a place on, at least 1. O(log² changes).
    ///
    /// - Parameter saved: the place of the first one among the saved rows.
    func savedRun(at place: Int, from saved: Int) -> Int {
        let next = firstArrival(from: place)
        let gap = gaps.firstPosition { $0.index < saved }
        return min(
            next < arrivals.count ? self.place(ofArrival: next) - place : .max,
            gap < gaps.count ? gaps[gap].index - saved : .max)
    }

    /// Where a saved row is shown that was not taken out. O(log² changes).
    func place(ofSaved saved: Int) -> Int {
        let rank = rank(saved)
        return rank + (0..<arrivals.count).partitionPoint { self.rank(arrivals[$0].before) <= rank }
    }

    /// Where a row is shown that was taken out or put in. O(log² changes).
    func place(of change: Change) -> Int? { change.arrival.map { place(ofArrival: position(of: $0.row)) } }
}
