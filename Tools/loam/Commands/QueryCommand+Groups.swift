import LoamQuery
import LoamStorage

/// Answers that are made of many rows: groups with their aggregates, and rows that are different. They are of one save,
/// and found as a whole before the first is written.
extension QueryCommand {
    func writeGroups() throws {
        let query = try makeGroupedQuery()
        let answer: (text: String?, columns: [OutputColumn], rows: [[Value]]) = try target.reading().read { snapshot in
            _ = try snapshot.schema.requireEntity(entity)
            let plan = try GroupedPlan(query, in: snapshot)
            if explains {
                return (
                    try explanation.text(of: plan.explanation(explanation.told, in: snapshot), store: target.store), [],
                    []
                )
            }
            var work = Work()
            let groups = try plan.groups(in: snapshot, work: &work)
            return (nil, plan.columns.map { OutputColumn(name: $0.name, type: $0.type) }, groups)
        }
        try write(answer)
    }

    func writeDistinctRows(of query: Query, in store: Store) throws {
        var all = query
        (all.limit, all.offset) = (nil, 0)
        let answer: (text: String?, columns: [OutputColumn], rows: [[Value]]) = try store.read { snapshot in
            _ = try snapshot.schema.requireEntity(entity)
            let plan = try Planner.plan(all, in: snapshot)
                .forDistinctValues(isLimited: limit != nil, in: snapshot)
            let columns = plan.query.columns.map { OutputColumn(name: $0.written, type: $0.type) }
            var (rows, passed, work) = ([[Value]](), 0, Work())
            if explains {
                let page = DistinctPage(offset: offset, limit: limit)
                let explained = try plan.explanation(explanation.told, in: snapshot, distinct: page)
                return (try explanation.text(of: explained, store: target.store), [], [])
            }
            if limit != 0 {
                try plan.executeDistinct(
                    in: snapshot, overlay: nil, isLimited: limit != nil, work: &work
                ) { values in
                    passed += 1
                    if passed > offset { rows.append(values) }
                    return rows.count != limit
                }
            }
            return (nil, columns, rows)
        }
        try write(answer)
    }

    private func makeGroupedQuery() throws -> GroupedQuery {
        let keys = grouping.group?.names ?? []
        let sort = sort?.keys.map { key in
            // The number of rows, as its column is called but for the parentheses.
            let isCount = key.path == AggregateFunction.count.rawValue && !keys.contains(key.path)
            return isCount ? SortKey(GroupAggregate.count.name, direction: key.direction) : SortKey(key)
        }
        return GroupedQuery(
            entity: entity, predicate: try predicate.map { try PredicateParser.parse($0) }, keys: keys,
            aggregates: grouping.aggregate?.aggregates ?? [.count],
            having: try grouping.having.map { try PredicateParser.parse(having: $0) }, sort: sort ?? [], limit: limit,
            offset: offset)
    }

    private func write(_ answer: (text: String?, columns: [OutputColumn], rows: [[Value]])) throws {
        let stream = OutputStream.standard
        if let text = answer.text {
            try stream.write(text)
        } else {
            var writer = try output.writer(answer.columns, to: stream, style: .standard)
            for row in answer.rows { try writer.append(row) }
            try writer.finish()
        }
        try stream.flush()
    }
}
