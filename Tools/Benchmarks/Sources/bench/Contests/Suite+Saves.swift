import CRawStore
import Foundation
import Loam
import Synchronization

extension Suite {
    /// Saves of single objects, each commit durable.
    var saves: [Contest] {
        get throws { [try oneInsert, try concurrentSaves, try oneChange] }
    }

    private var oneInsert: Contest {
        get throws {
            let (loam, raw, grdb) = (loam, raw, grdb)
            let context = try loam.makeContext()
            var row: [Quake] = []
            var rawRow = RawRows([])
            var quakes: [Quake] = []
            return Contest(
                name: "one insert, 4 indexes, durable", unit: .time, target: "<= 1.1x raw (the same trees)",
                rounds: 201,
                entries: [
                    .init(side: .loam, operations: 1, prepare: { row = self.further(1, for: .loam) }) {
                        for quake in row { context.insert(Earthquake(quake)) }
                        try context.save()
                        return { UInt64(try loam.count()) }
                    },
                    .init(side: .raw, operations: 1, prepare: { rawRow = RawRows(self.further(1, for: .raw)) }) {
                        try RawSide.check(raw_insert(raw.store, rawRow.rows.baseAddress, 1))
                        return { try Self.count(raw) }
                    },
                    .init(side: .grdb, operations: 1, prepare: { quakes = self.further(1, for: .grdb) }) {
                        try grdb.insert(quakes)
                        return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
                    },
                ])
        }
    }

    /// The time per row: 64 threads with a context each that save 8 rows, one after the other, against 8 transactions
    /// with 64 rows in C, and 64 tasks of GRDB.
    private var concurrentSaves: Contest {
        get throws {
            let (savers, turns) = (64, 8)
            let (loam, raw, grdb) = (loam, raw, grdb)
            var rows: [[Quake]] = []
            var rawRows: [RawRows] = []
            var quakes: [[Quake]] = []
            func further(_ side: Side) -> [[Quake]] { (0..<savers).map { _ in self.further(turns, for: side) } }
            return Contest(
                name: "64 concurrent savers, per row", unit: .time, target: ">= 0.8x raw in one transaction",
                rounds: 21,
                entries: [
                    .init(side: .loam, operations: savers * turns, prepare: { rows = further(.loam) }) {
                        try loam.insertConcurrently(rows)
                        return { UInt64(try loam.count()) }
                    },
                    .init(
                        side: .raw, operations: savers * turns,
                        prepare: { rawRows = (0..<turns).map { _ in RawRows(self.further(savers, for: .raw)) } }
                    ) {
                        for rows in rawRows { try RawSide.check(raw_insert(raw.store, rows.rows.baseAddress, savers)) }
                        return { try Self.count(raw) }
                    },
                    .init(side: .grdb, operations: savers * turns, prepare: { quakes = further(.grdb) }) {
                        try grdb.insertConcurrently(quakes)
                        return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
                    },
                ])
        }
    }

    /// A registered object changes one indexed property, and its context is saved.
    private var oneChange: Contest {
        get throws {
            let (raw, grdb) = (raw, grdb)
            let ids = workload.randomIDs(1_000)
            let identifiers = try loam.identifiers()
            let context = try loam.makeContext()
            let quakes = ids.compactMap { context.model(for: identifiers[Int($0) - 1]) as? Earthquake }
            var turns: [Side: Int] = [:]
            /// The next change of a side. All sides make the same changes in the same order.
            func next(_ side: Side) -> (position: Int, magnitude: Double) {
                let turn = turns[side, default: 0]
                turns[side] = turn + 1
                return (turn % ids.count, Double(turn % 1_000) / 100 + 0.005)
            }
            return Contest(
                name: "one change, durable", unit: .time, target: "<= 1.1x raw (the same trees)", rounds: 201,
                entries: [
                    .init(side: .loam, operations: 1) {
                        let (position, magnitude) = next(.loam)
                        quakes[position].magnitude = magnitude
                        try context.save()
                        return { magnitude.bitPattern }
                    },
                    .init(side: .raw, operations: 1) {
                        let (position, magnitude) = next(.raw)
                        try RawSide.check(raw_set_magnitude(raw.store, ids[position], magnitude))
                        return { magnitude.bitPattern }
                    },
                    .init(side: .grdb, operations: 1) {
                        let (position, magnitude) = next(.grdb)
                        try grdb.setMagnitude(magnitude, ofID: ids[position])
                        return { magnitude.bitPattern }
                    },
                ])
        }
    }

    private static func count(_ raw: RawSide) throws -> UInt64 {
        var count = 0
        try RawSide.check(raw_count(raw.store, &count))
        return UInt64(count)
    }
}

/// Blocks this thread until the closure has run in the cooperative pool. This thread is not one of the pool's.
func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Task {
        do {
            try await body()
        } catch {
            failure.withLock { $0 = error }
        }
        done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
