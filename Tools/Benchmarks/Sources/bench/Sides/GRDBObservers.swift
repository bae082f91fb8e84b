import Dispatch
import GRDB
import Synchronization

/// GRDB's observations, each on a queue that is not the writer's: every change to the table runs their queries again.
///
/// They put several commits together as they like, so what has come says how often something has come no more than which
/// commit it shows. So each commit here has a number, its *turn*, in a table of one row, and each observation reads it.
final class GRDBObservers {
    /// What the observations have shown, by their positions.
    private final class Shown: Sendable {
        private let turns = Mutex<[(turn: Int, at: Double)]>([])
        private let signal = DispatchSemaphore(value: 0)

        /// Makes room for another observation; returns its position.
        func add() -> Int {
            turns.withLock { turns in
                turns.append((-1, 0))
                return turns.count - 1
            }
        }

        func show(_ turn: Int, by number: Int) {
            let now = WorkClock.elapsed.now
            turns.withLock { turns in
                // What shows the same commit again is not when it came.
                if turns[number].turn < turn { turns[number] = (turn, now) }
            }
            signal.signal()
        }

        /// As ``GRDBObservers/wait(for:)``.
        func wait(for turn: Int) throws -> Double {
            while true {
                let last = turns.withLock { turns in
                    turns.allSatisfy { $0.turn >= turn } ? turns.map(\.at).max() : nil
                }
                if let last { return last }
                guard signal.wait(timeout: .now() + 60) == .success else {
                    throw BenchmarkError(description: "A change did not arrive within a minute.")
                }
            }
        }
    }

    private let side: GRDBSide
    private let queue = DispatchQueue(label: "observations")
    private let shown = Shown()
    private var observations: [AnyDatabaseCancellable] = []
    private var lastTurn = 0

    init(_ side: GRDBSide) { self.side = side }

    private var isOpen: Bool { !observations.isEmpty }

    /// What a list in sections by day shows first: all days with their numbers, and 50 rows. Once.
    func observeSections() throws {
        guard !isOpen else { return }
        try makeTurns()
        try observe { database in
            let sections = try Row.fetchAll(
                database, sql: "SELECT day, count(*) FROM quake GROUP BY day ORDER BY day"
            ).map { (title: $0[0] as String, count: $0[1] as Int) }
            let rows = try Quake.fetchAll(database, sql: "SELECT * FROM quake ORDER BY day, time LIMIT 50")
            return sections.count + rows.count
        }
    }

    /// A list for each day, by time, of the rows' ids. Once.
    func observe(days: [String]) throws {
        guard !isOpen else { return }
        try makeTurns()
        for day in days {
            // One after the other: a thousand first reads at once wait for each other without end.
            try observe { database in
                try Int64.fetchAll(
                    database, sql: "SELECT id FROM quake WHERE day = ? ORDER BY time", arguments: [day]
                ).count
            }
        }
    }

    private func makeTurns() throws {
        lastTurn = try side.pool.write { database in
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS turn (number INTEGER NOT NULL)")
            try database.execute(sql: "INSERT INTO turn SELECT 0 WHERE NOT EXISTS (SELECT * FROM turn)")
            return try Int.fetchOne(database, sql: "SELECT number FROM turn") ?? 0
        }
    }

    private func observe(_ read: @escaping @Sendable (Database) throws -> Int) throws {
        let number = shown.add()
        // Told that the tables are always these, GRDB reads beside the writer, and not before the write returns.
        let observation = ValueObservation.trackingConstantRegion { database in
            let turn = try Int.fetchOne(database, sql: "SELECT number FROM turn") ?? 0
            return (turn: turn, rows: try read(database))
        }
        observations.append(
            observation.start(in: try side.pool, scheduling: .async(onQueue: queue)) { _ in
                // The reader waits in vain, and the contest says so.
            } onChange: { [shown] value in
                shown.show(value.turn, by: number)
            })
        _ = try wait(for: lastTurn)
    }

    /// Waits until all observations show a commit.
    ///
    /// - Returns: when the last one of them did.
    /// - Throws: where nothing has come for a minute.
    func wait(for turn: Int) throws -> Double { try shown.wait(for: turn) }

    func close() { observations = [] }
}

extension GRDBObservers {
    /// Changes a row's magnitude with a commit of its own.
    ///
    /// - Returns: the commit's turn.
    func setMagnitude(_ magnitude: Double, ofID id: UInt64) throws -> Int {
        try takeTurn { database in
            let statement = try database.cachedStatement(sql: "UPDATE quake SET magnitude = ? WHERE id = ?")
            try statement.execute(arguments: [magnitude, id])
        }
    }

    /// Multiplies the magnitudes of rows, with one commit.
    ///
    /// - Returns: the commit's turn.
    func multiply(magnitudesOf ids: [UInt64], by factor: Double) throws -> Int {
        try takeTurn { database in
            let statement = try database.cachedStatement(sql: "UPDATE quake SET magnitude = magnitude * ? WHERE id = ?")
            for id in ids { try statement.execute(arguments: [factor, id]) }
        }
    }

    private func takeTurn(_ change: (Database) throws -> Void) throws -> Int {
        lastTurn += 1
        let turn = lastTurn
        try side.pool.write { database in
            try change(database)
            try database.cachedStatement(sql: "UPDATE turn SET number = ?").execute(arguments: [turn])
        }
        return turn
    }
}
