import LoamStorage

extension Plan {
    /// How the rows come into their order, and where the values are found that are needed of them.
    struct Reading: Sendable {
        var arrangement: Arrangement
        var covering: Covering?

        init(_ plan: borrowing Plan) { (arrangement, covering) = (plan.arrangement, plan.covering) }

        /// Whether a plan that reads the rows of the same index for the same tests needs their records, in whatever
        /// order they come: no order needs less of them than these.
        var needsRecords: Bool {
            switch arrangement {
            case .served, .byRowID: covering == nil
            case .partial, .sorted, .top, .sums: false
            }
        }
    }

    /// Completes a candidate: what stays to be tested, how the order comes about, what it will cost.
    init(_ candidate: Candidate, context: PlanContext, selectivity: Selectivity) throws {
        let open = candidate.openPositions(in: context)
        self.init(candidate, context: context, open: open)
        arrange(context.openOrder)
        let share = try selectivity.share(of: open, among: candidate.rows)
        let examined = try sortWithinGroups(context.openOrder, share: share, statistics: context.statistics)
        try cover(context.openOrder)
        weigh(
            share: share, examined: examined,
            related: try residual.reduce(0) { cost, conjunct in
                try cost + (conjunct.readsRelations ? Cost.related(conjunct, statistics: context.statistics) : 0)
            })
    }

    /// Completes a candidate that reads no related rows.
    ///
    /// - Parameters:
    ///   - kept: of a plan that reaches the rows in the same way for other constants, with the same open conjuncts; nil
    ///     where there is none.
    ///   - share: of the rows, those that are taken to pass the residual tests.
    init(_ candidate: Candidate, context: PlanContext, open: [Int], like kept: Reading?, share: Double) throws {
        self.init(candidate, context: context, open: open)
        arrange(context.openOrder)
        let examined = try sortWithinGroups(context.openOrder, share: share, statistics: context.statistics)
        // What is needed of a row follows from the shape of the query and from what else is equal.
        if let kept, arrangement.isSameKind(as: kept.arrangement) {
            covering = kept.covering
        } else {
            try cover(context.openOrder)
        }
        if accessPath.scan == nil { covering = nil }
        weigh(share: share, examined: examined, related: 0)
    }

    @inline(__always)
    private init(_ candidate: Candidate, context: PlanContext, open: [Int]) {
        self.init(
            context.shared, accessPath: candidate.accessPath,
            residual: open.count == context.conjuncts.count ? context.conjuncts : open.map { context.conjuncts[$0] },
            estimate: Estimate(candidates: candidate.rows, entries: 0, records: 0, rows: 0, cost: 0))
    }

    /// Rows to be found before the last one that is wanted; nil for all.
    var wanted: Int? {
        guard query.result != .sections, let limit = query.limit else { return nil }
        let (sum, overflow) = limit.addingReportingOverflow(query.offset)
        return overflow ? nil : sum
    }

    /// - Parameter order: the keys that the predicate leaves open.
    private mutating func arrange(_ order: [ResolvedSortKey]) {
        if countsFromSums {
            arrangement = .sums
            return
        }
        switch accessPath {
        case .nothing: arrangement = .served
        case .rows, .table: arrangement = order.isEmpty ? .served : inMemory
        case .union, .intersection, .join: arrangement = order.isEmpty ? .byRowID : inMemory
        case .index, .skip:
            guard let scan = accessPath.scan else { return }
            if query.result != .rows {
                arrangement = .served
            } else if let isReversed = scan.isReversed(for: order, rowIDs: query.rowIDDirection) {
                if isReversed { accessPath.reverse() }
                arrangement = .served
            } else {
                arrangement = order.isEmpty ? .byRowID : inMemory
            }
        }
    }

    private var inMemory: Arrangement {
        wanted.map(Arrangement.top) ?? .sorted
    }

    /// Whether the answer follows from sums and headers alone.
    private var countsFromSums: Bool {
        guard residual.isEmpty else { return false }
        switch (query.result, accessPath) {
        case (.count, .table(from: .min, through: .max)): return true
        case (.count, .index(let scan)): return !scan.isInexact
        case (.count, .skip): return true
        case (.sections, .index), (.sections, .skip):
            guard let scan = accessPath.scan, !scan.isInexact, let leading = scan.index.components.first else {
                return false
            }
            guard let section = query.section else { return false }
            return leading.isValue(of: section) && leading.form == .exact
                && query.order.first?.form == .exact
        default: return false
        }
    }

    private mutating func cover(_ order: [ResolvedSortKey]) throws {
        guard let scan = accessPath.scan, arrangement != .sums, !scan.isMerged else { return }
        if case .partial = arrangement { return }
        // Mostly a column is missing.
        if query.result == .rows, try !Covering.mayHold(query.columns, in: scan.index) {
            covering = nil
            return
        }
        // An index that is gone through as a whole is to spare the records, also those of keys that were cut.
        if query.isUnordered, scan.isInexact, !scan.isNarrowed {
            covering = nil
            return
        }
        covering = try Covering(neededPaths(order), in: scan.index)
    }

    /// Every path whose value is needed of a row itself.
    var neededPaths: Set<PropertyPath> { neededPaths(query.openOrder) }

    private func neededPaths(_ order: @autoclosure () -> [ResolvedSortKey]) -> Set<PropertyPath> {
        var paths = residual.reduce(into: Set<PropertyPath>()) { $0.formUnion($1.paths) }
        switch query.result {
        case .count: break
        case .sections: if let section = query.section { paths.insert(section) }
        case .rows:
            paths.formUnion(query.columns)
            switch arrangement {
            case .sorted, .top: paths.formUnion(order().map(\.path))
            case .served, .partial, .byRowID, .sums: break
            }
        }
        return Set(paths.compactMap(\.own))
    }

    /// Whether any value is needed of a row itself: whether there are ``neededPaths``.
    private var needsValues: Bool {
        switch query.result {
        case .count: break
        case .sections: if query.section?.own != nil { return true }
        case .rows:
            if query.hasOwnColumns { return true }
            switch arrangement {
            case .sorted, .top: if query.openOrder.contains(where: { $0.path.own != nil }) { return true }
            case .served, .partial, .byRowID, .sums: break
            }
        }
        return residual.contains { $0.paths.contains { $0.own != nil } }
    }

    /// Whether rows before the offset are passed over by counts, unread.
    var skipsByPosition: Bool {
        guard query.result == .rows, query.offset > 0, arrangement == .served, residual.isEmpty,
            case .index(let scan) = accessPath
        else { return false }
        return !scan.isInexact && !scan.isMerged
    }

    /// - Parameters:
    ///   - share: of the rows, those that pass the residual tests.
    ///   - grouped: the rows that are looked at where they are sorted within groups.
    ///   - related: what it costs to test a row's related rows.
    ///   - ledger: told of what falls to each operator.
    mutating func weigh(
        share: Double, examined grouped: Double?, related: Double, ledger: CostLedger? = nil
    ) {
        estimate.basis = Estimate.Basis(share: share, grouped: grouped, related: related)
        let candidates = Double(estimate.candidates)
        let matches = candidates * share
        let stops = arrangement == .served || (arrangement == .byRowID && residual.isEmpty)
        let wanted = (skipsByPosition ? query.limit : self.wanted).map(Double.init)
        let examined = grouped ?? (stops ? min(candidates, (wanted ?? .infinity) / share) : candidates)
        let rest = max(0, matches - Double(query.offset))
        let returned = query.result == .rows ? min(rest, query.limit.map(Double.init) ?? rest) : 0
        estimate.rows = Int(returned.rounded(.up))
        switch accessPath {
        case .nothing: break
        case .rows: weigh(records: examined, each: Cost.unsortedFetch, of: .scan(0), in: ledger)
        case .table: weigh(records: examined, each: 1, of: .scan(0), in: ledger)
        case .union(let scans):
            estimate.entries = estimate.candidates
            weigh(records: examined, each: Cost.sortedFetch, of: .fetch, in: ledger)
            spend(candidates * Cost.union, on: .combination, in: ledger)
            for (number, scan) in scans.enumerated() {
                spend(Double(scan.ranges.count) * Cost.range, on: .scan(number), in: ledger)
            }
        case .intersection(let scans):
            estimate.entries = scans.reduce(0) { $0 + $1.entryCount }
            for (number, scan) in scans.enumerated() { spend(Cost.intersecting(scan), on: .scan(number), in: ledger) }
            if needsValues { weigh(records: examined, each: Cost.sortedFetch, of: .fetch, in: ledger) }
        case .skip(let skip):
            spend(Double(skip.leadingCount) * skip.costOfValue, on: .scan(0), in: ledger)
            weigh(skip.scan, examined: examined, in: ledger)
        case .join(let join):
            // What leads back to the row stands in the related row itself, or is looked up for each.
            let each = join.hop.inverseReference == nil ? Cost.step : Cost.coveredEntry
            estimate.cost = join.target.estimate.cost
            spend(Double(join.target.estimate.rows) * each, on: .combination, in: ledger)
            weigh(records: examined, each: Cost.sortedFetch, of: .fetch, in: ledger)
        case .index(let scan):
            spend(Double(scan.ranges.count) * Cost.range, on: .scan(0), in: ledger)
            weigh(scan, examined: examined, in: ledger)
        }
        spend(examined * related, on: .filter, in: ledger)
        switch arrangement {
        case .sorted: spend(Cost.sort(matches, keeping: nil), on: .sort, in: ledger)
        case .top(let limit): spend(Cost.sort(matches, keeping: limit), on: .sort, in: ledger)
        case .partial: spend(Cost.sort(examined * share, keeping: self.wanted), on: .sort, in: ledger)
        case .byRowID where covering != nil && query.result == .rows && !query.isUnordered:
            let isOfIDs = query.columns.isEmpty
            spend(
                isOfIDs ? matches * Cost.sortedRowID : Cost.sort(matches, keeping: self.wanted), on: .sort, in: ledger)
        case .served, .byRowID, .sums: break
        }
        if refetches { weigh(records: returned, each: Cost.fetch(inOrder: returned), of: .refetch, in: ledger) }
    }

    private mutating func weigh(_ scan: IndexScan, examined: Double, in ledger: CostLedger?) {
        if scan.isMerged { spend(examined * Cost.merge, on: .scan(0), in: ledger) }
        guard arrangement != .sums else { return }
        let examinedEntries = arrangement.isGradual ? examined : Double(estimate.candidates)
        estimate.entries = Int(examinedEntries.rounded(.up))
        if let covering {
            let each = covering.sources.isEmpty ? Cost.entry : Cost.coveredEntry
            spend(examinedEntries * each, on: .scan(0), in: ledger)
        } else {
            spend(examinedEntries * Cost.entry, on: .scan(0), in: ledger)
            // A few records are cheap in any order; many are not.
            let isServed = arrangement == .served && query.result == .rows
            let each = isServed ? Cost.fetch(inOrder: examined) : Cost.sortedFetch
            weigh(records: examined, each: each, of: .fetch, in: ledger)
        }
    }

    private mutating func weigh(
        records: Double, each: Double, of part: CostLedger.Part, in ledger: CostLedger?
    ) {
        if case .table = accessPath, arrangement == .sums { return }
        estimate.records += Int(records.rounded(.up))
        spend(records * each, on: part, in: ledger)
    }

    @inline(__always)
    private mutating func spend(_ cost: Double, on part: CostLedger.Part, in ledger: CostLedger?) {
        estimate.cost += cost
        if let ledger { ledger.add(cost, to: part) }
    }

    /// What it costs to look at so many more rows along the order of an index.
    ///
    /// - Throws: what counting the rows of other entities throws.
    func cost(ofWalking rows: Double, statistics: any IndexStatistics) throws -> Double {
        let related = try residual.reduce(0) { cost, conjunct in
            try cost + (conjunct.readsRelations ? Cost.related(conjunct, statistics: statistics) : 0)
        }
        if let covering {
            return rows * (related + (covering.sources.isEmpty ? Cost.entry : Cost.coveredEntry))
        }
        let merge = accessPath.scan?.isMerged == true ? Cost.merge : 0
        return rows * (related + merge + Cost.entry + Cost.fetch(inOrder: rows))
    }

    /// Whether rows that were sorted by keys are read again for their columns.
    var refetches: Bool {
        guard query.result == .rows, !query.columns.isEmpty else { return false }
        switch arrangement {
        case .sorted, .top: return covering == nil
        case .served, .partial, .byRowID, .sums: return false
        }
    }
}

extension Candidate {
    /// The positions of the conjuncts that still have to be tested.
    func openPositions(in context: PlanContext) -> [Int] {
        if answered.isEmpty { return context.allPositions }
        if answered.count == context.conjuncts.count { return [] }
        if answered.count == 1 { return context.shape.others[answered[0]] }
        return context.allPositions.filter { !answered.contains($0) }
    }
}

extension Arrangement {
    /// Whether the first rows are handed out before the last ones are looked at, in the order of an index.
    var isGradual: Bool {
        switch self {
        case .served, .partial: true
        case .byRowID, .sorted, .top, .sums: false
        }
    }

    /// Whether it is the same but for the number of rows that are kept.
    func isSameKind(as other: Arrangement) -> Bool {
        if case .top = self, case .top = other { true } else { self == other }
    }
}
