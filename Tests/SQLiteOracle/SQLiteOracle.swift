import CSQLite
import Foundation

/// SQLite, mostly in memory and with the same rows, whose answers are right by definition.
package final class SQLiteOracle {
    package struct Failure: Error {
        package let message: String

        /// Whether a statement nests deeper than SQLite reads.
        var isTooDeep: Bool {
            message.contains("parser stack overflow") || message.contains("Expression tree is too large")
        }
    }

    private var database: OpaquePointer?

    /// - Parameter path: of a file; nil for a database in memory.
    package init(path: String? = nil) throws {
        try check(sqlite3_open(path ?? ":memory:", &database))
    }

    deinit { sqlite3_close(database) }

    package func run(_ statement: String) throws {
        try check(sqlite3_exec(database, statement, nil, nil, nil))
    }

    /// Inserts rows of text. Nil is NULL, and the affinities of columns make numbers of numbers.
    package func insert(_ rows: [[String?]], into table: String) throws {
        guard let width = rows.first?.count else { return }
        var statement: OpaquePointer?
        let places = Array(repeating: "?", count: width).joined(separator: ",")
        try check(sqlite3_prepare_v2(database, "INSERT INTO \(table) VALUES (\(places))", -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        try run("BEGIN")
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for row in rows {
            sqlite3_reset(statement)
            for (column, value) in row.enumerated() {
                if let value {
                    try check(sqlite3_bind_text(statement, Int32(column + 1), value, -1, transient))
                } else {
                    try check(sqlite3_bind_null(statement, Int32(column + 1)))
                }
            }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        }
        try run("COMMIT")
    }

    /// The rows of a query, every value as its text; nil for NULL.
    package func rows(_ query: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(database, query, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) }
                    })
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// The rows of a query, every value as SQLite has it.
    package func values(_ query: String) throws -> [[SQLiteValue]] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(database, query, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var rows: [[SQLiteValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_NULL: return .null
        case SQLITE_TEXT: return .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        default:
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob(sqlite3_column_blob(statement, column).map { Data(bytes: $0, count: count) } ?? Data())
        }
    }

    /// Inserts rows of values.
    package func insert(_ rows: [[SQLiteValue]], into table: String) throws {
        guard let width = rows.first?.count else { return }
        var statement: OpaquePointer?
        let places = Array(repeating: "?", count: width).joined(separator: ",")
        try check(sqlite3_prepare_v2(database, "INSERT INTO \(table) VALUES (\(places))", -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        for row in rows {
            sqlite3_reset(statement)
            for (column, value) in row.enumerated() { try bind(value, at: Int32(column + 1), of: statement) }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        }
    }

    private func bind(_ value: SQLiteValue, at place: Int32, of statement: OpaquePointer?) throws {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: try check(sqlite3_bind_null(statement, place))
        case .integer(let number): try check(sqlite3_bind_int64(statement, place, number))
        case .real(let number): try check(sqlite3_bind_double(statement, place, number))
        case .text(let text): try check(sqlite3_bind_text(statement, place, text, -1, transient))
        case .blob(let data):
            // No address stands for NULL, and an empty blob is none.
            guard !data.isEmpty else { return try check(sqlite3_bind_zeroblob(statement, place, 0)) }
            try data.withUnsafeBytes {
                try check(sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), transient))
            }
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> Failure {
        Failure(message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "no database")
    }
}
