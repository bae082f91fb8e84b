import CRawStore
import Foundation
import Loam

extension Suite {
    /// Fetches that make objects, each in a new context.
    var objects: [Contest] {
        get throws {
            [
                try pointReads, try uniqueReads,
                try table("whole table to objects", reading: false, target: ">= 3 M/s"),
                try table("the same, every property read", reading: true, target: "-"),
                try range("index range of 10 %, to objects", reading: false, target: ">= 0.8 M/s"),
                try range("the range, every property read", reading: true, target: "-"),
                try top, try scan, try registeredScan,
            ]
        }
    }

    /// A fetch in a new context. Its properties are read while the clock runs, or afterwards.
    private func fetch(_ descriptor: FetchDescriptor<Earthquake>, _ count: Int, reading: Bool) -> Contest.Entry {
        let loam = loam
        return Contest.Entry(side: .loam, operations: count) {
            let context = try loam.makeContext()
            let quakes = try context.fetch(descriptor)
            let digest = reading ? quakes.digest : 0
            return { withExtendedLifetime(context) { reading ? digest : quakes.digest } }
        }
    }

    // MARK: One by one

    private var pointReads: Contest {
        get throws {
            let (loam, raw, grdb) = (loam, raw, grdb)
            let ids = workload.randomIDs(min(workload.rows.count, 100_000))
            let identifiers = try loam.identifiers()
            let wanted = ids.map { identifiers[Int($0) - 1] }
            func sum(_ quakes: [Quake]) -> UInt64 { quakes.reduce(0) { $0 + $1.magnitude }.bitPattern }
            return Contest(
                name: "by identifier, one property read", unit: .rate, target: ">= 0.8 M/s, >= 0.6x raw",
                entries: [
                    .init(side: .loam, operations: ids.count) {
                        let context = try loam.makeContext()
                        var sum = 0.0
                        for identifier in wanted {
                            if let quake = context.model(for: identifier) as? Earthquake { sum += quake.magnitude }
                        }
                        return { withExtendedLifetime(context) { sum.bitPattern } }
                    },
                    .init(side: .raw, operations: ids.count) {
                        let objects = try RawObjects(capacity: ids.count) { room, count in
                            try RawSide.check(raw_get(raw.store, ids, ids.count, room))
                            count = ids.count
                        }
                        return { sum(objects.quakes) }
                    },
                    .init(side: .grdb, operations: ids.count) {
                        let quakes = try grdb.objects(withIDs: ids)
                        return { sum(quakes) }
                    },
                ])
        }
    }

    /// A query each, with a state of the store of its own, for one row by its unique code.
    private var uniqueReads: Contest {
        get throws {
            let (loam, grdb) = (loam, grdb)
            let codes = workload.randomIDs(2_000).map { workload.rows[Int($0) - 1].code }
            return Contest(
                name: "query by a unique code, to an object", unit: .time, target: "-",
                entries: [
                    .init(side: .loam, operations: codes.count) {
                        let context = try loam.makeContext()
                        var digest: UInt64 = 0
                        for code in codes {
                            let quakes = try context.fetch(
                                FetchDescriptor<Earthquake>(predicate: #Predicate { $0.code == code }))
                            digest &+= quakes.digest
                        }
                        return { digest }
                    },
                    .init(side: .grdb, operations: codes.count) {
                        var digest: UInt64 = 0
                        for code in codes {
                            digest &+= try grdb.objects("SELECT * FROM quake WHERE code = ?", [code]).contentDigest
                        }
                        return { digest }
                    },
                ])
        }
    }

    // MARK: Many

    private func table(_ name: String, reading: Bool, target: String) throws -> Contest {
        let (raw, grdb, count) = (raw, grdb, workload.rows.count)
        return Contest(
            name: name, unit: .rate, target: target,
            entries: [
                fetch(FetchDescriptor<Earthquake>(), count, reading: reading),
                .init(side: .raw, operations: count) {
                    let objects = try RawObjects(capacity: count) { room, made in
                        try RawSide.check(raw_scan_objects(raw.store, room, count, &made))
                    }
                    return { objects.contentDigest }
                },
                .init(side: .grdb, operations: count) {
                    let quakes = try grdb.objects("SELECT * FROM quake ORDER BY id")
                    return { quakes.contentDigest }
                },
            ])
    }

    private func range(_ name: String, reading: Bool, target: String) throws -> Contest {
        let (raw, grdb, range) = (raw, grdb, workload.range)
        let descriptor = timeRange
        let count = try loam.makeContext().fetchCount(descriptor)
        return Contest(
            name: name, unit: .rate, target: target,
            entries: [
                fetch(descriptor, count, reading: reading),
                .init(side: .raw, operations: count) {
                    let objects = try RawObjects(capacity: count) { room, made in
                        try RawSide.check(
                            raw_range_objects(raw.store, range.lower, range.upper, room, count, &made))
                    }
                    return { objects.contentDigest }
                },
                .init(side: .grdb, operations: count) {
                    let quakes = try grdb.objects(
                        "SELECT * FROM quake WHERE time >= ? AND time < ? ORDER BY time, id",
                        [range.lower, range.upper])
                    return { quakes.contentDigest }
                },
            ])
    }

    /// A tenth of the rows, by time.
    var timeRange: FetchDescriptor<Earthquake> {
        let lower = Date(timeIntervalSinceReferenceDate: workload.range.lower)
        let upper = Date(timeIntervalSinceReferenceDate: workload.range.upper)
        return FetchDescriptor(
            predicate: #Predicate { $0.time >= lower && $0.time < upper }, sortBy: [SortDescriptor(\.time)])
    }

    private var top: Contest {
        get throws {
            let (loam, raw, grdb) = (loam, raw, grdb)
            var descriptor = FetchDescriptor<Earthquake>(
                sortBy: [
                    SortDescriptor(\.magnitude, order: .reverse), SortDescriptor(\.persistentModelID, order: .reverse),
                ])
            descriptor.fetchLimit = 50
            let first = descriptor
            return Contest(
                name: "top 50 by magnitude, to objects", unit: .time, target: "<= 12.5 us",
                entries: [
                    .init(side: .loam, operations: 200) {
                        let digest = try repeating(200) { try loam.makeContext().fetch(first).digest }
                        return { digest }
                    },
                    .init(side: .raw, operations: 200) {
                        let digest = try repeating(200) {
                            try RawObjects(capacity: 50) { try RawSide.check(raw_top(raw.store, $0, 50, &$1)) }
                                .contentDigest
                        }
                        return { digest }
                    },
                    .init(side: .grdb, operations: 200) {
                        let digest = try repeating(200) {
                            try grdb.objects("SELECT * FROM quake ORDER BY magnitude DESC, id DESC LIMIT 50")
                                .contentDigest
                        }
                        return { digest }
                    },
                ])
        }
    }

    // MARK: One property

    private var scan: Contest {
        get throws {
            let loam = loam
            return try scan("fetch all, one property summed", target: "-", prepare: {}) {
                let context = try loam.makeContext()
                let sum = try context.fetch(FetchDescriptor<Earthquake>()).reduce(0) { $0 + $1.magnitude }
                return { withExtendedLifetime(context) { sum.bitPattern } }
            }
        }
    }

    /// A scan over objects that are there already, whose property was not read yet.
    private var registeredScan: Contest {
        get throws {
            let loam = loam
            var registered: (context: ModelContext, quakes: [Earthquake])?
            return try scan(
                "one property of registered objects", target: ">= 10 M/s",
                prepare: {
                    let context = try loam.makeContext()
                    registered = (context, try context.fetch(FetchDescriptor<Earthquake>()))
                }
            ) {
                let sum = registered?.quakes.reduce(0) { $0 + $1.magnitude } ?? 0
                return {
                    registered = nil
                    return sum.bitPattern
                }
            }
        }
    }

    /// The sides add in the same order, so the sums are the same to the bit.
    func scan(
        _ name: String, target: String, prepare: @escaping () throws -> Void = {},
        _ run: @escaping () throws -> () throws -> UInt64
    ) throws -> Contest {
        let (raw, grdb, count) = (raw, grdb, workload.rows.count)
        return Contest(
            name: name, unit: .rate, target: target,
            entries: [
                .init(side: .loam, operations: count, prepare: prepare, run: run),
                .init(side: .raw, operations: count) {
                    var sum = 0.0
                    try RawSide.check(raw_scan_magnitudes(raw.store, &sum))
                    return { sum.bitPattern }
                },
                .init(side: .grdb, operations: count) {
                    let sum = try grdb.sum("SELECT magnitude FROM quake ORDER BY id")
                    return { sum.bitPattern }
                },
            ])
    }
}
