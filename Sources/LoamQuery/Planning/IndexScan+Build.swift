import LoamStorage

extension IndexScan {
    /// Ranges beyond which the points of a component are not multiplied with those of the next.
    private static let productLimit = 1024
    /// Ranges that are counted one by one. Of more, so many spread over all are, and the others are taken to be as
    /// large as these.
    private static let countedLimit = 64

    /// The scan that answers as much of `conjuncts` as the index's components, from the first on, can: any number of
    /// components that are points, then one that is ranges.
    ///
    /// - Parameter isEstimated: whether estimates of long ranges do.
    init(
        _ index: Index, answering conjuncts: [TypedPredicate], statistics: some IndexStatistics,
        isEstimated: Bool = false
    ) throws {
        var builder = Builder(conjuncts: conjuncts)
        for component in index.components {
            guard try builder.advance(ComponentConditions(component)) else { break }
        }
        let isInexact = try statistics.inexactCount(in: index) > 0
        let ranges = builder.ranges
        self.init(
            index: index, ranges: ranges, equalityCount: builder.equalityCount, conditions: builder.conditions,
            answered: isInexact ? [] : builder.answered,
            entryCount: try Self.count(ranges, of: index, statistics: statistics, isEstimated: isEstimated),
            isInexact: isInexact)
    }

    /// Exact for at most ``countedLimit`` ranges. For more it is an estimate, and never more than all entries from the
    /// first range through the last. O(log n) for each range that is counted.
    private static func count(
        _ ranges: [KeyRange], of index: Index, statistics: some IndexStatistics, isEstimated: Bool
    ) throws -> Int {
        let counted = try ranges.spread(over: countedLimit).reduce(0) { sum, range in
            try sum
                + (isEstimated
                    ? statistics.estimatedCount(in: index, range: range) : statistics.count(in: index, range: range))
        }
        guard ranges.count > countedLimit, let first = ranges.first, let last = ranges.last else { return counted }
        let hull = KeyRange(lower: first.lower, upper: last.upper)
        let estimate = Double(counted) * Double(ranges.count) / Double(countedLimit)
        return min(max(1, Int(estimate.rounded(.up))), try statistics.count(in: index, range: hull))
    }

    private struct Builder {
        let conjuncts: [TypedPredicate]
        /// Keys of the components that were points, or the ranges of the last one.
        var elements: [RangeSet.Element] = [.init(range: .all, isPoint: true)]
        var equalityCount = 0
        var conditions: [TypedPredicate] = []
        var answered: [TypedPredicate] = []

        var ranges: [KeyRange] { elements.map(\.range) }

        /// Takes the next component in; false when the scan ends before or behind it.
        mutating func advance(_ component: ComponentConditions) throws -> Bool {
            let relevant = conjuncts.filter { Self.reads($0, only: component) }
            guard !relevant.isEmpty else { return false }
            var next: [RangeSet.Element] = []
            var used: [TypedPredicate] = []
            var complete: [TypedPredicate] = []
            for (position, element) in elements.enumerated() {
                var combined: RangeSet?
                for conjunct in relevant {
                    guard let set = try component.ranges(of: conjunct, after: element.range.lower) else { continue }
                    combined = combined?.intersection(set) ?? set
                    guard position == 0 else { continue }
                    used.append(conjunct)
                    if set.isExact { complete.append(conjunct) }
                }
                guard let combined else { return false }
                next += combined.elements
                if next.count > productLimit && elements.count > 1 { return false }
            }
            elements = next
            conditions += used
            answered += complete
            guard elements.allSatisfy(\.isPoint) else { return false }
            if elements.count == 1 { equalityCount += 1 }
            return !elements.isEmpty
        }

        private static func reads(_ predicate: TypedPredicate, only component: ComponentConditions) -> Bool {
            let paths = predicate.paths
            return paths.count == 1 && !predicate.readsIdentifier && paths.allSatisfy(component.concerns)
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
