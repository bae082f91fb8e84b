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
    /// Ranges that are counted behind all values of the sample together.
    private static let countedLimit = 64

    /// - Parameter cost: of the best plan that there is without them; nil where they are wanted whatever they cost.
    static func candidates(_ context: PlanContext, cost: Double?) throws -> [Candidate] {
        try context.indexes.compactMap { try candidate($0, context, cost: cost) }
    }

    /// Whether conditions on these paths ask something of the second component, and nothing of the first.
    static func applies(to index: Index, paths: some Sequence<PropertyPath>) -> Bool {
        guard index.components.count > 1 else { return false }
        return paths.contains(where: index.components[1].concerns)
            && !paths.contains(where: index.components[0].concerns)
    }

    /// Whether another index begins with what this one has behind its first component, and nothing else of this one is
    /// asked for: an order or sections by the first, or a condition on a third.
    private static func isInVain(_ index: Index, _ context: PlanContext) -> Bool {
        guard context.query.result != .sections else { return false }
        let (first, second) = (index.components[0], index.components[1])
        if let key = context.openOrder.first, first.isValue(of: key.path) { return false }
        for component in index.components.dropFirst(2)
        where context.paths.contains(where: { $0.map(component.concerns) ?? false }) {
            return false
        }
        return context.indexes.contains { other in
            guard other.id != index.id, let leading = other.components.first else { return false }
            return leading.property == second.property && leading.path == second.path && leading.form == second.form
                && leading.function == second.function
        }
    }

    private static func candidate(_ index: Index, _ context: PlanContext, cost: Double?) throws -> Candidate? {
        guard applies(to: index, paths: context.paths.compactMap(\.self)),
            cost == nil || !isInVain(index, context), try context.statistics.inexactCount(in: index) == 0
        else { return nil }
        let sample = try context.statistics.leadingKeys(of: index, count: sampleCount)
        let outline = try ScanOutline(index, paths: context.paths, from: 1)
        var (values, entries, most) = (0.0, 0.0, 0)
        var first: BuiltScan.Builder?
        let keys = sample.runs
        for (key, count, times) in keys {
            let builder = try BuiltScan.Builder(outline, behind: key, answering: context.conjuncts)
            let ranges = builder.ranges
            guard !builder.conditions.isEmpty, Double(ranges.count) * Cost.range < cost ?? .infinity else { return nil }
            let counted = ranges.spread(over: max(4, countedLimit / keys.count))
            let inside = try counted.reduce(0) { try $0 + context.statistics.count(in: index, range: $1) }
            let scale = Double(ranges.count) / Double(max(1, counted.count))
            // A value is met as often as it has entries.
            values += Double(times) / Double(max(1, count))
            entries += min(1, Double(inside) * scale / Double(max(1, count))) * Double(times)
            most = max(most, ranges.count)
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

extension [(key: [UInt8], count: Int)] {
    /// Keys that follow each other and are equal as one, with how many they are.
    fileprivate var runs: [(key: [UInt8], count: Int, times: Int)] {
        var runs: [(key: [UInt8], count: Int, times: Int)] = []
        for (key, count) in self {
            if let last = runs.last, last.key == key {
                runs[runs.count - 1].times += 1
            } else {
                runs.append((key, count, 1))
            }
        }
        return runs
    }
}
