import CRawStore
import Foundation
import Loam

/// The work of a program with models: `@Model` objects, in a new context each time.
extension Suite {
    var modelReads: [Contest] {
        get throws {
            let identifiers = try models.identifiers()
            return [
                try modelRange("models: 10 % by an index to objects", reading: false, target: ">= 0.8 M/s"),
                try modelRange("models: the same, every property read", reading: true, target: "-"),
                try modelTable("models: whole table to objects", reading: false, target: ">= 3 M/s"),
                try modelTable("models: the same, every property read", reading: true, target: "-"),
                try modelPointReads(identifiers), try modelScan, try registeredScan,
            ]
        }
    }

    // MARK: Inserts

    /// A program imports a file: it makes and inserts objects, and saves once at the end.
    var modelInsert: Contest {
        let (models, raw, grdb, workload) = (models, raw, grdb, workload)
        var rawRows = RawRows([])
        return Contest(
            name: "models: bulk insert, 4 indexes, durable", unit: .rate, target: ">= 900 k/s, >= 9x GRDB",
            entries: [
                .init(side: .loam, operations: workload.rows.count, prepare: models.makeEmptyStore) {
                    try models.insert(workload.rows)
                    return {
                        UInt64(try ModelContext(models.container).fetchCount(FetchDescriptor<Earthquake>()))
                    }
                },
                .init(
                    side: .raw, operations: workload.rows.count,
                    prepare: {
                        try raw.makeEmptyStore()
                        rawRows = RawRows(workload.rows)
                    }
                ) {
                    try RawSide.check(raw_load(raw.store, rawRows.rows.baseAddress, rawRows.rows.count))
                    rawRows = RawRows([])
                    return {
                        var count = 0
                        try RawSide.check(raw_count(raw.store, &count))
                        return UInt64(count)
                    }
                },
                .init(
                    side: .grdb, operations: workload.rows.count,
                    prepare: { try grdb.makeEmptyStore(withIndexes: true) }
                ) {
                    try grdb.load(workload.rows, makingIndexes: false)
                    return { UInt64(try grdb.count("SELECT count(*) FROM quake")) }
                },
            ])
    }

    // MARK: Fetches

    private func modelRange(_ name: String, reading: Bool, target: String) throws -> Contest {
        let (models, raw, grdb, range) = (models, raw, grdb, workload.range)
        let lower = Date(timeIntervalSinceReferenceDate: range.lower)
        let upper = Date(timeIntervalSinceReferenceDate: range.upper)
        let descriptor = FetchDescriptor<Earthquake>(
            predicate: #Predicate<Earthquake> { $0.time >= lower && $0.time < upper }, sortBy: [SortDescriptor(\.time)])
        let count = try ModelContext(models.container).fetchCount(descriptor)
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

    private func modelTable(_ name: String, reading: Bool, target: String) throws -> Contest {
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

    /// A fetch in a new context. Its properties are read while the clock runs, or afterwards.
    private func fetch(_ descriptor: FetchDescriptor<Earthquake>, _ count: Int, reading: Bool) -> Contest.Entry {
        let models = models
        return Contest.Entry(side: .loam, operations: count) {
            let context = ModelContext(try models.container)
            let quakes = try context.fetch(descriptor)
            let digest = reading ? quakes.digest : 0
            return { withExtendedLifetime(context) { reading ? digest : quakes.digest } }
        }
    }

    private func modelPointReads(_ identifiers: [PersistentIdentifier]) throws -> Contest {
        let (models, raw, grdb) = (models, raw, grdb)
        let ids = workload.randomIDs(min(workload.rows.count, 100_000))
        let wanted = ids.map { identifiers[Int($0) - 1] }
        func sum(_ quakes: [Quake]) -> UInt64 { quakes.reduce(0) { $0 + $1.magnitude }.bitPattern }
        return Contest(
            name: "models: model(for:), one property", unit: .rate, target: ">= 0.8 M/s, >= 0.6x raw",
            entries: [
                .init(side: .loam, operations: ids.count) {
                    let context = ModelContext(try models.container)
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

    // MARK: One property

    private var modelScan: Contest {
        get throws {
            let models = models
            return try scan("models: fetch all, one property summed", target: "-", prepare: {}) {
                let context = ModelContext(try models.container)
                let sum = try context.fetch(FetchDescriptor<Earthquake>()).reduce(0) { $0 + $1.magnitude }
                return { withExtendedLifetime(context) { sum.bitPattern } }
            }
        }
    }

    /// A scan over objects that are there already, whose property was not read yet.
    private var registeredScan: Contest {
        get throws {
            let models = models
            var registered: (context: ModelContext, quakes: [Earthquake])?
            return try scan(
                "models: one property of registered objects", target: ">= 10 M/s",
                prepare: {
                    let context = ModelContext(try models.container)
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

    private func scan(
        _ name: String, target: String, prepare: @escaping () throws -> Void,
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

    // MARK: Saves

    /// A registered object changes one indexed property, and its context is saved.
    var modelSaves: [Contest] {
        get throws {
            let (models, raw, grdb) = (models, raw, grdb)
            let ids = workload.randomIDs(1_000)
            let identifiers = try models.identifiers()
            let context = ModelContext(try models.container)
            let quakes = ids.compactMap { context.model(for: identifiers[Int($0) - 1]) as? Earthquake }
            var turns: [Side: Int] = [:]
            /// The next change of a side. All sides make the same changes in the same order.
            func next(_ side: Side) -> (position: Int, magnitude: Double) {
                let turn = turns[side, default: 0]
                turns[side] = turn + 1
                return (turn % ids.count, Double(turn % 1_000) / 100 + 0.005)
            }
            return [
                Contest(
                    name: "models: one change, durable", unit: .time, target: "<= 1.1x raw (the same trees)",
                    rounds: 201,
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
            ]
        }
    }
}
