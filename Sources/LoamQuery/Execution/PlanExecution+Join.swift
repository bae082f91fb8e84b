import LoamStorage

extension PlanExecution {
    /// The rows from which a join's relationship leads to a row that its target finds; some may not exist.
    ///
    /// The target's rows come in any order, each once. A row takes nothing from the heap but its place in the set, and
    /// where no reference leads back from it one in a list.
    func sources(of join: Join) throws -> Set<RowID> {
        var sources: Set<RowID> = []
        var part = Work()
        let found = measurement?.measureTarget()
        defer { work.add(part) }
        if join.hop.inverseReference != nil {
            try forEachTarget(of: join, work: &part, found) { _, source in
                if let source { sources.insert(source) }
            }
            return sources
        }
        var targets: [RowID] = []
        try forEachTarget(of: join, work: &part, found) { target, _ in targets.append(target) }
        part.ranges += targets.count
        if join.index != nil {
            for target in targets {
                try snapshot.scanReferrers(of: target, join.hop.relationship) {
                    part.entries += 1
                    sources.insert($0)
                    return true
                }
            }
        } else {
            let links = join.hop.reversedLinks
            for target in targets {
                try snapshot.scanRelated(of: target, links, in: join.hop.destination) {
                    sources.insert($0)
                    return true
                }
            }
        }
        return sources
    }

    /// Calls `body` with each row that a join's target finds, and what its reference back holds, where that is asked for.
    private func forEachTarget(
        of join: Join, work part: inout Work, _ measurement: Measurement?,
        _ body: (_ target: RowID, _ source: RowID?) -> Void
    ) throws {
        let execution = try PlanExecution(join.target, in: snapshot, work: part, measurement: measurement)
        defer {
            part = execution.work
            if let measurement { self.measurement?.leaveOut(part, of: measurement) }
        }
        try execution.leavingLongSkips {
            try execution.forEachTarget(body)
        } following: {
            try $0.forEachTarget(body)
        }
    }

    /// Calls `body` with each row that matches, and what the column holds that is asked for.
    private func forEachTarget(_ body: (_ target: RowID, _ source: RowID?) -> Void) throws {
        let paths = plan.query.columns
        let reading = ColumnReading(paths)
        columns = reading
        try forEachMatch(paths) { match in
            work.returned += 1
            if let reading, let value = reading.values.first {
                body(match.rowID, value.kind == .uint ? value.uint : nil)
            } else if case .uint(let source)? = match.values.first {
                body(match.rowID, source)
            } else {
                body(match.rowID, nil)
            }
            return true
        }
    }
}
