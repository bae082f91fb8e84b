import LoamStorage

/// Sorts of rows that are equal in the first keys of an order, where the scan of an index comes in the order of these.
extension Plan {
    /// The plan with ``Arrangement/partial(_:)`` in place of a sort of all rows; nil where no key of the order leads the
    /// scan.
    package var sortedWithinGroups: Plan? {
        switch arrangement {
        case .sorted, .top: break
        case .served, .partial, .byRowID, .sums: return nil
        }
        guard case .index(var scan) = accessPath, let (count, isReversed) = scan.leadingKeys(of: query.openOrder) else {
            return nil
        }
        var plan = self
        scan.isReversed = isReversed
        (plan.accessPath, plan.arrangement, plan.covering) = (.index(scan), .partial(count), nil)
        return plan
    }

    /// The plan with a sort of all rows in place of ``Arrangement/partial(_:)``.
    var sortedAsAWhole: Plan {
        guard case .partial = arrangement else { return self }
        var plan = self
        plan.arrangement = wanted.map(Arrangement.top) ?? .sorted
        return plan
    }

    /// Sorts within groups where a limit ends that after a small part of the rows: those of the groups up to the one in
    /// which the last row that is wanted is expected. A look-up and a count, or a few.
    ///
    /// - Parameters:
    ///   - order: the keys that the predicate leaves open.
    ///   - share: of the rows, those that pass the residual tests.
    /// - Returns: the rows that are expected to be looked at; nil where all rows are sorted, or none.
    mutating func sortWithinGroups(
        _ order: [ResolvedSortKey], share: Double, statistics: any IndexStatistics
    ) throws -> Double? {
        guard case .top(let wanted) = arrangement else { return nil }
        let most = Double(estimate.candidates) / Self.partOfAll
        let needed = (Double(max(1, wanted)) / share).rounded(.up)
        guard needed <= most, case .index(var scan) = accessPath,
            let (count, isReversed) = scan.leadingKeys(of: order)
        else { return nil }
        scan.isReversed = isReversed
        guard let examined = try scan.countThroughGroup(of: Int(needed) - 1, keyCount: count, statistics: statistics),
            Double(examined) <= most
        else { return nil }
        (accessPath, arrangement, covering) = (.index(scan), .partial(count), nil)
        return Double(examined)
    }

    /// How many times as many rows there are as are looked at, at least: reading the record of each costs so much more
    /// than a value in the index.
    private static var partOfAll: Double { 32 }
}

extension IndexScan {
    /// Ranges that are looked through for a position, at most.
    private static let mostRanges = 16

    /// How many entries are met up to the end of the group in which the one at a position is; nil where it is not found
    /// in the first ranges.
    ///
    /// - Parameter keyCount: how many keys of the order the scan follows.
    fileprivate func countThroughGroup(
        of position: Int, keyCount: Int, statistics: any IndexStatistics
    ) throws -> Int? {
        var before = 0
        for range in (isReversed ? ranges.reversed() : ranges).prefix(Self.mostRanges) {
            let count = try statistics.countThroughGroup(
                of: position - before, in: index, range: range, reversed: isReversed,
                componentCount: equalityCount + keyCount)
            if let count { return before + count }
            before += try statistics.count(in: index, range: range)
            // Nothing is known where the position is not behind the range.
            guard before <= position else { return nil }
        }
        return nil
    }

    /// How many of the keys of an order, from the first on, the scan follows, and whether it runs backwards then; nil for
    /// none.
    func leadingKeys(of order: [ResolvedSortKey]) -> (count: Int, isReversed: Bool)? {
        guard !isInexact, !isMerged else { return nil }
        guard !order.isEmpty, equalityCount < shared.componentCount else { return nil }
        let matches = shared.matches(order)
        guard let isReversed = matches.isReversed(component: equalityCount, key: 0) else { return nil }
        var count = 1
        while count < order.count, matches.isReversed(component: equalityCount + count, key: count) == isReversed {
            count += 1
        }
        return (count, isReversed)
    }
}
