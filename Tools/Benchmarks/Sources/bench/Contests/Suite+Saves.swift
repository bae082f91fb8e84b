import CRawStore
import Foundation
import Synchronization
import _LoamStore

extension Suite {
    /// Saves of single rows, each commit durable.
    var saves: [Contest] {
        get throws { [try oneInsert, try concurrentSaves] }
    }

    private var oneInsert: Contest {
        get throws {
            let (raw, grdb) = (raw, grdb)
            let (store, entity) = (try loam.store, try loam.entity)
            var row: [FieldValue] = []
            var rawRow = RawRows([])
            var quakes: [Quake] = []
            return Contest(
                name: "one insert, 4 indexes, durable", unit: .time, target: "<= 1.1x raw (the same trees)",
                rounds: 201,
                entries: [
                    .init(
                        side: .loam, operations: 1, prepare: { row = LoamSide.values(self.further(1, for: .loam)[0]) }
                    ) {
                        try store.save(row, as: entity)
                        return { UInt64(try store.read { try $0.count(of: entity) }) }
                    },
                    .init(
                        side: .raw, operations: 1, prepare: { rawRow = RawRows(self.further(1, for: .raw)) }
                    ) {
                        try RawSide.check(raw_insert(raw.store, rawRow.rows.baseAddress, 1))
                        return { try Self.count(raw) }
                    },
                    .init(
                        side: .grdb, operations: 1, prepare: { quakes = self.further(1, for: .grdb) }
                    ) {
                        try grdb.insert(quakes)
                        return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
                    },
                ])
        }
    }

    /// The time per row: 64 tasks that save 8 rows each, one after the other, against 8 transactions with 64 rows in C,
    /// and 64 tasks of GRDB.
    private var concurrentSaves: Contest {
        get throws {
            let (savers, turns) = (64, 8)
            let (raw, grdb) = (raw, grdb)
            let (store, entity) = (try loam.store, try loam.entity)
            var rows: [[[FieldValue]]] = []
            var rawRows: [RawRows] = []
            var quakes: [[Quake]] = []
            func further(_ side: Side) -> [[Quake]] { (0..<savers).map { _ in self.further(turns, for: side) } }
            return Contest(
                name: "64 concurrent savers, per row", unit: .time, target: ">= 0.8x raw in one transaction",
                rounds: 21,
                entries: [
                    .init(
                        side: .loam, operations: savers * turns,
                        prepare: { rows = further(.loam).map { $0.map(LoamSide.values) } }
                    ) {
                        let rows = rows
                        try waiting { try await store.saveConcurrently(rows, as: entity) }
                        return { UInt64(try store.read { try $0.count(of: entity) }) }
                    },
                    .init(
                        side: .raw, operations: savers * turns,
                        prepare: { rawRows = (0..<turns).map { _ in RawRows(self.further(savers, for: .raw)) } }
                    ) {
                        for rows in rawRows { try RawSide.check(raw_insert(raw.store, rows.rows.baseAddress, savers)) }
                        return { try Self.count(raw) }
                    },
                    .init(
                        side: .grdb, operations: savers * turns, prepare: { quakes = further(.grdb) }
                    ) {
                        try grdb.insertConcurrently(quakes)
                        return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
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
