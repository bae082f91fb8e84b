import LoamStorage

/// What will be done to answer a query: a value that can be printed, compared and executed.
package struct Plan: Hashable, Sendable {
    private var shared: SharedQuery
    package var query: ResolvedQuery {
        get { shared.query }
        set { shared = SharedQuery(newValue) }
    }
    package var accessPath: AccessPath
    /// Which conjuncts the access path does not answer; each row is tested with them, from first to last.
    package var residual: [TypedPredicate]
    package var arrangement: Arrangement
    /// Where the scanned index gives every value that is needed, so that no record is read; nil where it does not.
    package var covering: Covering?
    package var estimate: Estimate
    /// The rows after which a search that is watched is left for another plan, whatever it has found; nil leaves that to
    /// the costs. Tests set it.
    package var leavesAfter: Int?

    init(
        _ query: SharedQuery, accessPath: AccessPath, residual: [TypedPredicate], arrangement: Arrangement = .served,
        estimate: Estimate
    ) {
        shared = query
        (self.accessPath, self.residual) = (accessPath, residual)
        (self.arrangement, self.estimate) = (arrangement, estimate)
    }
}

/// A query that plans share, so that copying a plan does not copy it.
final class SharedQuery: Hashable, Sendable {
    let query: ResolvedQuery
    /// Those of the query's predicate.
    let conjuncts: [TypedPredicate]

    init(_ query: consuming ResolvedQuery) {
        conjuncts = query.predicate.conjuncts
        self.query = query
    }

    /// A query of the same shape, with its own constants.
    func like(_ new: Query, constants: [QueryShape.Slot]) -> SharedQuery {
        SharedQuery(
            ResolvedQuery(new, like: query, predicate: query.predicate.replacingConstants(by: constants)))
    }

    static func == (left: SharedQuery, right: SharedQuery) -> Bool {
        left === right || left.query == right.query
    }

    func hash(into hasher: inout Hasher) { hasher.combine(query) }
}

/// How the rows come into their order.
package enum Arrangement: Hashable, Sendable {
    /// The access path delivers them in it.
    case served
    /// The access path delivers them in the order of so many keys, from the first on. Those that are equal in these are
    /// collected and sorted, and handed out before the next ones are looked at.
    case partial(Int)
    /// Row ids are collected and sorted, then the records are read in that order.
    case byRowID
    /// All rows are collected and sorted by their sort keys.
    case sorted
    /// The best so many rows are kept while rows are read.
    case top(Int)
    /// No row is read: sums over the index tell the number of rows, or the sections with their sizes.
    case sums
}

/// What a plan is expected to read.
package struct Estimate: Hashable, Sendable {
    /// Rows in the ranges of the access path.
    package var candidates: Int
    package var entries: Int
    package var records: Int
    package var rows: Int
    /// The estimated cost. Its unit is a record that a scan of the table reads.
    package var cost: Double
    /// What the cost rests on besides the plan itself; nil where it was not weighed.
    var basis: Basis?

    struct Basis: Hashable, Sendable {
        /// Of the rows that are reached, those that pass the residual tests.
        var share: Double
        /// The rows that are looked at where they are sorted within groups.
        var grouped: Double?
        /// What it costs to test a row's related rows.
        var related: Double
    }

    package init(candidates: Int, entries: Int, records: Int, rows: Int, cost: Double) {
        (self.candidates, self.entries, self.records, self.rows) = (candidates, entries, records, rows)
        self.cost = cost
    }
}
