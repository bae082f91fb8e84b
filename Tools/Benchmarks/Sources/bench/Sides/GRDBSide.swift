import Foundation
import GRDB

/// GRDB with a pool: write-ahead log, `synchronous = FULL`, so a commit is flushed as Loam's is. Statements are cached,
/// times are stored as seconds (faster than GRDB's default text), rows are decoded by position.
final class GRDBSide {
    let path: String
    private var opened: DatabasePool?

    init(folder: String) {
        path = folder + "/quakes.sqlite"
    }

    var pool: DatabasePool {
        get throws {
            if let opened { return opened }
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let pool = try DatabasePool(path: path, configuration: configuration)
            opened = pool
            return pool
        }
    }

    /// Writes the log back into the file, as SQLite does by itself from time to time.
    func writeLogBack() throws {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    func close() throws {
        try opened?.close()
        opened = nil
    }

    /// Makes an empty table in a new file.
    func makeEmptyStore(withIndexes: Bool) throws {
        try close()
        try removeFiles(path, path + "-wal", path + "-shm")
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE quake (
                        id INTEGER PRIMARY KEY, code TEXT NOT NULL, place TEXT NOT NULL, magnitude REAL NOT NULL,
                        time REAL NOT NULL, day TEXT NOT NULL, felt INTEGER, tsunami INTEGER NOT NULL)
                    """)
            if withIndexes { try Self.makeIndexes(database) }
        }
    }

    func load(_ rows: [Quake], makingIndexes: Bool) throws {
        try pool.write { database in
            try Self.insert(rows, database)
            if makingIndexes { try Self.makeIndexes(database) }
        }
    }

    private static func makeIndexes(_ database: Database) throws {
        try database.execute(sql: "CREATE INDEX time ON quake (time)")
        try database.execute(sql: "CREATE INDEX day ON quake (day, time)")
        try database.execute(sql: "CREATE INDEX magnitude ON quake (magnitude)")
        try database.execute(sql: "CREATE UNIQUE INDEX code ON quake (code)")
    }

    /// Inserts all rows with one commit.
    func insert(_ rows: [Quake]) throws {
        try pool.write { try Self.insert(rows, $0) }
    }

    /// Inserts each list from a task of its own, all at once, each row with a commit.
    func insertConcurrently(_ lists: [[Quake]]) throws {
        let pool = try pool
        try waiting {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for list in lists {
                    group.addTask {
                        for quake in list { try await pool.write { try Self.insert([quake], $0) } }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func insert(_ rows: [Quake], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO quake VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for quake in rows {
            try statement.execute(arguments: [
                quake.id, quake.code, quake.place, quake.magnitude, quake.time.timeIntervalSinceReferenceDate,
                quake.day, quake.felt, quake.tsunami,
            ])
        }
    }

    /// Changes a row's magnitude with a commit of its own.
    func setMagnitude(_ magnitude: Double, ofID id: UInt64) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE quake SET magnitude = ? WHERE id = ?")
            try statement.execute(arguments: [magnitude, id])
        }
    }

    func objects(withIDs ids: [UInt64]) throws -> [Quake] {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM quake WHERE id = ?")
            return try ids.compactMap { try Quake.fetchOne(statement, arguments: [$0]) }
        }
    }

    func objects(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> [Quake] {
        try pool.read { try Quake.fetchAll($0.cachedStatement(sql: sql), arguments: .init(arguments)) }
    }

    func ids(_ sql: String, _ arguments: [Double] = []) throws -> [Int64] {
        try pool.read { try Int64.fetchAll($0.cachedStatement(sql: sql), arguments: .init(arguments)) }
    }

    func count(_ sql: String, _ arguments: [Double] = []) throws -> Int {
        try pool.read { try Int.fetchOne($0.cachedStatement(sql: sql), arguments: .init(arguments)) ?? 0 }
    }
}

extension Quake: FetchableRecord {
    convenience init(row: Row) throws {
        self.init(
            id: row[0], code: row[1], place: row[2], magnitude: row[3],
            time: Date(timeIntervalSinceReferenceDate: row[4]), day: row[5], felt: row[6], tsunami: row[7])
    }
}

extension GRDBSide {
    func sum(_ sql: String) throws -> Double {
        try pool.read { database in
            var sum = 0.0
            let cursor = try Double.fetchCursor(database.cachedStatement(sql: sql))
            while let value = try cursor.next() { sum += value }
            return sum
        }
    }

    func sections() throws -> [(title: String, count: Int)] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT day, count(*) FROM quake GROUP BY day ORDER BY day")
            return try Row.fetchAll(statement).map { (title: $0[0], count: $0[1]) }
        }
    }
}
