import Foundation
import RandomQueries
import SQLiteOracle
import SeededRandom
import Synchronization

/// SQLite with the same rows: what `CREATE INDEX` does to saves of another connection. Both write with a log and flush
/// each commit.
final class SQLiteBuilding {
    /// Those of ``BuildingCampaign/definitions``, as SQLite has them.
    static let indexes = [
        "INDEX built ON quake (place COLLATE NOCASE)",
        "INDEX built ON quake (CAST(time / 86400 AS INTEGER), length(place))",
        "UNIQUE INDEX built ON quake (felt, code DESC)",
        "INDEX built ON quake (tsunami, felt, code, place)",
    ]

    private let path: String
    private let rowCount: Int
    private let database: SQLiteOracle

    init(_ quakes: QuakeStore, in folder: URL) throws {
        path = folder.appending(path: "building-\(UUID().uuidString).sqlite").path
        rowCount = quakes.rowCount
        database = try Self.opened(path)
        try database.run(
            """
            CREATE TABLE quake (id INTEGER PRIMARY KEY, code TEXT NOT NULL, place TEXT NOT NULL,
                magnitude REAL NOT NULL, time REAL NOT NULL, day TEXT NOT NULL, felt INTEGER, tsunami INTEGER NOT NULL);
            CREATE INDEX time ON quake (time); CREATE INDEX day ON quake (day, time);
            CREATE INDEX magnitudes ON quake (day, magnitude); CREATE INDEX magnitude ON quake (magnitude);
            CREATE UNIQUE INDEX code ON quake (code)
            """)
        try database.run("BEGIN")
        for first in stride(from: 0, to: rowCount, by: 10_000) {
            let rows = (first..<min(first + 10_000, rowCount)).map { number in
                [SQLiteValue.integer(Int64(number + 1))] + quakes.values(number).map { SQLiteValue($0) ?? .null }
            }
            try database.insert(rows, into: "quake")
        }
        try database.run("COMMIT")
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Builds an index beside saves, drops it, and says how long these waited.
    func measure(_ index: Int) throws -> String {
        let saver = try SQLiteSaver(path: path, rowCount: rowCount, seed: UInt64(index))
        saver.start()
        let quiet = saver.waits(atLeast: 200)
        let start = ContinuousClock.now
        try database.run("CREATE \(Self.indexes[index])")
        let seconds = start.duration(to: .now) / .seconds(1)
        let waits = try saver.stop()
        try database.run("DROP INDEX built")
        return """
              SQLite, index \(index): quiet: saves \(WaitSummary(seconds: quiet))
              SQLite, index \(index): built in \(String(format: "%.2f", seconds)) s
              SQLite, index \(index): beside the build: saves \(WaitSummary(seconds: waits))
            """
    }

    fileprivate static func opened(_ path: String) throws -> SQLiteOracle {
        let database = try SQLiteOracle(path: path)
        try database.run("PRAGMA busy_timeout = 600000")
        _ = try database.rows("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = FULL")
        return database
    }
}

/// A thread with a connection of its own that changes one row after the other until it is told to stop.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `work` | its mutex | the thread, and whoever takes the waits | the thread has ended |
private final class SQLiteSaver: Sendable {
    private struct Work {
        var waits: [Double] = []
        var failure: (any Error)?
        var isStopped = false
    }

    private let path: String
    private let rowCount: Int
    private let seed: UInt64
    private let work = Mutex(Work())
    private let saved = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(path: String, rowCount: Int, seed: UInt64) throws {
        (self.path, self.rowCount, self.seed) = (path, rowCount, seed)
    }

    func start() {
        Thread.detachNewThread {
            do {
                let database = try SQLiteBuilding.opened(self.path)
                var random = SeededGenerator(seed: self.seed)
                while !self.work.withLock({ $0.isStopped }) {
                    let row = Int.random(in: 1...self.rowCount, using: &random)
                    let value = Int.random(in: 1...1_000_000_000, using: &random)
                    let start = ContinuousClock.now
                    try database.run("UPDATE quake SET felt = \(value) WHERE id = \(row)")
                    let seconds = start.duration(to: .now) / .seconds(1)
                    self.work.withLock { $0.waits.append(seconds) }
                    self.saved.signal()
                }
            } catch {
                self.work.withLock { $0.failure = error }
                // Whoever waits for saves hears of it when it asks for the waits.
                for _ in 0..<1_000 { self.saved.signal() }
            }
            self.ended.signal()
        }
    }

    /// How long so many saves took, and no more than 1,000.
    func waits(atLeast count: Int) -> [Double] {
        for _ in 0..<count { saved.wait() }
        return work.withLock { work in
            defer { work.waits = [] }
            return work.waits
        }
    }

    /// Ends the thread; returns how long its saves took since the waits were taken last.
    ///
    /// - Throws: what SQLite has reported.
    func stop() throws -> [Double] {
        work.withLock { $0.isStopped = true }
        ended.wait()
        return try work.withLock { work in
            if let failure = work.failure { throw failure }
            return work.waits
        }
    }
}
