import CRawStore
import Foundation
import _LoamStore

extension Suite {
    /// A closed file, cached by the system, is opened for what a first screen shows: 50 rows by time, all sections, and
    /// the total.
    var opening: Contest {
        let (loam, raw, grdb) = (loam, raw, grdb)
        return Contest(
            name: "open to 50 rows, sections, total", unit: .time, target: "<= 5 ms",
            entries: [
                .init(side: .loam, operations: 1, prepare: loam.close) {
                    let (store, entity) = (try loam.store, try loam.entity)
                    let all = try entity.index("time").all
                    let (quakes, sections, total) = try store.read { snapshot in
                        (
                            try snapshot.quakes(in: all, limit: 50),
                            try snapshot.sections(of: entity.index("day")), try snapshot.count(of: entity)
                        )
                    }
                    return { quakes.digest &+ Self.digest(sections) &+ UInt64(total) }
                },
                .init(side: .raw, operations: 1, prepare: raw.close) {
                    let objects = try RawObjects(capacity: 50) {
                        try RawSide.check(raw_first_by_time(raw.store, $0, 50, &$1))
                    }
                    let sections = try Self.sections(of: raw)
                    var total = 0
                    try RawSide.check(raw_count(raw.store, &total))
                    return { objects.digest &+ Self.digest(sections) &+ UInt64(total) }
                },
                .init(side: .grdb, operations: 1, prepare: grdb.close) {
                    let quakes = try grdb.objects("SELECT * FROM quake ORDER BY time, id LIMIT 50")
                    let sections = try grdb.sections()
                    let total = try grdb.count("SELECT count(*) FROM quake")
                    return { quakes.digest &+ Self.digest(sections) &+ UInt64(total) }
                },
            ])
    }
}
