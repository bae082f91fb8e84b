package import LoamStorage

extension Planner {
    /// A plan for a query over a state of the store: the cheapest, or one that was kept for other constants and costs
    /// no more worth mentioning (``PlanCache``).
    package static func plan(_ query: Query, in snapshot: Snapshot) throws -> Plan {
        let cache = snapshot.attachment { PlanCache() }
        let analysisCount = snapshot.catalog.analysisCount
        return try cache.plan(query, statistics: snapshot, analysisCount: analysisCount) { query in
            guard let entity = snapshot.schema.entity(named: query.entity) else {
                throw QueryError(.unknownEntity, part: query.entity)
            }
            return try ResolvedQuery(query, in: entity, schema: snapshot.schema)
        }.plan
    }
}

extension Snapshot: IndexStatistics {}

extension Plan {
    /// Calls `body` with each row of the result in its order, and the values of the query's columns, until it returns
    /// false.
    ///
    /// The store's pages are borrowed meanwhile: `body` must not take long, and gets copies.
    ///
    /// Costs O(rows that the plan's access path reaches). Where they do not come in order, those that match are sorted
    /// first: O(m log m) time and O(m) memory for m rows, or under a limit O(m log k) time and O(k) memory for the k
    /// rows up to its end. Where they come in the order of the first keys, that is for the rows of a group at a time,
    /// and for as many groups as the limit takes. Memory ends at ``Query/sortSpace``: what exceeds it is written to a
    /// temporary file and merged, each byte O(log(m / memory)) times; of rows that were written, records that are wanted
    /// are read again. Under a limit, rows in no particular order are written until k lie before them: about
    /// k log(m / k) of the m.
    ///
    /// - Parameter pace: asked while rows are searched whether to go on.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage and for a temporary
    ///   file that cannot be used (`temporaryFile`), ``SearchPace/Pause``.
    package func execute(
        in snapshot: Snapshot, work: inout Work, pace: SearchPace? = nil,
        _ body: (_ rowID: RowID, _ values: [Value]) throws -> Bool
    ) throws {
        let execution = try PlanExecution(self, in: snapshot, work: work)
        execution.pace = pace
        if case .partial = arrangement { pace?.keepMet() }
        defer { work = execution.work }
        try execute(execution) { try body($0.rowID, $0.values) }
    }

    /// All rows of the result, as ``execute(in:work:pace:_:)`` gives them, in memory. Costs as much, and O(rows)
    /// memory.
    ///
    /// - Throws: as ``execute(in:work:pace:_:)``.
    package func rows(in snapshot: Snapshot, work: inout Work) throws -> [(rowID: RowID, values: [Value])] {
        var rows: [(rowID: RowID, values: [Value])] = []
        try execute(in: snapshot, work: &work) {
            rows.append(($0, $1))
            return true
        }
        return rows
    }

    /// Calls one of two closures with the rows of the result in its order: with many at a time and their values as they
    /// lie in the rows, where they can be read so, else with one and copies. Costs as much as
    /// ``execute(in:overlay:work:_:)``; for numbers and texts that lie in the row nothing is taken from the heap.
    ///
    /// - Parameter batches: is given row ids, and their values one row after another, which are good until it returns.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what the
    ///   closures throw.
    package func execute(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        batches: (_ rowIDs: UnsafeBufferPointer<RowID>, _ values: UnsafeBufferPointer<UnboxedValue>) throws -> Void,
        boxed: (_ rowID: RowID, _ values: [Value]) throws -> Void
    ) throws {
        let execution = try PlanExecution(self, in: snapshot, work: work, overlay: overlay)
        defer { work = execution.work }
        let plan = execution.plan
        let isDirect = execution.overlay == nil && plan.handsOutAtOnce(in: execution)
        try withoutActuallyEscaping(batches) { batches in
            guard isDirect || plan.query.columns.isEmpty, let batch = ResultBatch(plan.query.columns, batches) else {
                try plan.execute(execution) {
                    try boxed($0.rowID, $0.values)
                    return true
                }
                return
            }
            if isDirect { execution.batch = batch }
            defer { execution.batch = nil }
            try plan.execute(execution) { match in
                if match.values.isEmpty {
                    try batch.add(match.rowID)
                } else {
                    try batch.flush()
                    try boxed(match.rowID, match.values)
                }
                return true
            }
            try batch.flush()
        }
    }

    func execute(_ execution: PlanExecution, _ body: PlanExecution.Body) throws {
        guard query.limit != 0 else { return }
        let placer = execution.placer
        try execution.leavingLongSkips {
            isSorted(in: execution) ? try executeSorted(execution, body) : try executeServed(execution, body)
        } following: { next in
            placer?.stop()
            next.placer = placer
            try next.plan.execute(next, body)
        }
    }

    /// Whether the rows that match are collected and sorted before one is handed out.
    private func isSorted(in execution: PlanExecution) -> Bool {
        switch arrangement {
        case .sorted, .top: true
        // Ids alone are sorted as such.
        case .byRowID: covering != nil && !execution.needsNoRecord(query.columns)
        case .served, .partial, .sums: false
        }
    }

    /// Whether each row is handed out before the next one is met.
    func handsOutAtOnce(in execution: PlanExecution) -> Bool {
        if case .partial = arrangement { false } else { !isSorted(in: execution) }
    }

    /// Where the search is left for another plan, that one gives what is still missing.
    private func executeServed(_ execution: PlanExecution, _ body: PlanExecution.Body) throws {
        let placer = execution.placer
        let before = execution.work
        execution.watch = execution.isWatched ? watch(execution) : nil
        let emitted = try emitServed(execution, body)
        guard let successor = execution.watch?.successor else { return }
        let next = try execution.following(successor)
        defer { execution.work = next.work }
        next.placer = placer
        let (entries, records) = (next.work.entries - before.entries, next.work.records - before.records)
        next.work.abandoned += entries + records
        var toPass = emitted
        try next.plan.execute(next) { match in
            if toPass == 0 { return try body(match) }
            toPass -= 1
            next.work.returned -= 1
            return true
        }
    }

    private func watch(_ execution: PlanExecution) -> SearchWatch? {
        SearchWatch(self, in: execution.snapshot, readsRecords: execution.readsRecords)
    }

    /// Returns the number of rows that were handed out.
    private func emitServed(_ execution: PlanExecution, _ body: PlanExecution.Body) throws -> Int {
        guard execution.overlay == nil else { return try emitMerged(execution, body) }
        if skipsByPosition { execution.skippable = query.offset }
        var (passed, emitted) = (0, 0)
        if let batch = execution.batch, execution.takesAllMatches {
            let taken = try batch.takingAll {
                try execution.forEachMatch(query.columns) { match in
                    emitted += 1
                    return try body(match)
                }
            }
            execution.work.returned += emitted + taken
            return emitted + taken
        }
        try execution.forEachMatch(query.columns) { match in
            execution.watch?.noteMatch()
            execution.pace?.note(met: match.rowID)
            if passed + execution.skipped < query.offset {
                passed += 1
                return true
            }
            emitted += 1
            execution.work.returned += 1
            return try body(match) && emitted != query.limit
        }
        return emitted
    }

    /// Where the execution places its matches, the rows come in that order.
    private func executeSorted(_ execution: PlanExecution, _ body: PlanExecution.Body) throws {
        execution.measurement?.enter(.sort, at: execution.work)
        let placer = try execution.placer ?? RowPlacer(SortKeys(query.openOrder))
        let keepsKeys = execution.placer != nil
        placer.begin(SortedRows(query, limit: wanted))
        execution.placer = placer
        try execution.forEachMatch(covering == nil ? [] : query.columns) { match in
            try placer.collect(match)
            return true
        }
        let paths = placer.keys.paths
        for match in try execution.pendingMatches(paths + query.columns, first: wanted) {
            execution.work.sorted += 1
            try placer.collect(match.withoutValues(paths.count), values: match.values.prefix(paths.count))
        }
        try execution.pace?.noteSort(of: placer.collectedCount)
        let count = try execution.sort(placer, keepsKeys: keepsKeys)
        execution.measurement?.note(rows: count, from: .sort)
        try placer.skip(query.offset)
        execution.pace?.noteSorted()
        execution.measurement?.leave(execution.work)
        _ = try execution.handOutSorted(placer, paths: query.columns, notingRest: true) { match in
            execution.work.returned += 1
            return try body(match)
        }
    }

    /// The plan with what merging it with pending rows takes: values for the order where an index serves it.
    func forMerging(readsRecords: Bool) throws -> Plan {
        guard query.result == .rows, arrangement == .served, let scan = accessPath.scan else { return self }
        var plan = self
        let paths = neededPaths.union(query.openOrder.compactMap(\.path.own))
        plan.covering = readsRecords || scan.isMerged ? nil : try Covering(paths, in: scan.index)
        return plan
    }
}
