import Dispatch
import GRDB

/// GRDB's observations, each on a queue that is not the writer's: every change to the table runs their queries again.
final class GRDBObservers {
    private let queue = DispatchQueue(label: "observations")
    private var observations: [AnyDatabaseCancellable] = []

    /// What a list in sections by day shows first: all days with their numbers, and 50 rows.
    func observeSections(in pool: DatabasePool, _ arrival: Arrival) throws {
        let observation = ValueObservation.tracking { database in
            let sections = try Row.fetchAll(
                database, sql: "SELECT day, count(*) FROM quake GROUP BY day ORDER BY day"
            ).map { (title: $0[0] as String, count: $0[1] as Int) }
            let rows = try Quake.fetchAll(database, sql: "SELECT * FROM quake ORDER BY day, time LIMIT 50")
            return (sections: sections.count, rows: rows.count)
        }
        start(observation, in: pool, arrival)
        _ = try arrival.wait()
        arrival.clear()
    }

    /// A list for each day, by time, of the rows' ids.
    func observe(days: [String], in pool: DatabasePool, _ arrival: Arrival) throws {
        for day in days {
            let observation = ValueObservation.tracking { database in
                try Int64.fetchAll(database, sql: "SELECT id FROM quake WHERE day = ? ORDER BY time", arguments: [day])
            }
            // One after the other: a thousand first reads at once wait for each other without end.
            start(observation, in: pool, arrival)
            _ = try arrival.wait()
        }
        arrival.clear()
    }

    private func start<Value: Sendable>(
        _ observation: ValueObservation<ValueReducers.Fetch<Value>>, in pool: DatabasePool, _ arrival: Arrival
    ) {
        observations.append(
            observation.start(in: pool, scheduling: .async(onQueue: queue)) { _ in
                // The reader waits in vain, and the contest says so.
            } onChange: { _ in
                arrival.arrive()
            })
    }

    func close() { observations = [] }
}

extension GRDBSide {
    /// Multiplies the magnitudes of rows, with one commit.
    func multiply(magnitudesOf ids: [UInt64], by factor: Double) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE quake SET magnitude = magnitude * ? WHERE id = ?")
            for id in ids { try statement.execute(arguments: [factor, id]) }
        }
    }
}
