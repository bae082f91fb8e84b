package import LoamStorage

/// What is left to do of an execution that was ended before its last row, to be done in later states of the store.
///
/// A row keeps its id whatever is saved meanwhile. So going on from an id, or through ids that were noted, meets each
/// row at most once, and misses none that is there all the time. A position in an index is nothing of that kind, since
/// a save may move a row from behind it to before it.
package enum UnfinishedSearch {
    /// Rows of the result, in its order; nothing is left to be searched.
    case found([RowID])
    /// Rows that may match, in the order of the result. Of those that do, the first `offset` are passed over, and
    /// `limit` are wanted after them.
    case served(RemainingRows, offset: Int, limit: Int?)
    /// Rows that may match, without those that were handed out: they are sorted when all are found.
    case unsorted(RemainingRows, GradualSort)
}

extension Plan {
    /// Whether the result is better sorted when its snapshot is gone: there are more rows than a snapshot is kept for.
    package var sortsGradually: Bool {
        if case .partial = arrangement { return estimate.entries > SearchPace.mostSorted }
        return sorts && estimate.candidates > SearchPace.mostSorted
    }

    private var sorts: Bool {
        switch arrangement {
        case .sorted, .top, .partial: true
        case .byRowID: covering != nil
        case .served, .sums: false
        }
    }

    /// What is left of an execution that ended with ``SearchPace/Pause``, or of one that was never begun. Reads the ids
    /// of the rows that the plan's access path leads to, and no record but for a join.
    ///
    /// - Parameters:
    ///   - count: how many rows it handed out.
    ///   - last: the last of them.
    ///   - snapshot: the one that it read.
    /// - Throws: `StorageError` for damage.
    package func unfinished(
        _ pace: SearchPace?, after count: Int, last: RowID?, in snapshot: Snapshot
    ) throws -> UnfinishedSearch {
        if let rest = pace?.rest { return .found(rest) }
        let all = try candidates(in: snapshot)
        if sorts { return .unsorted(count == 0 ? all : all.without(pace?.met), try GradualSort(self, after: count)) }
        var rest = all
        switch accessPath {
        // Rows before the offset were counted, and not noted.
        case _ where count == 0 && query.offset > 0: break
        case .table, .rows:
            for rowID in [last, pace?.examined].compactMap(\.self) { rest = rest.rest(after: rowID, query) ?? rest }
        default: if let last { rest = rest.rest(after: last, query) ?? rest }
        }
        return .served(rest, offset: count == 0 ? query.offset : 0, limit: query.limit.map { $0 - count })
    }

    /// The rows that the access path leads to, in the order in which they are looked at.
    private func candidates(in snapshot: Snapshot) throws -> RemainingRows {
        var plan = self
        plan.query.offset = 0
        let execution = try PlanExecution(plan, in: snapshot, work: Work())
        var rowIDs: [RowID] = []
        switch accessPath {
        case .nothing: return .rowIDs([])
        case .table(let from, let through): return .between(from: from, through: through)
        case .rows(let given): rowIDs = given
        case .index(let scan):
            try execution.collect(scan) { rowIDs.append($0) }
            if arrangement == .served { return .rowIDs(rowIDs) }
        case .union(let scans): rowIDs = try execution.rows(ofAnyOf: scans)
        case .intersection(let scans): rowIDs = try execution.common(to: scans)
        case .skip(let skip):
            try execution.collect(execution.scan(of: skip)) { rowIDs.append($0) }
            if arrangement == .served { return .rowIDs(rowIDs) }
        case .join(let join): rowIDs = Array(try execution.sources(of: join))
        }
        return .rowIDs(query.rowIDDirection == .descending ? rowIDs.sorted(by: >) : rowIDs.sorted())
    }
}

extension RemainingRows {
    /// The others than these, where they are told by their ids.
    fileprivate func without(_ met: Set<RowID>?) -> RemainingRows {
        guard let met, case .rowIDs(let rowIDs) = self else { return self }
        return .rowIDs(rowIDs.filter { !met.contains($0) })
    }

    /// What comes behind one of them; nil where it is none of them.
    func rest(after rowID: RowID, _ query: ResolvedQuery) -> RemainingRows? {
        switch self {
        case .rowIDs(let rowIDs):
            guard let index = rowIDs.firstIndex(of: rowID) else { return nil }
            return .rowIDs(Array(rowIDs[(index + 1)...]))
        case .between(let from, let through):
            guard from...through ~= rowID else { return nil }
            if query.rowIDDirection == .ascending {
                return rowID == through ? .rowIDs([]) : .between(from: rowID + 1, through: through)
            }
            return rowID == from ? .rowIDs([]) : .between(from: from, through: rowID - 1)
        }
    }
}

extension Plan {
    /// What this plan for some remaining rows has left of them behind one of them.
    package func rest(of rows: RemainingRows, after rowID: RowID) -> RemainingRows {
        rows.rest(after: rowID, query) ?? rows
    }

    /// What this plan for some remaining rows has left of them after it ended with ``SearchPace/Pause``.
    package func rest(of rows: RemainingRows, after pace: SearchPace) -> RemainingRows {
        pace.examined.map { rest(of: rows, after: $0) } ?? rows
    }
}
