import Foundation
import GRDB
import _LoamStore

extension Suite {
    /// Planning alone, no row is read: a query of a shape that was planned before, with other constants, beside a
    /// statement of SQLite's that GRDB kept, its arguments bound; and the first query of a shape, beside a statement
    /// that SQLite prepares.
    var planning: [Contest] {
        get throws { try PlannedShape.all(workload).flatMap { [try known($0), try new($0)] } }
    }

    private static let plansPerRun = 200

    private func known(_ shape: PlannedShape) throws -> Contest {
        let (store, grdb, count) = (try loam.store, grdb, Self.plansPerRun)
        let queries = try queries(shape)
        var kept = (of: 0, plans: 0)
        return Contest(
            name: "plan a known shape: \(shape.name)", unit: .time, target: "<= 3 us", rounds: 51,
            note: { "\(kept.of) of \(kept.plans) were kept" },
            entries: [
                .init(side: .loam, operations: count) {
                    try store.read { snapshot in
                        let before = snapshot.planCounts
                        try snapshot.plan(queries)
                        let after = snapshot.planCounts
                        kept.of += after.kept - before.kept
                        kept.plans += after.kept - before.kept + after.new - before.new
                    }
                    return { try Self.digest(queries, store) }
                },
                .init(side: .grdb, operations: count) {
                    try grdb.bind(shape.sql, arguments: shape.sqlArguments)
                    return { try grdb.digest(shape.sql, arguments: shape.sqlArguments) }
                },
            ])
    }

    private func new(_ shape: PlannedShape) throws -> Contest {
        let (store, grdb, count) = (try loam.store, grdb, Self.plansPerRun)
        let queries = try queries(shape)
        return Contest(
            name: "plan a new shape: \(shape.name)", unit: .time, target: "-", rounds: 21,
            entries: [
                .init(side: .loam, operations: count) {
                    try store.read { try $0.planAnew(queries) }
                    return { try Self.digest(queries, store) }
                },
                .init(side: .grdb, operations: count) {
                    try grdb.prepare(shape.sql, arguments: shape.sqlArguments)
                    return { try grdb.digest(shape.sql, arguments: shape.sqlArguments) }
                },
            ])
    }

    private func queries(_ shape: PlannedShape) throws -> [QueryHandle] {
        let entity = try loam.entity
        return try shape.arguments.map {
            try entity.query(where: shape.format, arguments: $0, orderedBy: shape.order, limit: shape.limit)
        }
    }

    /// The rows that some of the queries find: what was planned is what SQLite prepared.
    private static func digest(_ queries: [QueryHandle], _ store: LoamStore) throws -> UInt64 {
        try store.read { snapshot in
            try queries.prefix(3).reduce(0) { try $0 &* 31 &+ snapshot.rowIDs(of: $1).reduce(0, &+) }
        }
    }
}

/// Queries that differ in their constants alone, for both sides.
struct PlannedShape {
    let name: String
    let format: String?
    let order: [String]
    let limit: Int?
    let sql: String
    /// Of each query.
    let arguments: [[QueryArgument]]

    private init(
        _ name: String, _ format: String?, order: [String] = [], limit: Int? = nil, sql: String,
        arguments: (Int) -> [QueryArgument]
    ) {
        (self.name, self.format, self.order, self.limit) = (name, format, order, limit)
        self.sql = "SELECT id FROM quake " + sql
        self.arguments = (0..<200).map(arguments)
    }

    /// As SQLite takes them.
    var sqlArguments: [[any DatabaseValueConvertible]] {
        arguments.map { arguments in
            arguments.flatMap { argument -> [any DatabaseValueConvertible] in
                switch argument {
                case .value(let value): [value.sql]
                case .rowID(let id): [Int64(id)]
                case .list(let values): values.map(\.sql)
                }
            }
        }
    }

    static func all(_ workload: Workload) -> [PlannedShape] {
        let rows = workload.rows
        let length = Double(Workload.dayCount) * 86_400
        func code(_ number: Int) -> FieldValue { .string(rows[number * 7_919 % rows.count].code) }
        func time(_ share: Double) -> FieldValue { .date(Workload.start + share * length) }
        func day(_ number: Int) -> FieldValue { .string(workload.days[number * 37 % workload.days.count]) }
        func magnitude(_ number: Int) -> FieldValue { .double(Double(number * 83 % 1_000) / 100) }
        let ten = Array(repeating: "?", count: 10).joined(separator: ", ")
        return [
            PlannedShape("by id", "SELF == %@", sql: "WHERE id = ?") { [.rowID(UInt64($0 + 1))] },
            PlannedShape(
                "sorted by an index", nil, order: ["time"], limit: 50, sql: "ORDER BY time, id LIMIT 50"
            ) { _ in [] },
            PlannedShape(
                "one range", "time >= %@ AND time < %@", sql: "WHERE time >= ? AND time < ? ORDER BY id"
            ) { [.value(time(Double($0) / 250)), .value(time(Double($0) / 250 + 0.001))] },
            PlannedShape(
                "equality and order", "day == %@", order: ["time"], sql: "WHERE day = ? ORDER BY time, id"
            ) { [.value(day($0))] },
            PlannedShape("unique", "code == %@", sql: "WHERE code = ?") { [.value(code($0))] },
            PlannedShape("IN of 10, unique", "code IN %@", sql: "WHERE code IN (\(ten)) ORDER BY id") { number in
                [.list((0..<10).map { code(number * 10 + $0) })]
            },
            PlannedShape("IN of 10", "magnitude IN %@", sql: "WHERE magnitude IN (\(ten)) ORDER BY id") { number in
                [.list((0..<10).map { magnitude(number * 10 + $0) })]
            },
            PlannedShape(
                "two conditions, two indexes", "magnitude == %@ AND day == %@",
                sql: "WHERE magnitude = ? AND day = ? ORDER BY id"
            ) { [.value(magnitude($0)), .value(day($0))] },
            PlannedShape(
                "two ranges, two indexes", "magnitude >= %@ AND time >= %@",
                sql: "WHERE magnitude >= ? AND time >= ? ORDER BY id"
            ) { [.value(magnitude($0)), .value(time(Double($0 % 100) / 100))] },
            PlannedShape(
                "prefix", "code BEGINSWITH %@", sql: "WHERE code >= ?1 AND code < ?1 || 'z' ORDER BY id"
            ) { [.value(.string(String(rows[$0].code.prefix(7))))] },
            PlannedShape(
                "OR of two ranges", "magnitude >= %@ OR time < %@",
                sql: "WHERE magnitude >= ? OR time < ? ORDER BY id"
            ) { [.value(.double(9.97 + Double($0) / 10_000)), .value(time(Double($0) / 100_000))] },
        ]
    }
}

extension FieldValue {
    fileprivate var sql: any DatabaseValueConvertible {
        switch self {
        case .null: DatabaseValue.null
        case .bool(let value): value
        case .int(let value): value
        case .double(let value), .date(let value): value
        case .string(let value): value
        }
    }
}

extension GRDBSide {
    /// Looks the statement up and binds it to each of the arguments.
    func bind(_ sql: String, arguments: [[any DatabaseValueConvertible]]) throws {
        try pool.read { database in
            for arguments in arguments {
                try database.cachedStatement(sql: sql).setArguments(StatementArguments(arguments))
            }
        }
    }

    /// Prepares a statement for each of the arguments and binds it.
    func prepare(_ sql: String, arguments: [[any DatabaseValueConvertible]]) throws {
        try pool.read { database in
            for arguments in arguments {
                try database.makeStatement(sql: sql).setArguments(StatementArguments(arguments))
            }
        }
    }

    /// The rows that some of the queries find.
    func digest(_ sql: String, arguments: [[any DatabaseValueConvertible]]) throws -> UInt64 {
        try pool.read { database in
            try arguments.prefix(3).reduce(0) { digest, arguments in
                let ids = try Int64.fetchAll(
                    database.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
                return digest &* 31 &+ ids.reduce(0) { $0 &+ UInt64($1) }
            }
        }
    }
}
