package import LoamStorage

extension GroupedPlan {
    /// The groups, over the operators that reach the rows, with what is expected of them unless the level is
    /// ``Explanation/Level/plan``. Nothing is run.
    package func explanation(_ level: Explanation.Level) -> Explanation {
        Explanation(root(over: plans.map { PlanTree($0, level: level) }), level: level)
    }

    /// The plan with what is expected of it, in words, and what an execution did in all.
    ///
    /// ```
    /// City: groups by country of count(), sum(population)
    ///   groups made of rows, in memory
    ///     table all records
    /// ```
    package func explanation(with work: Work? = nil) -> String {
        var explanation = explanation(.estimates)
        if let work { explanation.setTotal(work, rowsOut: work.returned) }
        return explanation.description
    }

    /// The groups, over the operators that reach the rows, and the index that would have served to find these, if there
    /// is one. Where the level is ``Explanation/Level/work`` the groups are made.
    ///
    /// - Throws: as ``groups(in:overlay:memory:work:)``.
    package func explanation(
        _ level: Explanation.Level, in snapshot: Snapshot, overlay: Overlay? = nil
    ) throws -> Explanation {
        var work = Work()
        var explanation =
            level == .work
            ? try measuredExplanation(in: snapshot, overlay: overlay, work: &work) : explanation(level)
        if case .rows(let plan) = method { explanation.advice = try advice(instead: plan, in: snapshot) }
        return explanation
    }

    /// Makes the groups, drops them, and tells what each operator did. Costs as much as the groups, and two looks at the
    /// clock for each row and operator.
    ///
    /// - Throws: as ``groups(in:overlay:memory:work:)``.
    package func measuredExplanation(
        in snapshot: Snapshot, overlay: Overlay? = nil, memory: Int = Self.usualMemory, work: inout Work
    ) throws -> Explanation {
        var measurements: [Measurement] = []
        for _ in plans { measurements.append(Measurement()) }
        _ = try groups(in: snapshot, overlay: overlay, memory: memory, work: &work, measurements: measurements)
        var root = root(over: zip(plans, measurements).map { PlanTree($0, $1) })
        root.actual = Explanation.Actual(Work(), rowsOut: work.returned)
        var explanation = Explanation(root, level: .work)
        explanation.setTotal(work, rowsOut: work.returned)
        return explanation
    }

    /// Indexes that would have served to find the rows of the groups, or to make the groups of entries alone.
    private func advice(instead plan: Plan, in snapshot: Snapshot) throws -> [AdvisedIndex] {
        if keys.count == 1, aggregates.allSatisfy(\.countsRows) {
            let sections = Query(
                entity: query.entity, predicate: query.predicate, section: query.keys[0], result: .sections)
            let found = try IndexAdvice(ResolvedQuery(sections, in: entity, schema: snapshot.schema), in: snapshot)
                .advice()
            if !found.isEmpty { return found }
        }
        var grouped: [PropertyPath] = []
        if !needsRowOrder {
            for path in keys + aggregates.compactMap(\.path) where !grouped.contains(path) { grouped.append(path) }
        }
        return try IndexAdvice(plan.query, groupedBy: grouped, in: snapshot).advice()
    }

    private func root(over trees: [PlanTree]) -> Explanation.Operator {
        if case .ends = method {
            var root = Explanation.Operator(.groups, headline, over: trees.map(\.root))
            let costs = root.children.compactMap(\.estimate?.cost)
            if !costs.isEmpty { root.estimate = .init(cost: costs.reduce(0, +)) }
            return root
        }
        // Whoever makes the groups takes the rows of the plan.
        var groups = trees.first?.root ?? Explanation.Operator(.groups, "")
        (groups.kind, groups.details) = (.groups, "groups \(methodText)")
        let whole = groups.estimate
        groups.estimate = whole == nil ? nil : .init(cost: 0)
        groups.actual?.rowsOut = nil
        var root = Explanation.Operator(.groups, headline, over: [groups])
        root.estimate = whole
        return root
    }

    private var headline: String {
        var text = "\(query.entity): "
        text += query.keys.isEmpty ? "all rows" : "groups by " + query.keys.joined(separator: ", ")
        if !query.aggregates.isEmpty { text += " of " + query.aggregates.map(\.name).joined(separator: ", ") }
        if let having = query.having { text += " having " + asWritten("\(having)") }
        if !output.order.isEmpty {
            text += ", by " + output.order.map { asWritten("\($0)") }.joined(separator: ", ")
        }
        if let limit = query.limit { text += ", limit \(limit)" }
        if query.offset > 0 { text += ", offset \(query.offset)" }
        return text
    }

    /// The text with aggregates in place of their quoted names.
    private func asWritten(_ text: String) -> String {
        aggregates.reduce(text) { $0.replacing("#" + Value.quoted($1.name), with: $1.name) }
    }

    private var methodText: String {
        switch method {
        case .rows: "made of rows, in memory"
        case .values: "a look-up in an index for each"
        case .sections: "from the sums of an index"
        case .ends: "one, from numbers of rows and the ends of indexes"
        }
    }

    private var plans: [Plan] {
        switch method {
        case .rows(let plan), .values(let plan), .sections(let plan): [plan]
        case .ends(let plans): plans
        }
    }
}
