import LoamStorage

extension GroupedPlan {
    /// Chooses where the groups come from.
    ///
    /// - Parameter inputs: the key paths whose values are needed of a row.
    static func method(
        _ query: GroupedQuery, aggregates: [TypedGroupAggregate], inputs: [String], in snapshot: Snapshot
    ) throws -> Method {
        if query.keys.isEmpty, let plans = try ends(query, aggregates: aggregates, in: snapshot) { return .ends(plans) }
        if let plan = try values(query, aggregates: aggregates, in: snapshot) { return .values(plan) }
        if query.keys.count == 1, aggregates.allSatisfy(\.countsRows) {
            let sections = Query(
                entity: query.entity, predicate: query.predicate, section: query.keys[0], result: .sections)
            let plan = try Planner.plan(sections, in: snapshot)
            if plan.arrangement == .sums { return .sections(plan) }
        }
        var rows = Query(entity: query.entity, predicate: query.predicate, columns: inputs)
        rows.isUnordered = !aggregates.contains(where: \.followsRowOrder)
        return .rows(try Planner.plan(rows, in: snapshot).forGroups)
    }

    /// The plan for the different values of one key, where nothing else is asked and an index leads to each.
    private static func values(
        _ query: GroupedQuery, aggregates: [TypedGroupAggregate], in snapshot: Snapshot
    ) throws -> Plan? {
        guard query.keys.count == 1, aggregates.isEmpty else { return nil }
        let values = Query(
            entity: query.entity, predicate: query.predicate, sort: [SortKey(query.keys[0])], columns: query.keys)
        let plan = try Planner.plan(values, in: snapshot)
        return try DistinctValues(plan.query, in: snapshot)?.plan(instead: plan)
    }

    /// A plan for each aggregate, where each is the number of rows, or one row that an index leads to.
    private static func ends(
        _ query: GroupedQuery, aggregates: [TypedGroupAggregate], in snapshot: Snapshot
    ) throws -> [Plan]? {
        var plans: [Plan] = []
        for aggregate in aggregates {
            guard let path = aggregate.path else {
                let count = Query(entity: query.entity, predicate: query.predicate, result: .count)
                plans.append(try Planner.plan(count, in: snapshot))
                continue
            }
            guard aggregate.function == .minimum || aggregate.function == .maximum, path.related == nil else {
                return nil
            }
            let hasValue = QueryPredicate.comparison(path.expression, .notEqual, .constant(.null), .none)
            let direction: SortDirection = aggregate.function == .minimum ? .ascending : .descending
            let end = Query(
                entity: query.entity, predicate: query.predicate.map { .and([$0, hasValue]) } ?? hasValue,
                sort: [SortKey(path.written, direction: direction)], limit: 1, columns: [path.written])
            let plan = try Planner.plan(end, in: snapshot)
            guard plan.arrangement == .served, case .index = plan.accessPath else { return nil }
            plans.append(plan)
        }
        // Numbers of rows that are walked are had with the other aggregates in one go.
        return plans
    }
}

extension Plan {
    /// The plan with what it takes that each match is met as a row with its values: in the order of ids, unless rows may
    /// come in any.
    var forGroups: Plan {
        guard accessPath.scan != nil else { return self }
        var plan = self
        // Entries come in the order of ids only where they are of one value.
        if !query.isUnordered, arrangement != .served { plan.covering = nil }
        if plan.covering == nil { plan.arrangement = .byRowID }
        return plan
    }
}
