import LoamStorage

/// Conditions on the components of an index behind its first one, of which nothing is asked: a look-up for each value
/// of that one, which pays where it has few.
///
/// How many it has is estimated from some entries, which takes about fifty look-ups for each index. So plans are asked
/// for only where every other one costs more than that.
enum SkipRule {
    /// The cost of another plan up to which none is looked for.
    static let worthwhile = 5_000.0
    private static let sampleCount = 16

    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.indexes.compactMap { try candidate($0, context) }
    }

    /// Whether conditions on these paths ask something of the second component, and nothing of the first.
    static func applies(to index: Index, paths: some Sequence<PropertyPath>) -> Bool {
        guard index.components.count > 1 else { return false }
        return paths.contains(where: index.components[1].concerns)
            && !paths.contains(where: index.components[0].concerns)
    }

    private static func candidate(_ index: Index, _ context: PlanContext) throws -> Candidate? {
        guard applies(to: index, paths: context.paths.compactMap(\.self)),
            try context.statistics.inexactCount(in: index) == 0
        else { return nil }
        let sample = try context.statistics.leadingKeys(of: index, count: sampleCount)
        let outline = try ScanOutline(index, paths: context.paths, from: 1)
        var (values, entries, most) = (0.0, 0.0, 0)
        var first: BuiltScan.Builder?
        for (key, count) in sample {
            let builder = try BuiltScan.Builder(outline, behind: key, answering: context.conjuncts)
            guard !builder.conditions.isEmpty else { return nil }
            let inside = try builder.ranges.reduce(0) { try $0 + context.statistics.count(in: index, range: $1) }
            // A value is met as often as it has entries.
            values += 1 / Double(max(1, count))
            entries += Double(inside) / Double(max(1, count))
            most = max(most, builder.ranges.count)
            first = first ?? builder
        }
        guard let first else { return nil }
        let each = Double(context.rowCount) / Double(sample.count)
        let rows = min(context.rowCount, Int((entries * each).rounded(.up)))
        let scan = IndexScan(behindEachOf: index, like: first, entryCount: rows)
        let skip = SkipScan(
            scan: scan, leadingCount: min(context.rowCount, max(1, Int((values * each).rounded()))), rangeCount: most)
        return Candidate(accessPath: .skip(skip), answered: first.answered, rows: rows, origin: nil)
    }
}
