import LoamStorage

extension PlanExecution {
    /// Ends an execution whose index has so many first values that another plan is better.
    private struct TooManyValues: Error {
        var other: Plan
        /// How many values were looked up.
        var count: Int
    }

    /// Values are looked up without a look at other plans up to so many times as were expected, and so many more.
    private static var patience: (times: Int, more: Int) { (4, 64) }

    /// Calls the first closure, and where a skip scan in it meets far more first values than were expected, the second
    /// one with an execution of the best other plan. The first one must hand out nothing before its scan is known.
    ///
    /// - Parameter adapted: makes of a plan for the query what the execution takes.
    func leavingLongSkips<Result>(
        _ body: () throws -> Result, by adapted: (Plan) -> Plan = { $0 },
        following: (PlanExecution) throws -> Result
    ) throws -> Result {
        guard case .skip = plan.accessPath else { return try body() }
        leavesSkips = true
        defer { leavesSkips = false }
        do {
            return try body()
        } catch let error as TooManyValues {
            let next = try self.following(adapted(error.other))
            next.work.abandoned += error.count
            defer { work = next.work }
            return try following(next)
        }
    }

    /// The scan that a skip scan comes to: its ranges behind each value of the first component. A look-up for each
    /// value, which counts as a range and an entry.
    ///
    /// Where other plans may follow, it ends at the latest when the look-ups have cost as much as the best of them: so
    /// both together cost no more than twice what the better one does.
    func scan(of skip: SkipScan) throws -> IndexScan {
        measurement?.enter(.skips, at: work)
        defer { measurement?.leave(work) }
        let scan = skip.scan
        guard let leading = try scan.index.components.first.map({ try KeyComponent($0) }) else { return scan }
        let outline = try skip.outline
        var most = leavesSkips ? Self.patience.times * skip.leadingCount + Self.patience.more : .max
        var (rest, count, other) = (KeyRange.all, 0, nil as Plan?)
        var ranges: [KeyRange] = []
        while let key = try firstKey(of: leading, in: rest, scan.index) {
            count += 1
            ranges += try skip.ranges(behind: key, outline)
            if count > most {
                if let other { throw TooManyValues(other: other, count: count) }
                guard let found = try planWithoutSkips() else {
                    most = .max
                    continue
                }
                other = found
                most = max(count, Int(min(found.estimate.cost / skip.costOfValue, 0x1p53)))
            }
            guard let next = KeyRange.successor(of: key) else { break }
            rest = KeyRange(lower: next)
        }
        return scan.replacing(ranges: ranges)
    }

    /// The best plan for the query that skips through no values.
    private func planWithoutSkips() throws -> Plan? {
        let query = readsRecords ? plan.query.forRecords : plan.query
        return try Planner.plans(query, statistics: snapshot)
            .filter { if case .skip = $0.accessPath { false } else { true } }
            .min { $0.estimate.cost < $1.estimate.cost }
    }

    private func firstKey(of leading: KeyComponent, in range: KeyRange, _ index: Index) throws -> [UInt8]? {
        var found: [UInt8]?
        work.ranges += 1
        try snapshot.scanIndex(index, range: range) { batch in
            work.entries += 1
            let key = try batch.fullKey(at: 0)
            found = Array(key[..<(try leading.skip(key.span.bytes, from: 0))])
            return false
        }
        return found
    }
}
