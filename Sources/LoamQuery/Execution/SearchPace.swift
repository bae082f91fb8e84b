package import LoamStorage

/// Ends a search after a while, so that it can be continued in a later state of the store.
///
/// A search that looks at many rows for few that match, or that sorts, hands out nothing for a long time. It asks this
/// object now and then whether it may go on, and is ended by the error ``Pause`` where it may not. An object is for one
/// execution.
package final class SearchPace {
    /// The error that ends an execution which may not go on.
    package struct Pause: Error {
        package init() {}
    }

    /// Rows that are sorted without being asked for in between, at most.
    static let mostSorted = 1 << 18

    private let interval: Int
    private let isOver: () -> Bool
    private var noted = 0
    /// The row at which the search was left.
    private(set) var examined: RowID?
    /// Whether the result is sorted: handing its rows out reads nothing but their values.
    package private(set) var isSorted = false
    /// The rows of such a result that were not handed out when it was left; nil where it was not.
    package private(set) var rest: [RowID]?
    /// The rows of a result that is sorted a group at a time, up to the last that was handed out, with those before its
    /// offset; nil where they are not kept.
    private(set) var met: Set<RowID>?

    /// - Parameters:
    ///   - interval: how many rows are looked at between two questions.
    ///   - isOver: whether the search is to be left.
    package init(every interval: Int = 1_024, _ isOver: @escaping () -> Bool) {
        self.interval = interval
        self.isOver = isOver
    }

    /// A row has been looked at, and handed on where it matches. Throws ``Pause`` where the search is to end behind it.
    func note(_ rowID: RowID) throws {
        noted += 1
        guard noted >= interval else { return }
        noted = 0
        examined = rowID
        if isOver() { throw Pause() }
    }

    /// So many rows are about to be sorted. Throws ``Pause`` where they are too many, or the search is to end.
    func noteSort(of count: Int) throws {
        if count > Self.mostSorted || isOver() { throw Pause() }
    }

    /// The rows that were found are sorted, and handed out from now on.
    func noteSorted() { isSorted = true }

    /// The sorted rows are left with these of them, in order.
    func note(rest rowIDs: [RowID]) { rest = rowIDs }

    /// Keeps the rows that are met from now on. There are no more than the query wants.
    func keepMet() { met = [] }

    func note(met rowID: RowID) { met?.insert(rowID) }
}
