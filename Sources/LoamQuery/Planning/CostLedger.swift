/// What of a plan's estimated cost falls to each of its operators, where somebody asks for that.
final class CostLedger {
    /// An operator of a plan.
    enum Part: Hashable {
        case sort, refetch, filter, fetch
        /// A union, an intersection or a join, without the operators below it.
        case combination
        /// The n-th scan of the access path: ranges of an index, or records.
        case scan(Int)
    }

    private var costs: [Part: Double] = [:]

    func add(_ cost: Double, to part: Part) { costs[part, default: 0] += cost }

    subscript(_ part: Part) -> Double { costs[part] ?? 0 }

    var total: Double { costs.values.reduce(0, +) }
}

extension Plan {
    /// The plan's cost by operators, as the plan is now; of a join without what its target costs. Weighs the plan again.
    var costs: CostLedger {
        let ledger = CostLedger()
        guard let basis = estimate.basis else {
            ledger.add(estimate.cost, to: .scan(0))
            return ledger
        }
        var plan = self
        plan.estimate = Estimate(candidates: estimate.candidates, entries: 0, records: 0, rows: 0, cost: 0)
        plan.weigh(share: basis.share, examined: basis.grouped, related: basis.related, ledger: ledger)
        return ledger
    }
}
