import LoamStorage

/// A row of live values, before it is made into what an observer gives.
struct ValuesRow: Equatable {
    /// Of a model; 0 for a group.
    var rowID: RowID = 0
    /// By the columns that are stored.
    var values: [Value]
}

/// Keeps rows of values current on an observer's isolation.
protocol ValuesSource: AnyObject {
    /// The rows as of the last change, in order.
    var rows: [ValuesRow] { get }
    /// Why they could not be brought up to date; nil where they were, the last time.
    var error: (any Error)? { get }
    /// Who is told, on the isolation; not kept.
    var listener: (any ValuesListener)? { get set }

    /// Takes in, at once, what was saved before the call, and what is unsaved.
    func refresh()
}

/// Is told of the changes of a source.
protocol ValuesListener: AnyObject {
    func rowsDidChange()
    func errorDidChange()
}
