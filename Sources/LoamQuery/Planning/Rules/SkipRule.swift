import LoamStorage

/// Conditions on the components of an index behind its first one, of which nothing is asked, or an order by these: a
/// look-up for each value of that one, which pays where it has few.
///
/// How many it has is estimated from some entries, which takes about fifty look-ups for each index, once for a state of
/// it. So plans are asked for only where every other one costs more than that.
enum SkipRule {
    /// The cost of another plan up to which none is looked for.
    static let worthwhile = 5_000.0
    private static let sampleCount = 16
    /// Ranges that are counted behind all values of the sample together.
    private static let countedLimit = 64

    /// Whether plans are looked for where another one costs so much; nil asks for all.
    static func isWorthwhile(_ cost: Double?) -> Bool { cost.map { $0 > worthwhile } ?? true }

    /// - Parameter cost: of the best plan that there is without them; nil where they are wanted whatever they cost.
    static func candidates(_ context: PlanContext, cost: Double?) throws -> [Candidate] {
        try outlines(context, takesAll: cost == nil).flatMap { try ways($0, context, cost: cost) }
    }

    /// What follows from the shape of the query: the components behind the first ones of those indexes for which such a
    /// plan may pay.
    ///
    /// - Parameter takesAll: whether those are among them for which another index does better.
    /// - Throws: `StorageError` for a component whose values have no order.
    static func outlines(_ context: PlanContext, takesAll: Bool = false) throws -> [ScanOutline] {
        try context.indexes.compactMap { index in
            let paths = context.paths.lazy.compactMap(\.self)
            let mayPay =
                applies(to: index, paths: paths)
                ? takesAll || !isInVain(index, context)
                : servesOrder(index, paths: paths, context) && (takesAll || !isServedOtherwise(index, context))
            return mayPay ? try ScanOutline(index, paths: context.paths, from: 1, order: context.openOrder) : nil
        }
    }

    /// Whether conditions on these paths ask something of the second component, and nothing of the first.
    static func applies(to index: Index, paths: some Sequence<PropertyPath>) -> Bool {
        guard index.components.count > 1 else { return false }
        return paths.contains(where: index.components[1].concerns)
            && !paths.contains(where: index.components[0].concerns)
    }

    /// Whether another index begins with what this one has behind its first component, and nothing else of this one is
    /// asked for: an order or sections by the first, or a condition on a third or an order by it.
    private static func isInVain(_ index: Index, _ context: PlanContext) -> Bool {
        guard context.query.result != .sections else { return false }
        let (first, second) = (index.components[0], index.components[1])
        if let key = context.openOrder.first, first.isValue(of: key.path) { return false }
        for component in index.components.dropFirst(2)
        where context.paths.contains(where: { $0.map(component.concerns) ?? false })
            || mergesOrder(by: component, context)
        {
            return false
        }
        return context.indexes.contains { other in
            guard other.id != index.id, let leading = other.components.first else { return false }
            return leading.property == second.property && leading.path == second.path && leading.form == second.form
                && leading.function == second.function
        }
    }

    /// - Parameters:
    ///   - outline: of the components behind the first one.
    ///   - cost: as for ``candidates(_:cost:)``.
    static func candidate(_ outline: ScanOutline, _ context: PlanContext, cost: Double?) throws -> Candidate? {
        let index = outline.index
        guard try context.statistics.inexactCount(in: index) == 0 else { return nil }
        let sample = try context.statistics.leadingKeys(of: index, count: sampleCount)
        let leadingCount = min(
            context.rowCount, max(1, Int((sample.valuesPerKey * Double(context.rowCount)).rounded())))
        guard Double(leadingCount) * Cost.range < cost ?? .infinity else { return nil }
        var (entries, taken, most) = (0.0, 0, 0)
        var first: (key: [UInt8], builder: BuiltScan.Builder, ranges: [KeyRange])?
        let runs = context.sampledKeys.map(sample.runs.spread) ?? sample.runs
        for run in runs {
            let ranges: [KeyRange]
            if let known = first, let moved = known.ranges.moved(from: known.key, to: run.key) {
                ranges = moved
            } else {
                let builder = try BuiltScan.Builder(outline, behind: run.key, answering: context.conjuncts)
                ranges = builder.ranges
                first = first ?? (run.key, builder, ranges)
                guard !builder.conditions.isEmpty || outline.steps.isEmpty else { return nil }
            }
            guard Double(ranges.count) * Cost.range < cost ?? .infinity else { return nil }
            let counted = ranges.spread(over: max(4, countedLimit / runs.count))
            let inside = outline.steps.isEmpty ? run.entryCount : try context.count(counted, in: index)
            let scale = Double(ranges.count) / Double(max(1, counted.count))
            entries += min(1, Double(inside) * scale / Double(max(1, run.entryCount))) * Double(run.times)
            taken += run.times
            most = max(most, ranges.count)
        }
        guard let first else { return nil }
        let share = entries / Double(taken)
        let rows = min(context.rowCount, Int((share * Double(context.rowCount)).rounded(.up)))
        let scan = IndexScan(behindEachOf: outline.shared, like: first.builder, entryCount: rows)
        let skip = SkipScan(scan: scan, leadingCount: leadingCount, rangeCount: most)
        return Candidate(accessPath: .skip(skip), answered: first.builder.answered, rows: rows, origin: nil)
    }
}

extension [KeyRange] {
    /// The same ranges behind another key; nil where one of them ends behind all that begins with the first key.
    fileprivate func moved(from key: [UInt8], to other: [UInt8]) -> [KeyRange]? {
        var moved: [KeyRange] = []
        moved.reserveCapacity(count)
        for range in self {
            guard let range = range.moved(from: key, to: other) else { return nil }
            moved.append(range)
        }
        return moved
    }
}
