import Foundation
package import LoamStorage

extension GroupRule {
    /// All groups, by the bytes of their keys. Costs as much as the query without its condition and limit, and memory
    /// for all groups.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func groups(
        in snapshot: Snapshot, overlay: Overlay? = nil, work: inout Work
    ) throws -> [[UInt8]: Group] {
        if case .rows(let plan) = whole.method { return try taken(plan, in: snapshot, overlay: overlay, work: &work) }
        var groups: [[UInt8]: Group] = [:]
        for values in try whole.groups(in: snapshot, overlay: overlay, work: &work) {
            let titles = Array(values.prefix(plan.keys.count))
            let results = values.dropFirst(titles.count)
            let parts = try zip(kinds, zip(results, orders)).map { kind, found in
                try Self.part(kind, result: found.0, order: found.1)
            }
            groups[try RowPlacer(keys).key(of: titles)] = Group(titles: titles, parts: parts)
        }
        return groups
    }

    /// The part that has a result of its own: a number of rows, or a value that an index led to.
    private static func part(_ kind: GroupPart.Kind, result: Value, order: SortKeys?) throws -> GroupPart {
        var part = GroupPart()
        if case .int(let count) = result, kind == .rows { part.count = Int(count) }
        if let order, !result.isNull {
            part.end = GroupPart.End(
                key: try RowPlacer(order).key(of: CollectionOfOne(result)), value: result, rowID: nil)
        }
        return part
    }

    private func taken(
        _ plan: Plan, in snapshot: Snapshot, overlay: Overlay?, work: inout Work
    ) throws -> [[UInt8]: Group] {
        let tally = try GroupTally(keys: whole.keys, aggregates, memory: .max)
        try whole.collect(plan, in: snapshot, overlay: overlay, into: tally, work: &work)
        var groups: [[UInt8]: Group] = [:]
        try tally.forEachGroup { key, titles, accumulators, number in
            groups[Array(key)] = Group(
                titles: Array(titles), parts: try accumulators.map { try $0.part(of: number) })
        }
        return groups
    }

    /// Finds the stale least and greatest values of a group: by an index where one has the order and answers the
    /// predicate, else by a pass over the rows for each.
    ///
    /// - Returns: false where something else is stale, or the group cannot be asked for.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func findEnds(of group: inout Group, in snapshot: Snapshot, work: inout Work) throws -> Bool {
        var conditions = plan.query.predicate.map { [$0] } ?? []
        for (path, title) in zip(plan.keys, group.titles) {
            if title.isNotNumber { return false }
            conditions.append(.comparison(path.expression, .equal, .constant(title), .none))
        }
        for number in aggregates.indices where group.parts[number].isStale {
            guard let path = aggregates[number].path, let order = orders[number] else { return false }
            let hasValue = QueryPredicate.comparison(path.expression, .notEqual, .constant(.null), .none)
            let direction: SortDirection = kinds[number] == .minimum ? .ascending : .descending
            let query = Query(
                entity: plan.query.entity, predicate: .and(conditions + [hasValue]),
                sort: [SortKey(path.written, direction: direction)], limit: 1, columns: [path.written])
            var end: GroupPart.End?
            let execution = try PlanExecution(Planner.plan(query, in: snapshot), in: snapshot, work: work)
            try execution.plan.execute(execution) { match in
                let value = match.values.first ?? .null
                end = GroupPart.End(
                    key: try RowPlacer(order).key(of: CollectionOfOne(value)), value: value, rowID: match.rowID)
                return false
            }
            work = execution.work
            (group.parts[number].end, group.parts[number].isStale) = (end, false)
        }
        return true
    }
}

extension Value {
    fileprivate var isNotNumber: Bool {
        switch self {
        case .double(let value): value.isNaN
        case .float(let value): value.isNaN
        case .decimal(let value): value.isNaN
        default: false
        }
    }
}
