import CRawStore
import Foundation
import _LoamStore

extension Suite {
    var loads: [Contest] {
        let count = workload.rows.count
        let rows = RawRows(workload.rows)
        let intoRaw = Contest.Entry(
            side: .raw, operations: count, prepare: raw.makeEmptyStore
        ) { [raw] in
            try RawSide.check(raw_load(raw.store, rows.rows.baseAddress, count))
            return {
                var stored = 0
                try RawSide.check(raw_count(raw.store, &stored))
                return UInt64(stored)
            }
        }
        return [
            Contest(
                name: "bulk load, 4 indexes, durable", unit: .rate, target: ">= 900 k/s, >= 9x GRDB",
                entries: [intoLoam, intoRaw, intoGRDB(indexesFirst: true)]),
            Contest(
                name: "bulk load, SQLite indexes after", unit: .rate, target: ">= 3x SQLite",
                entries: [intoLoam, intoGRDB(indexesFirst: false)]),
            modelInsert,
        ]
    }

    private var intoLoam: Contest.Entry {
        let (loam, workload) = (loam, workload)
        var empty: LoamStore?
        return Contest.Entry(
            side: .loam, operations: workload.rows.count, prepare: { empty = try loam.makeEmptyStore() }
        ) {
            guard let store = empty else { return { 0 } }
            try loam.load(workload.rows, into: store)
            empty = nil
            return { UInt64(try loam.store.read { try $0.count(of: loam.entity) }) }
        }
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
