import Foundation
package import LoamQuery
package import LoamStorage

/// The answer that a query must give: every row is tested with the meaning of the predicate, and sorted by its values.
package struct FullScan {
    package let entity: Entity
    package let rows: [(rowID: RowID, values: [Value])]
    package let schema: Schema?
    package let related: (any RelatedRows)?

    /// - Parameters:
    ///   - rows: with the values of all properties, in the entity's order.
    ///   - schema: where relationships lead to.
    ///   - related: the rows that they lead to.
    package init(
        entity: Entity, rows: [(rowID: RowID, values: [Value])], schema: Schema? = nil,
        related: (any RelatedRows)? = nil
    ) {
        self.entity = entity
        self.rows = rows
        self.schema = schema
        self.related = related
    }

    package func matches(_ query: Query) throws -> [(rowID: RowID, values: [Value])] {
        guard let predicate = query.predicate else { return rows }
        let typed = try TypeChecker(entity: entity, schema: schema).check(predicate)
        return try rows.filter { try typed.holds(rowID: $0.rowID, values: $0.values, related: related) }
    }

    /// What plain Swift says about a query's predicate.
    package enum Opinion {
        /// It knows nothing of such predicates.
        case none
        case same
        /// It holds for other rows, or not for these.
        case other(String)
    }

    /// Asks plain Swift for which rows the predicate holds.
    ///
    /// - Throws: what ``matches(_:)`` throws.
    package func opinion(on query: Query) throws -> Opinion {
        guard let predicate = query.predicate, !rows.isEmpty else { return .none }
        let meaning = PlainMeaning(entity: entity)
        var holds: [RowID] = []
        for (rowID, values) in rows {
            guard let isMatch = meaning.holds(predicate, PlainRow(rowID: rowID, values: values)) else { return .none }
            if isMatch { holds.append(rowID) }
        }
        let matches = try matches(query).map(\.rowID)
        if matches == holds { return .same }
        return .other("\(predicate)\nholds for \(matches), but in plain Swift for \(holds)")
    }

    package func rows(of query: Query) throws -> [(rowID: RowID, values: [Value])] {
        let columns = try (query.columns ?? entity.properties.map(\.name)).map(path)
        let sorted = try matches(query).sorted(by: order(query))
        return try cut(sorted, query).map { row in
            (row.rowID, try columns.map { try PlainRow(rowID: row.rowID, values: row.values).value(of: $0, related) })
        }
    }

    package func count(of query: Query) throws -> Int { cut(try matches(query), query).count }

    package func sections(of query: Query) throws -> [(value: Value, count: Int)] {
        let section = try path(query.section ?? "")
        let form = try query.sort.first { try self.path($0.path) == section }?.form ?? .exact
        var sections: [(value: Value, count: Int)] = []
        for row in try matches(query).sorted(by: order(query)) {
            let value = try PlainRow(rowID: row.rowID, values: row.values).value(of: section, related)
            if let last = sections.last, Self.compare(last.value, value, form) == 0 {
                sections[sections.count - 1].count += 1
            } else {
                sections.append((value, 1))
            }
        }
        return sections
    }

    private func cut<Row>(_ rows: [Row], _ query: Query) -> [Row] {
        Array(rows.dropFirst(query.offset).prefix(query.limit ?? .max))
    }

    func path(_ name: String) throws -> PropertyPath {
        let query = Query(entity: entity.name, columns: [name])
        return try ResolvedQuery(query, in: entity, schema: schema).columns[0]
    }

    private func order(
        _ query: Query
    ) throws -> ((rowID: RowID, values: [Value]), (rowID: RowID, values: [Value])) -> Bool {
        var keys = try query.sort.map { (try path($0.path), $0.direction, $0.form) }
        if let section = query.section {
            let section = try path(section)
            let key = keys.first { $0.0 == section }
            keys.insert((section, key?.1 ?? .ascending, key?.2 ?? .exact), at: 0)
        }
        let isDescending = query.sort.last?.direction == .descending
        func value(_ path: PropertyPath, _ row: (rowID: RowID, values: [Value])) -> Value {
            (try? PlainRow(rowID: row.rowID, values: row.values).value(of: path, related)) ?? .null
        }
        return { left, right in
            for (path, direction, form) in keys {
                let order = Self.compare(value(path, left), value(path, right), form)
                if order != 0 { return (order < 0) == (direction == .ascending) }
            }
            return isDescending ? left.rowID > right.rowID : left.rowID < right.rowID
        }
    }

    /// Compares two values as results order them: nil comes first, NaN last.
    static func compare(_ left: Value, _ right: Value, _ form: StringForm) -> Int {
        if left.isNull || right.isNull { return (left.isNull ? 0 : 1) - (right.isNull ? 0 : 1) }
        if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
        if case .bool(let left) = left, case .bool(let right) = right { return (left ? 1 : 0) - (right ? 1 : 0) }
        switch ValueOrder.of(left, right, form: form) {
        case .less: return -1
        case .greater: return 1
        case .equal, .unordered: return 0
        }
    }
}
