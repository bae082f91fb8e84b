package import Foundation
package import LoamQuery
package import LoamStorage

/// The answer that a query for groups must give: rows are tested one by one, taken into a dictionary, and computed in
/// plain Swift.
extension FullScan {
    package struct SumLeavesItsType: Error {}

    /// The groups in order, with the values of the keys and the aggregates that were asked for.
    ///
    /// - Throws: ``SumLeavesItsType`` where some sum does, and what the predicates throw.
    package func groups(
        of query: GroupedQuery, sum: ([Decimal]) -> Decimal?, average: ([Decimal]) -> Decimal?
    ) throws -> [[Value]] {
        var groups: [[Value]: [(rowID: RowID, values: [Value])]] = [:]
        if query.keys.isEmpty { groups[[]] = [] }
        let rows = try matches(Query(entity: entity.name, predicate: query.predicate))
        let keys = try query.keys.map { try value(at: $0) }
        for row in rows.sorted(by: { $0.rowID < $1.rowID }) {
            groups[try keys.map { try $0(row) }, default: []].append(row)
        }
        let named = aggregates(of: query)
        var results: [(group: [Value], shown: [Value])] = []
        for (group, rows) in groups {
            var values = group
            for aggregate in named { values.append(try result(aggregate, rows, sum: sum, average: average)) }
            results.append((values, Array(values.prefix(query.keys.count + query.aggregates.count))))
        }
        let names = query.keys + named.map(\.name)
        if let having = query.having {
            let entity = Entity(id: 0, name: "Groups", properties: try properties(query.keys, named))
            let typed = try TypeChecker(entity: entity).check(having)
            results = try results.filter { try typed.holds(rowID: 1, values: $0.group) }
        }
        let order =
            query.sort.map { (names.firstIndex(of: $0.path) ?? 0, $0.direction) }
            + query.keys.indices.map { ($0, SortDirection.ascending) }
        results.sort { left, right in
            for (position, direction) in order {
                let comparison = Self.compare(left.group[position], right.group[position], .exact)
                if comparison != 0 { return (comparison < 0) == (direction == .ascending) }
            }
            return false
        }
        return Array(results.map(\.shown).dropFirst(query.offset).prefix(query.limit ?? .max))
    }

    private func value(
        at name: String
    ) throws -> ((rowID: RowID, values: [Value])) throws -> Value {
        let path = try path(name)
        return { try PlainRow(rowID: $0.rowID, values: $0.values).value(of: path, related) }
    }

    private func aggregates(of query: GroupedQuery) -> [GroupAggregate] {
        query.aggregates
            + query.sort.compactMap { try? GroupAggregate($0.path) }.filter { !query.aggregates.contains($0) }
    }

    private func properties(_ keys: [String], _ aggregates: [GroupAggregate]) throws -> [Property] {
        var properties = try keys.enumerated().map { position, key in
            Property(id: PropertyID(position + 1), name: key, type: try path(key).type, isOptional: true)
        }
        for aggregate in aggregates {
            properties.append(
                Property(
                    id: PropertyID(properties.count + 1), name: aggregate.name, type: try type(aggregate),
                    isOptional: true))
        }
        return properties
    }

    private func type(_ aggregate: GroupAggregate) throws -> ValueType {
        guard aggregate.function != .count, let type = try aggregate.path.map(path)?.type else { return .int64 }
        switch aggregate.function {
        case .count, .minimum, .maximum: return type
        case .average: return type == .decimal ? .decimal : .double
        case .sum:
            return type.isSignedInteger ? .int64 : type.isUnsignedInteger ? .uint64 : type == .decimal ? type : .double
        }
    }

    private func result(
        _ aggregate: GroupAggregate, _ rows: [(rowID: RowID, values: [Value])], sum: ([Decimal]) -> Decimal?,
        average: ([Decimal]) -> Decimal?
    ) throws -> Value {
        guard let path = aggregate.path else { return .int(Int64(rows.count)) }
        let read = try value(at: path)
        let values = try rows.map(read).filter { !$0.isNull }
        switch aggregate.function {
        case .count: return .int(Int64(values.count))
        case .minimum: return values.min { Self.compare($0, $1, .exact) < 0 } ?? .null
        case .maximum: return values.max { Self.compare($0, $1, .exact) < 0 } ?? .null
        case .sum, .average: break
        }
        let isAverage = aggregate.function == .average
        if isAverage, values.isEmpty { return .null }
        switch try type(GroupAggregate(.sum, of: path)) {
        case .double:
            let total = values.reduce(0.0) { $0 + Self.double($1) }
            return .double(isAverage ? total / Double(values.count) : total)
        case .decimal:
            let decimals = values.compactMap { if case .decimal(let value) = $0 { value } else { nil } }
            guard let result = isAverage ? average(decimals) : sum(decimals) else { throw SumLeavesItsType() }
            return .decimal(result)
        case let type:
            let total = values.reduce(Int128(0)) { $0 + Self.integer($1) }
            if isAverage { return .double(Double(total) / Double(values.count)) }
            if type == .int64, let result = Int64(exactly: total) { return .int(result) }
            if type == .uint64, let result = UInt64(exactly: total) { return .uint(result) }
            throw SumLeavesItsType()
        }
    }

    private static func double(_ value: Value) -> Double {
        switch value {
        case .double(let value): value
        case .float(let value): Double(value)
        default: .nan
        }
    }

    private static func integer(_ value: Value) -> Int128 {
        switch value {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: 0
        }
    }
}
