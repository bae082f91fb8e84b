import LoamStorage

/// A scan, and which of the conjuncts that were given it comes from.
struct BuiltScan {
    let scan: IndexScan
    /// The conjuncts that the ranges come from, by position.
    var conditions: [Int] { scan.positions }
    /// Those among them that the ranges answer completely.
    let answered: [Int]
}

/// How exactly entries are counted.
enum CountPrecision {
    case exact
    /// Long ranges from what is kept in memory alone, and of the short ones no more than these; none of those that are
    /// sure to hold no more than so many entries together.
    case estimate(mostCounted: Int, uncounted: Int)
    /// Nothing depends on it: one range stands for all, and its blocks for it.
    case rough

    /// The bounds of what is counted; nil where that is all.
    var ofEstimate: (mostCounted: Int, uncounted: Int)? {
        switch self {
        case .exact: nil
        case .estimate(let mostCounted, let uncounted): (mostCounted, uncounted)
        case .rough: (1, .max)
        }
    }
}

extension BuiltScan {
    /// Ranges beyond which the points of a component are not multiplied with those of the next.
    fileprivate static let productLimit = 1024
    /// Ranges that are counted one by one. Of more, so many spread over all are, and the others are taken to be as
    /// large as these.
    private static let countedLimit = 64

    /// The scan that answers as much of `conjuncts` as the index's components, from the first on, can: any number of
    /// components that are points, then one that is ranges.
    ///
    /// - Parameters:
    ///   - conjuncts: those that the outline was made for, whatever their constants.
    ///   - precision: of ``IndexScan/entryCount``.
    init(
        _ outline: ScanOutline, answering conjuncts: [TypedPredicate], statistics: any IndexStatistics,
        precision: CountPrecision
    ) throws {
        if let step = outline.onlyStep {
            try self.init(outline, step, answering: conjuncts, statistics: statistics, precision: precision)
            return
        }
        try self.init(
            outline, Builder(outline, answering: conjuncts), statistics: statistics, precision: precision)
    }

    private init(
        _ outline: ScanOutline, _ builder: Builder, statistics: any IndexStatistics, precision: CountPrecision
    ) throws {
        let ranges = builder.ranges
        let findsRows =
            outline.findsOneRow && builder.stepCount == outline.steps.count
            && builder.elements?.arePoints ?? false
        let (entryCount, isInexact) = try Self.count(
            ranges, of: outline.shared, findsRows: findsRows, statistics: statistics, precision: precision)
        answered = isInexact ? [] : builder.answered
        scan = IndexScan(
            shared: outline.shared, ranges: ranges, equalityCount: builder.equalityCount,
            pointCount: builder.pointCount, conjuncts: builder.conjuncts, positions: builder.conditions,
            entryCount: entryCount, isInexact: isInexact)
    }

    /// The same of an outline with one step and one conjunct in it, as most are.
    private init(
        _ outline: ScanOutline, _ step: ScanOutline.Step, answering conjuncts: [TypedPredicate],
        statistics: any IndexStatistics, precision: CountPrecision
    ) throws {
        let set = try step.component.ranges(of: conjuncts[step.conjuncts[0]], after: [])
        let ranges = set?.elements ?? [.all]
        let isOfPoints = set != nil && ranges.arePoints
        let (entryCount, isInexact) = try Self.count(
            ranges, of: outline.shared, findsRows: outline.findsOneRow && isOfPoints, statistics: statistics,
            precision: precision)
        answered = !isInexact && set?.isExact ?? false ? step.conjuncts : []
        scan = IndexScan(
            shared: outline.shared, ranges: ranges, equalityCount: isOfPoints && ranges.count == 1 ? 1 : 0,
            pointCount: isOfPoints ? 1 : 0, conjuncts: conjuncts, positions: set == nil ? [] : step.conjuncts,
            entryCount: entryCount, isInexact: isInexact)
    }

    /// Exact for at most ``countedLimit`` ranges. For more it is an estimate, and never more than all entries from the
    /// first range through the last. O(log n) for each range that is counted.
    private static func count(
        _ ranges: [KeyRange], of index: Index, statistics: any IndexStatistics
    ) throws -> Int {
        let counted = try ranges.spread(over: countedLimit).reduce(0) { sum, range in
            try sum + statistics.count(in: index, range: range)
        }
        guard ranges.count > countedLimit, let first = ranges.first, let last = ranges.last else { return counted }
        let hull = KeyRange(lower: first.lower, upper: last.upper)
        let estimate = Double(counted) * Double(ranges.count) / Double(countedLimit)
        return min(max(1, Int(estimate.rounded(.up))), try statistics.count(in: index, range: hull))
    }

    /// The entries in the ranges, and whether keys of the index were cut.
    ///
    /// - Parameter findsRows: whether each range holds one row at most: then an estimate needs no look.
    private static func count(
        _ ranges: [KeyRange], of index: SharedIndex, findsRows: Bool, statistics: any IndexStatistics,
        precision: CountPrecision
    ) throws -> (entries: Int, isInexact: Bool) {
        guard let (mostCounted, uncounted) = precision.ofEstimate else {
            let entries = try count(ranges, of: index.index, statistics: statistics)
            return (entries, try statistics.inexactCount(in: index.index) > 0)
        }
        if ranges.isEmpty || findsRows { return (ranges.count, try statistics.inexactCount(in: index.index) > 0) }
        let spreadCount = if case .rough = precision { 1 } else { countedLimit }
        guard ranges.count > spreadCount else {
            return try statistics.estimatedCount(
                in: index.index, ranges: ranges, mostCounted: mostCounted, uncounted: uncounted)
        }
        let spread = ranges.spread(over: spreadCount)
        var counted = try statistics.estimatedCount(
            in: index.index, ranges: spread, mostCounted: mostCounted, uncounted: spreadCount == 1 ? uncounted : 0)
        counted.entries = Int((Double(counted.entries) * Double(ranges.count) / Double(spreadCount)).rounded(.up))
        return counted
    }

    /// Goes from component to component.
    struct Builder {
        let conjuncts: [TypedPredicate]
        /// Keys of the components that were points, or the ranges of the last one; nil before the first.
        fileprivate private(set) var elements: [KeyRange]?
        /// Components that were taken in.
        private(set) var stepCount = 0
        private(set) var equalityCount = 0
        private(set) var pointCount = 0
        private(set) var conditions: [Int] = []
        private(set) var answered: [Int] = []

        /// - Parameter key: of the components before those of the outline; nil where these are the first.
        init(_ outline: ScanOutline, behind key: [UInt8]? = nil, answering conjuncts: [TypedPredicate]) throws {
            self.conjuncts = conjuncts
            elements = key.map { [KeyRange.prefix($0).ofOneValue] }
            for step in outline.steps {
                guard try advance(step) else { break }
            }
        }

        /// The whole index before the first step.
        var ranges: [KeyRange] { elements ?? [.all] }

        /// Takes the next component in; false when the scan ends before or behind it.
        private mutating func advance(_ step: ScanOutline.Step) throws -> Bool {
            if elements == nil, step.conjuncts.count == 1 { return try begin(step, with: step.conjuncts[0]) }
            // What the conjuncts come to is the same after each of the elements.
            var (used, complete) = (step.conjuncts, step.conjuncts)
            if let elements, elements.isEmpty { return false }
            let first = elements?[0].lower ?? []
            guard var next = try ranges(step, after: first, used: &used, complete: &complete)?.elements else {
                return false
            }
            for element in elements?.dropFirst() ?? [] {
                var (same, alike) = (used, complete)
                let prefix = element.lower
                guard let ranges = try ranges(step, after: prefix, used: &same, complete: &alike) else {
                    return false
                }
                next += ranges.elements
                if next.count > BuiltScan.productLimit { return false }
            }
            if conditions.isEmpty { conditions = used } else { conditions += used }
            if answered.isEmpty { answered = complete } else { answered += complete }
            return take(next)
        }

        /// Takes the first component in, about which there is one conjunct.
        private mutating func begin(_ step: ScanOutline.Step, with conjunct: Int) throws -> Bool {
            guard let set = try step.component.ranges(of: conjuncts[conjunct], after: []) else { return false }
            conditions = step.conjuncts
            if set.isExact { answered = step.conjuncts }
            return take(set.elements)
        }

        /// Goes on with what a component comes to; false where the scan ends behind it.
        private mutating func take(_ next: [KeyRange]) -> Bool {
            elements = next
            stepCount += 1
            guard next.arePoints else { return false }
            pointCount += 1
            if next.count == 1 { equalityCount += 1 }
            return !next.isEmpty
        }

        /// The ranges behind the key of a point that all conjuncts of the step come to; nil where none of them comes to
        /// ranges.
        ///
        /// - Parameters:
        ///   - used: loses the conjuncts that come to no ranges.
        ///   - complete: loses those that the ranges do not answer.
        private func ranges(
            _ step: ScanOutline.Step, after point: [UInt8], used: inout [Int], complete: inout [Int]
        ) throws -> RangeSet? {
            var combined: RangeSet?
            for position in step.conjuncts {
                guard let set = try step.component.ranges(of: conjuncts[position], after: point) else {
                    used.removeAll { $0 == position }
                    complete.removeAll { $0 == position }
                    continue
                }
                if !set.isExact { complete.removeAll { $0 == position } }
                combined = combined?.intersection(set) ?? set
            }
            return combined
        }
    }
}

extension Array {
    /// So many elements, in order, one from each of as many equal stretches; all where there are no more.
    ///
    /// Each is taken at another point of its stretch (multiples of the golden ratio), so that nothing which comes back
    /// at even distances is always met, or never.
    func spread(over count: Int) -> [Element] {
        guard self.count > count else { return self }
        let stretch = Double(self.count) / Double(count)
        return (0..<count).map { number in
            let point = (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            return self[Int((Double(number) + point) * stretch)]
        }
    }
}
