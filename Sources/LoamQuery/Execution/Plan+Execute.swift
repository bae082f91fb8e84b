package import LoamStorage

extension Planner {
    /// The cheapest plan for a query over a state of the store.
    package static func plan(_ query: Query, in snapshot: Snapshot) throws -> Plan {
        guard let entity = snapshot.schema.entity(named: query.entity) else {
            throw QueryError(.unknownEntity, part: query.entity)
        }
        return try plan(query, of: entity, snapshot)
    }
}

extension Snapshot: IndexStatistics {}

extension Plan {
    /// Calls `body` with each row of the result in its order, and the values of the query's columns, until it returns
    /// false.
    ///
    /// The store's pages are borrowed meanwhile: `body` must not take long, and gets copies.
    /// - Throws: ``QueryError`` where arithmetic on a row fails, `StorageError` for damage.
    package func execute(
        in snapshot: Snapshot, work: inout Work, _ body: (_ rowID: RowID, _ values: [Value]) throws -> Bool
    ) throws {
        let run = try PlanRun(self, in: snapshot, work)
        defer { work = run.work }
        try execute(run) { try body($0.rowID, $0.values) }
    }

    /// All rows of the result, as ``execute(in:work:_:)`` gives them.
    package func rows(in snapshot: Snapshot, work: inout Work) throws -> [(rowID: RowID, values: [Value])] {
        var rows: [(rowID: RowID, values: [Value])] = []
        try execute(in: snapshot, work: &work) {
            rows.append(($0, $1))
            return true
        }
        return rows
    }

    func execute(_ run: PlanRun, _ body: PlanRun.Body) throws {
        guard query.limit != 0 else { return }
        switch arrangement {
        case .sorted, .top: try executeSorted(run, body)
        case .byRowID where covering != nil: try executeSorted(run, body)
        case .served, .byRowID, .sums: try executeServed(run, body)
        }
    }

    private func executeServed(_ run: PlanRun, _ body: PlanRun.Body) throws {
        var passed = 0
        var emitted = 0
        try run.forEachMatch(query.columns) { match in
            if passed + run.skipped < query.offset {
                passed += 1
                return true
            }
            emitted += 1
            run.work.returned += 1
            return try body(match) && emitted != query.limit
        }
    }

    private func executeSorted(_ run: PlanRun, _ body: PlanRun.Body) throws {
        let order = query.openOrder
        let keys = try SortKeys(order)
        let columns = covering == nil ? [] : query.columns
        var rows = SortedRows(limit: wanted, rowIDDirection: query.rowIDDirection)
        try run.forEachMatch(order.map(\.path) + columns) { match in
            run.work.sorted += 1
            var kept = match
            kept.values = columns.isEmpty ? [] : Array(match.values.dropFirst(order.count))
            try rows.insert(kept) { try keys.append(match.values.prefix(order.count), to: &$0) }
            return true
        }
        let page = rows.sorted().dropFirst(query.offset).prefix(query.limit ?? .max)
        if refetches || run.readsRecords && page.contains(where: { $0.record == nil }) {
            try run.fetch(page.map(\.rowID), query.columns) { match in
                run.work.returned += 1
                return try body(match)
            }
        } else {
            for match in page {
                run.work.returned += 1
                guard try body(match) else { return }
            }
        }
    }
}
