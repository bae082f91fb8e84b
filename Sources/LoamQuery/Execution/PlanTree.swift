import LoamStorage

/// The operators of a plan: what each is called, what is expected of it, and what it did in a measured execution.
struct PlanTree {
    let plan: Plan
    let level: Explanation.Level
    /// Of the plan's own execution; nil where it was not run.
    let measurement: Measurement?
    /// Whether each row's record is wanted besides its values.
    let readsRecords: Bool
    /// Which of the different rows are wanted; nil where all rows are.
    private let page: DistinctPage?
    /// The work of the whole; nil where nothing was run.
    private let total: Work?
    /// What each operator is expected to cost; nil where that is not told.
    private let costs: CostLedger?

    typealias Node = Explanation.Operator

    init(
        _ plan: Plan, level: Explanation.Level, readsRecords: Bool = false, distinct page: DistinctPage? = nil
    ) {
        (self.plan, self.level, self.readsRecords, self.page) = (plan, level, readsRecords, page)
        (measurement, total) = (nil, nil)
        costs = level == .plan ? nil : plan.costs
    }

    init(
        _ plan: Plan, _ measurement: Measurement, readsRecords: Bool = false, distinct page: DistinctPage? = nil,
        total: Work? = nil
    ) {
        self.plan = measurement.plan ?? plan
        (self.measurement, self.readsRecords, self.page, self.total) = (measurement, readsRecords, page, total)
        level = .work
        costs = self.plan.costs
    }

    var explanation: Explanation {
        var explanation = Explanation(root, level: level)
        if let total { explanation.setTotal(total, rowsOut: rowsOut) }
        return explanation
    }

    private var rowsOut: Int? { plan.query.result == .count ? nil : total?.returned }

    /// The result, over the operators that its rows come from.
    var root: Node {
        let kind: Node.Kind =
            switch plan.query.result {
            case .rows: .rows
            case .count: .count
            case .sections: .sections
            }
        var root = Node(kind, plan.headline, over: page.map { [distinct(operators, page: $0)] } ?? operators)
        if level != .plan {
            let estimate = plan.estimate
            root.estimate = .init(
                rows: plan.query.result == .rows ? estimate.rows : nil, entries: estimate.entries,
                records: estimate.records, cost: totalCost)
        }
        root.actual = actual(.result, rowsOut: rowsOut)
        if var next = measurement?.successor {
            // The result of all of them is one.
            while true {
                root.actual?.add(Explanation.Actual(next[.result].work, time: next[.result].time))
                guard let other = next.successor else { break }
                next = other
            }
        }
        return root
    }

    /// What all operators are expected to cost, with those below joins.
    private var totalCost: Double {
        guard case .join(let join) = plan.accessPath else { return costs?.total ?? 0 }
        return (costs?.total ?? 0) + PlanTree(join.target, level: .estimates).totalCost
    }

    /// The operators that rows come from. Where a search was left, the ones that it was left for come behind it.
    var operators: [Node] {
        guard let measurement, let successor = measurement.successor else { return [outermost] }
        var left = Node(.abandoned, "for the operators behind it", over: [outermost])
        left.actual = Explanation.Actual(Work())
        return [left] + PlanTree(plan, successor, readsRecords: readsRecords, total: total).operators
    }

    /// The operator that hands out the rows.
    private var outermost: Node {
        var node = accessPathNode
        for wrap in [fetched, filtered, overlaid, sorted, refetched, limited] { node = wrap(node) }
        return node
    }

    // MARK: Operators over others

    private func distinct(_ nodes: [Node], page: DistinctPage) -> Node {
        var words = ["values of \(plan.query.columns.map(\.description).joined(separator: ", "))"]
        if let limit = page.limit { words.append("limit \(limit)") }
        if page.offset > 0 { words.append("offset \(page.offset)") }
        var distinct = Node(.distinct, words.joined(separator: ", "), over: nodes)
        distinct.estimate = estimate()
        distinct.actual = measurement.map { _ in Explanation.Actual(Work(), rowsOut: rowsOut) }
        return distinct
    }

    private func limited(_ node: Node) -> Node {
        guard plan.query.result != .sections, plan.query.limit != nil || plan.query.offset > 0 else { return node }
        // What is kept is what is wanted.
        if case .top = plan.arrangement, plan.query.offset == 0 { return node }
        var words = plan.query.limit.map { ["\($0)"] } ?? []
        if plan.query.offset > 0 {
            let way = plan.skipsByPosition ? " skipped by position" : ""
            words.append("offset \(plan.query.offset)\(way)")
        }
        var limit = Node(.limit, words.joined(separator: ", "), over: [node])
        limit.estimate = estimate(rows: plan.query.result == .rows ? plan.estimate.rows : nil)
        limit.actual = measurement.map { Explanation.Actual(Work(), rowsOut: $0.successor == nil ? rowsOut : nil) }
        return limit
    }

    private func refetched(_ node: Node) -> Node {
        guard plan.refetches || reads(.refetch) else { return node }
        var again = Node(.refetch, "records for the columns", over: [node])
        again.estimate = estimate(records: plan.estimate.rows, cost: costs?[.refetch])
        again.actual = actual(.refetch)
        return again
    }

    private func sorted(_ node: Node) -> Node {
        guard plan.query.result == .rows else { return node }
        let keys = plan.query.openOrder
        var sort: Node
        switch plan.arrangement {
        case .served, .sums: return node
        case .byRowID where !isSortOperator: return node
        case .byRowID:
            sort = Node(.sort, "by row id", over: [node])
        case .sorted: sort = Node(.sort, "by \(keys.words)", over: [node])
        case .top(let count):
            sort = Node(.top, "\(count) by \(keys.words)", over: [node])
            sort.estimate = estimate(
                rows: min(count, plan.estimate.rows + plan.query.offset), cost: costs?[.sort])
        case .partial(let count):
            let rest = keys.dropFirst(count).words
            let leading = "within equal \(keys.prefix(count).words) of the index"
            sort = Node(.partialSort, "by \(rest.isEmpty ? "row id" : rest), \(leading)", over: [node])
        }
        sort.estimate = sort.estimate ?? estimate(cost: costs?[.sort])
        // Ids that are sorted by themselves are not counted.
        sort.actual = actual(.sort)
        if let part = measurement?[.sort], part.work.sorted > 0 {
            sort.actual?.rowsIn = part.work.sorted
            if plan.arrangement.isSortedAsAWhole { sort.actual?.rowsOut = part.rowsOut }
        }
        return sort
    }

    private func overlaid(_ node: Node) -> Node {
        guard measurement?.isOverlaid == true else { return node }
        var pending = Node(.pending, "laid over the stored rows", over: [node])
        pending.estimate = estimate()
        pending.actual = actual(.pending)
        return pending
    }

    private func filtered(_ node: Node) -> Node {
        let part = measurement?[.filter]
        guard !plan.residual.isEmpty else { return node }
        var text = TypedPredicate.all(plan.residual).shortened
        if let rows = SearchWatch.rowsBefore(plan) { text += ", other plans priced after \(rows) rows" }
        var filter = Node(.filter, text, over: [node])
        let passes = plan.wanted == nil || plan.arrangement.isGradual
        filter.estimate = estimate(
            rows: plan.query.result == .rows && passes ? plan.estimate.rows + plan.query.offset : nil,
            cost: costs?[.filter])
        filter.actual = actual(.filter, rowsIn: part?.rowsIn, rowsOut: part?.rowsOut)
        return filter
    }

    private func fetched(_ node: Node) -> Node {
        guard readsByID || reads(.fetch) else { return node }
        let isServed = plan.arrangement == .served && plan.query.result == .rows
        var order = isServed ? "in the order of the index" : "in row id order"
        if case .partial = plan.arrangement { order += ", a group at a time" }
        if !readsByID { order = "that entries do not tell, \(order)" }
        var fetch = Node(.fetch, "records \(order)", over: [node])
        fetch.estimate = estimate(
            records: plan.estimate.records - (plan.refetches ? plan.estimate.rows : 0), cost: costs?[.fetch])
        fetch.actual = actual(.fetch)
        return fetch
    }

    /// Whether records are read by the ids that the access path gives.
    private var readsByID: Bool {
        guard plan.arrangement != .sums else { return false }
        switch plan.accessPath {
        case .nothing, .rows, .table: return false
        case .index where plan.covering != nil, .skip where plan.covering != nil: return false
        case .index, .skip, .union, .intersection, .join: return readsRecords || !plan.neededPaths.isEmpty
        }
    }

    private func reads(_ operator: OperatorID) -> Bool { (measurement?[`operator`].work.records ?? 0) > 0 }

    // MARK: Numbers

    func estimate(
        rows: Int? = nil, entries: Int? = nil, records: Int? = nil, cost: Double? = nil
    ) -> Explanation.Estimate? {
        level == .plan ? nil : .init(rows: rows, entries: entries, records: records, cost: cost ?? 0)
    }

    /// What a part of the access path is expected to cost.
    ///
    /// - Parameter isOutermost: whether what is expected of operators that are none here is added: reading records of
    ///   which nothing is wanted, and sorting ids that may come as they do.
    func cost(_ part: CostLedger.Part, isOutermost: Bool = true) -> Double? {
        guard let costs else { return nil }
        guard isOutermost else { return costs[part] }
        let isFetching = readsByID || reads(.fetch)
        return costs[part] + (isFetching ? 0 : costs[.fetch]) + (isSortOperator ? 0 : costs[.sort])
    }

    /// Whether a sort, where one is expected, is an operator.
    private var isSortOperator: Bool { plan.arrangement != .byRowID || !readsByID && !plan.query.isUnordered }

    func actual(_ operator: OperatorID, rowsIn: Int? = nil, rowsOut: Int? = nil) -> Explanation.Actual? {
        measurement.map {
            let part = $0[`operator`]
            return Explanation.Actual(part.work, rowsIn: rowsIn, rowsOut: rowsOut, time: part.time)
        }
    }
}

extension Arrangement {
    /// Whether all rows are sorted before one is handed out, where they are sorted at all.
    fileprivate var isSortedAsAWhole: Bool {
        if case .partial = self { false } else { true }
    }
}

extension Explanation.Actual {
    /// Adds what another operator did; rows are not added.
    mutating func add(_ other: Self) {
        ranges += other.ranges
        blocks += other.blocks
        entries += other.entries
        sums += other.sums
        records += other.records
        sorted += other.sorted
        if let runs = other.spilledRuns {
            spilledRuns = (spilledRuns ?? 0) + runs
            spilledBytes = (spilledBytes ?? 0) + (other.spilledBytes ?? 0)
        }
        pending += other.pending
        nanoseconds += other.nanoseconds
    }
}
