import CSQLite
import Foundation

/// SQLite in memory, with the same rows, whose answers are right by definition.
final class SQLiteOracle {
    struct Failure: Error {
        let message: String
    }

    private var database: OpaquePointer?

    init() throws {
        try check(sqlite3_open(":memory:", &database))
    }

    deinit { sqlite3_close(database) }

    func run(_ statement: String) throws {
        try check(sqlite3_exec(database, statement, nil, nil, nil))
    }

    /// Inserts rows of text. Nil is NULL, and the affinities of columns make numbers of numbers.
    func insert(_ rows: [[String?]], into table: String) throws {
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
    func rows(_ query: String) throws -> [[String?]] {
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

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> Failure {
        Failure(message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "no database")
    }
}
