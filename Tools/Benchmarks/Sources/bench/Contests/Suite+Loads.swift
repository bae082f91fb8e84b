import CRawStore
import Foundation

extension Suite {
    /// A program imports a file: it makes and inserts objects, and saves once at the end.
    var loads: [Contest] {
        let (loam, raw, workload) = (loam, raw, workload)
        let count = workload.rows.count
        var rows = RawRows([])
        let intoLoam = Contest.Entry(side: .loam, operations: count, prepare: loam.makeEmptyStore) {
            try loam.insert(workload.rows)
            return { UInt64(try loam.count()) }
        }
        let intoRaw = Contest.Entry(
            side: .raw, operations: count,
            prepare: {
                try raw.makeEmptyStore()
                rows = RawRows(workload.rows)
            }
        ) {
            try RawSide.check(raw_load(raw.store, rows.rows.baseAddress, count))
            rows = RawRows([])
            return {
                var stored = 0
                try RawSide.check(raw_count(raw.store, &stored))
                return UInt64(stored)
            }
        }
        return [
            Contest(
                name: "bulk insert, 4 indexes, durable", unit: .rate, target: ">= 900 k/s, >= 9x GRDB",
                entries: [intoLoam, intoRaw, intoGRDB(indexesFirst: true)]),
            Contest(
                name: "bulk insert, SQLite indexes after", unit: .rate, target: ">= 3x SQLite",
                entries: [intoLoam, intoGRDB(indexesFirst: false)]),
        ]
    }

    private func intoGRDB(indexesFirst: Bool) -> Contest.Entry {
        let (grdb, workload) = (grdb, workload)
        return Contest.Entry(
            side: .grdb, operations: workload.rows.count,
            prepare: { try grdb.makeEmptyStore(withIndexes: indexesFirst) }
        ) {
            try grdb.load(workload.rows, makingIndexes: !indexesFirst)
            return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
        }
    }
}
