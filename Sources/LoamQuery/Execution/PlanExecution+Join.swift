import LoamStorage

extension PlanExecution {
    /// The rows from which a join's relationship leads to a row that its target finds; some may not exist.
    func sources(of join: Join) throws -> Set<RowID> {
        var sources: Set<RowID> = []
        var part = Work()
        defer { work.add(part) }
        if join.hop.inverseReference != nil {
            try join.target.execute(in: snapshot, work: &part) { _, values in
                if case .uint(let source)? = values.first { sources.insert(source) }
                return true
            }
            return sources
        }
        var targets: [RowID] = []
        try join.target.execute(in: snapshot, work: &part) { rowID, _ in
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
}
