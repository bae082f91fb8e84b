import LoamStorage

extension PlanExecution {
    /// The rows from which a join's relationship leads to a row that its target finds; some may not exist.
    func sources(of join: Join) throws -> Set<RowID> {
        var sources: Set<RowID> = []
        var part = Work()
        let found = measurement?.measureTarget()
        defer { work.add(part) }
        if join.hop.inverseReference != nil {
            try target(of: join, work: &part, found) { _, values in
                if case .uint(let source)? = values.first { sources.insert(source) }
                return true
            }
            return sources
        }
        var targets: [RowID] = []
        try target(of: join, work: &part, found) { rowID, _ in
            targets.append(rowID)
            return true
        }
        for target in targets {
            part.ranges += 1
            if let index = join.index {
                try snapshot.forEachReferrer(of: target, index) {
                    part.entries += 1
                    sources.insert($0)
                }
            } else {
                sources.formUnion(
                    try snapshot.relatedRowIDs(of: target, join.hop.reversedLinks, in: join.hop.destination))
            }
        }
        return sources
    }

    private func target(
        of join: Join, work part: inout Work, _ measurement: Measurement?,
        _ body: (_ rowID: RowID, _ values: [Value]) throws -> Bool
    ) throws {
        let execution = try PlanExecution(join.target, in: snapshot, work: part, measurement: measurement)
        defer {
            part = execution.work
            if let measurement { self.measurement?.leaveOut(part, of: measurement) }
        }
        try join.target.execute(execution) { try body($0.rowID, $0.values) }
    }
}
