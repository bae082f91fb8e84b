package import LoamStorage

/// Lets a search be left off after a while, to be gone on with in a later state of the store.
///
/// A search that looks at many rows for few that match, or that sorts, hands out nothing for long. Here it asks now and
/// then whether it may go on, and is left with ``Pause`` where not. For one execution.
package final class SearchPace {
    /// Ends an execution that may not go on.
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
    /// The rows of a result that is sorted already: handing them out reads nothing but their values.
    package private(set) var sorted: [RowID]?

    /// - Parameters:
    ///   - interval: how many rows are looked at between two questions.
    ///   - isOver: whether the search is to be left.
    package init(every interval: Int = 1_024, _ isOver: @escaping () -> Bool) {
        self.interval = interval
        self.isOver = isOver
    }

    /// A row has been looked at, and handed on where it matches.
    func note(_ rowID: RowID) throws {
        noted += 1
        guard noted >= interval else { return }
        noted = 0
        examined = rowID
        if isOver() { throw Pause() }
    }

    /// So many rows are about to be sorted.
    func noteSort(of count: Int) throws {
        if count > Self.mostSorted || isOver() { throw Pause() }
    }

    func note(sorted rowIDs: [RowID]) { sorted = rowIDs }
}
