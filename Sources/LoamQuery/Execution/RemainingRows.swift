package import LoamStorage

/// What is left of a result whose first rows were handed out, to be read on in a later state of the store.
package enum RemainingRows: Hashable, Sendable {
    /// The rows with these ids, in this order, as far as they still exist and match.
    case rowIDs([RowID])
    /// The rows that match from one id through another, in the order of ids that the query asks for.
    case between(from: RowID, through: RowID)
}

extension Plan {
    /// What is left behind a row of the result where rows come in the order of their ids from a scan of the table.
    ///
    /// Nil elsewhere: there a save may move a row from behind a position to before it or the other way round, so that
    /// reading on from the position would lose it or give it twice. There the ids are what stays; under a limit, too,
    /// since a row that comes to match would take another one's place.
    package func remainingRows(after rowID: RowID) -> RemainingRows? {
        guard case .table(let from, let through) = accessPath, arrangement == .served, query.openOrder.isEmpty,
            query.limit == nil
        else { return nil }
        if query.rowIDDirection == .ascending {
            return rowID == .max ? .rowIDs([]) : .between(from: max(from, rowID + 1), through: through)
        }
        return rowID == .min ? .rowIDs([]) : .between(from: from, through: min(through, rowID - 1))
    }
}

extension Planner {
    /// The plan for rows that are left of a query's result. Offset and limit do not matter: who reads on has counted.
    ///
    /// Each row is tested with the whole predicate: one that was deleted, or that does not match any more, is left out.
    /// Over ids a look-up for each, over a range a scan.
    /// - Throws: ``QueryError`` where the query cannot be run any more, because the schema has changed.
    package static func plan(_ query: Query, for rows: RemainingRows, in snapshot: Snapshot) throws -> Plan {
        guard let entity = snapshot.schema.entity(named: query.entity) else {
            throw QueryError(.unknownEntity, part: query.entity)
        }
        var resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
        (resolved.offset, resolved.limit, resolved.result) = (0, nil, .rows)
        let accessPath: AccessPath
        switch rows {
        case .rowIDs(let rowIDs):
            accessPath = .rows(rowIDs)
            // The ids have the order of the result already.
            resolved.rowIDDirection = .ascending
        case .between(let from, let through): accessPath = .table(from: from, through: through)
        }
        return Plan(
            SharedQuery(resolved), accessPath: accessPath, residual: resolved.predicate.conjuncts,
            estimate: Estimate(candidates: 0, entries: 0, records: 0, rows: 0, cost: 0))
    }
}
