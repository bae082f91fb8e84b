package import LoamStorage

extension GroupedPlan {
    /// Bytes that the groups of one pass over the rows may take.
    package static let usualMemory = 64 << 20

    /// The groups in order, each as the values of ``columns``.
    ///
    /// Costs O(rows that match), and where sums tell the sizes of groups, or an index the least and the greatest value,
    /// O(groups) look-ups. Groups that take more memory than there is are made in several passes over the rows; those
    /// that the condition and the limit leave are kept.
    ///
    /// Sums of floating-point numbers are added up in the order of row ids, so that they do not depend on the plan.
    ///
    /// - Parameters:
    ///   - overlay: changes that are not saved yet; they count.
    ///   - memory: bytes for the groups of one pass.
    /// - Throws: ``QueryError`` for a sum that does not fit into its type and for a MATCHES that takes too much work,
    ///   `StorageError` for damage.
    package func groups(
        in snapshot: Snapshot, overlay: Overlay? = nil, memory: Int = Self.usualMemory, work: inout Work
    ) throws -> [[Value]] {
        try groups(in: snapshot, overlay: overlay, memory: memory, work: &work, measurements: nil)
    }

    /// - Parameter measurements: one for each of ``plans``, told of what each operator does; nil where nobody asks.
    func groups(
        in snapshot: Snapshot, overlay: Overlay?, memory: Int, work: inout Work, measurements: [Measurement]?
    ) throws -> [[Value]] {
        guard query.limit != 0 else { return [] }
        let output = try GroupOutput(output)
        switch method {
        case .rows(let plan):
            try collect(
                plan, in: snapshot, overlay: overlay, memory: memory, work: &work, measurement: measurements?.first
            ) {
                try output.add(key: $0, values: $1)
            }
        case .sections(let plan):
            let sections = try plan.sections(
                in: snapshot, overlay: overlay, work: &work, measurement: measurements?.first)
            if output.takesAllByKey, aggregates.count + keys.count == columns.count {
                measurements?.last?.finish(work)
                work.returned = sections.count
                return sections.map(sized)
            }
            let placer = RowPlacer(try SortKeys(keys.ascending))
            for (value, count) in sections {
                try output.add(key: placer.key(of: CollectionOfOne(value))[...], values: sized(value, count))
            }
        case .values(let plan):
            let placer = RowPlacer(try SortKeys(keys.ascending))
            try plan.executeDistinct(in: snapshot, overlay: overlay, work: &work) { values in
                try output.add(key: placer.key(of: values)[...], values: values.map(\.titled))
                return true
            }
        case .ends(let plans):
            var values: [Value] = []
            for (number, plan) in plans.enumerated() {
                values.append(
                    try Self.end(
                        plan, in: snapshot, overlay: overlay, work: &work, measurement: measurements?[number]))
                measurements?[number].finish(work)
            }
            try output.add(key: [], values: values)
        }
        let shown = columns.count
        measurements?.last?.finish(work)
        let groups = try output.finish()
        work.returned = groups.count
        return aggregates.count + keys.count == shown ? groups : groups.map { Array($0.prefix(shown)) }
    }

    /// The values of a group of which only the size is asked for.
    private func sized(_ key: Value, _ count: Int) -> [Value] {
        var values = [key]
        values.reserveCapacity(1 + aggregates.count)
        for _ in aggregates { values.append(.int(Int64(count))) }
        return values
    }

    private static func end(
        _ plan: Plan, in snapshot: Snapshot, overlay: Overlay?, work: inout Work, measurement: Measurement?
    ) throws -> Value {
        if plan.query.result == .count {
            return .int(
                Int64(try plan.count(in: snapshot, overlay: overlay, work: &work, measurement: measurement)))
        }
        var found = Value.null
        let execution = try PlanExecution(plan, in: snapshot, work: work, overlay: overlay, measurement: measurement)
        defer { work = execution.work }
        try execution.plan.execute(execution) { match in
            found = match.values.first ?? .null
            return false
        }
        return found
    }

    /// Takes the rows that a plan reaches into groups. Where a skip scan meets far too many first values, it is left for
    /// the best other plan, by which all passes over the rows are made from then on.
    private func collect(
        _ chosen: Plan, in snapshot: Snapshot, overlay: Overlay?, memory: Int, work: inout Work,
        measurement: Measurement?,
        _ body: (ArraySlice<UInt8>, [Value]) throws -> Void
    ) throws {
        let tally = try GroupTally(keys: keys, aggregates, memory: memory)
        var (plan, measurement) = (chosen, measurement)
        repeat {
            let execution = try PlanExecution(
                plan, in: snapshot, work: work, overlay: overlay, measurement: measurement)
            defer { work = execution.work }
            try execution.leavingLongSkips {
                try takeRows(execution, into: tally)
            } by: {
                $0.forGroups
            } following: { next in
                (plan, measurement) = (next.plan, next.measurement)
                try takeRows(next, into: tally)
            }
        } while try tally.finish(body)
    }

    /// Takes the rows that a plan reaches into groups, all in one pass.
    func collect(
        _ plan: Plan, in snapshot: Snapshot, overlay: Overlay?, into tally: GroupTally, work: inout Work
    ) throws {
        let execution = try PlanExecution(plan, in: snapshot, work: work, overlay: overlay)
        defer { work = execution.work }
        try takeRows(execution, into: tally)
    }

    private func takeRows(_ execution: PlanExecution, into tally: GroupTally) throws {
        execution.placer = keys.isEmpty ? nil : RowPlacer(try SortKeys(keys.ascending))
        execution.tally = tally
        tally.begin(pending: try execution.pendingRows(), related: execution.overlay?.related)
        func reachRows() throws {
            try execution.forEachMatch(execution.plan.query.columns) { match in
                // Plans for groups meet each row with its values.
                throw StorageError(
                    .inconsistent("a row of a group was not read"), entity: query.entity, rowID: match.rowID)
            }
        }
        guard execution.takesAllMatches, let batch = tally.makeBatch() else {
            try reachRows()
            return try tally.finishPending()
        }
        execution.batch = batch
        defer { execution.batch = nil }
        _ = try batch.takingAll(reachRows)
        try batch.flush()
    }

    var needsRowOrder: Bool { aggregates.contains(where: \.followsRowOrder) }
}

extension PlanExecution {
    /// The rows that the overlay has in place of stored ones, or besides them, and that match: by id.
    fileprivate func pendingRows() throws -> [PlainRow] {
        guard let overlay else { return [] }
        measurement?.enter(.pending, at: work)
        defer { measurement?.leave(work) }
        let filter = try FilterProgram(Filter(plan.query.predicate))
        var rows: [PlainRow] = []
        func add(_ row: PlainRow) throws {
            work.pending += 1
            if try filter.matches(row, related: overlay.related) { rows.append(row) }
        }
        for row in overlay.touchedRows { try add(row.values) }
        if let entity = overlay.entity {
            try entity.forEachRow(of: entity.candidates(of: plan.query.predicate)) { try add($0) }
        }
        return rows.sorted { $0.rowID < $1.rowID }
    }
}
