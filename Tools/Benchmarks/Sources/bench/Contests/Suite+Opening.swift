import CRawStore
import Foundation
import Loam

extension Suite {
    /// A closed file, cached by the system, is opened for what a first screen shows: 50 rows by time, all days with
    /// their numbers, and the total.
    var opening: Contest {
        let (loam, raw, grdb) = (loam, raw, grdb)
        var descriptor = FetchDescriptor<Earthquake>(sortBy: [SortDescriptor(\.time)])
        descriptor.fetchLimit = 50
        let first = descriptor
        return Contest(
            name: "open to 50 rows, groups, total", unit: .time, target: "<= 5 ms", rounds: 21,
            entries: [
                .init(side: .loam, operations: 1, prepare: loam.close) {
                    let context = try loam.makeContext()
                    let quakes = try context.fetch(first)
                    let sections = try Self.sections(of: context)
                    let total = try context.fetchCount(FetchDescriptor<Earthquake>())
                    return {
                        withExtendedLifetime(context) {
                            quakes.digest &+ Self.digest(sections) &+ UInt64(total)
                        }
                    }
                },
                .init(side: .raw, operations: 1, prepare: raw.close) {
                    let objects = try RawObjects(capacity: 50) {
                        try RawSide.check(raw_first_by_time(raw.store, $0, 50, &$1))
                    }
                    let sections = try Self.sections(of: raw)
                    var total = 0
                    try RawSide.check(raw_count(raw.store, &total))
                    return { objects.contentDigest &+ Self.digest(sections) &+ UInt64(total) }
                },
                .init(side: .grdb, operations: 1, prepare: grdb.close) {
                    let quakes = try grdb.objects("SELECT * FROM quake ORDER BY time, id LIMIT 50")
                    let sections = try grdb.sections()
                    let total = try grdb.count("SELECT count(*) FROM quake")
                    return { quakes.contentDigest &+ Self.digest(sections) &+ UInt64(total) }
                },
            ])
    }
}
