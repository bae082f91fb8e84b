import CRawStore
import Foundation
import Loam

extension Suite {
    /// Fetches that make no objects: identifiers, values, numbers, groups.
    var values: [Contest] {
        get throws { [try rangeToIdentifiers, try filter, try oneProperty, try sum, try counting, try sections] }
    }

    private var rangeToIdentifiers: Contest {
        get throws {
            let (loam, raw, grdb, descriptor) = (loam, raw, grdb, timeRange)
            let (count, (lower, upper)) = (try loam.makeContext().fetchCount(descriptor), workload.range)
            return Contest(
                name: "index range of 10 %, identifiers", unit: .rate, target: ">= 30 M/s",
                entries: [
                    .init(side: .loam, operations: 10 * count) {
                        let context = try loam.makeContext()
                        let identifiers = try repeating(10) { try context.fetchIdentifiers(descriptor) }
                        return { try loam.sum(identifiers) }
                    },
                    .init(side: .raw, operations: 10 * count) {
                        let ids = try repeating(10) {
                            try [UInt64](unsafeUninitializedCapacity: count) { room, found in
                                try RawSide.check(
                                    raw_range_ids(raw.store, lower, upper, room.baseAddress, count, &found))
                            }
                        }
                        return { ids.reduce(0, &+) }
                    },
                    .init(side: .grdb, operations: count) {
                        let ids = try grdb.ids(
                            "SELECT id FROM quake WHERE time >= ? AND time < ? ORDER BY time", [lower, upper])
                        return { ids.reduce(0) { $0 &+ UInt64($1) } }
                    },
                ])
        }
    }

    /// A number that no index has, and a text.
    private var filter: Contest {
        get throws {
            let (loam, raw, grdb, count) = (loam, raw, grdb, workload.rows.count)
            let descriptor = FetchDescriptor<Earthquake>(
                predicate: #Predicate { $0.magnitude >= 5 && $0.place.contains("Alaska") })
            return Contest(
                name: "filter, 2 terms, identifiers", unit: .rate, target: ">= 0.75x raw, >= 1.4x SQLite",
                entries: [
                    .init(side: .loam, operations: count) {
                        let identifiers = try loam.makeContext().fetchIdentifiers(descriptor)
                        return { try loam.sum(identifiers) }
                    },
                    .init(side: .raw, operations: count) {
                        let ids = try [UInt64](unsafeUninitializedCapacity: count) { room, found in
                            try RawSide.check(raw_filter(raw.store, 5, "Alaska", room.baseAddress, count, &found))
                        }
                        return { ids.reduce(0, &+) }
                    },
                    .init(side: .grdb, operations: count) {
                        // The plus keeps SQLite from its index on the magnitude, by which it takes twice as long.
                        let ids = try grdb.ids(
                            "SELECT id FROM quake WHERE +magnitude >= 5 AND instr(place, 'Alaska') > 0")
                        return { ids.reduce(0) { $0 &+ UInt64($1) } }
                    },
                ])
        }
    }

    private var oneProperty: Contest {
        get throws {
            let loam = loam
            return try scan("one property of all rows, as values", target: ">= 10 M/s") {
                let sum = try loam.makeContext().fetch(\Earthquake.magnitude).reduce(0, +)
                return { sum.bitPattern }
            }
        }
    }

    private var sum: Contest {
        get throws {
            let loam = loam
            return try scan("sum of a property in the store", target: ">= 10 M/s") {
                let sum = try loam.makeContext().fetch(.sum(\Earthquake.magnitude))
                return { sum.bitPattern }
            }
        }
    }

    private var counting: Contest {
        get throws {
            let (loam, raw, grdb, descriptor) = (loam, raw, grdb, timeRange)
            let (lower, upper) = workload.range
            return Contest(
                name: "count of an indexed range of 10 %", unit: .time, target: "<= 10 us",
                entries: [
                    .init(side: .loam, operations: 100) {
                        let context = try loam.makeContext()
                        let count = try repeating(100) { try context.fetchCount(descriptor) }
                        return { UInt64(count) }
                    },
                    .init(side: .raw, operations: 10) {
                        let count = try repeating(10) {
                            var count = 0
                            try RawSide.check(raw_range_count(raw.store, lower, upper, &count))
                            return count
                        }
                        return { UInt64(count) }
                    },
                    .init(side: .grdb, operations: 10) {
                        let count = try repeating(10) {
                            try grdb.count("SELECT count(*) FROM quake WHERE time >= ? AND time < ?", [lower, upper])
                        }
                        return { UInt64(count) }
                    },
                ])
        }
    }

    private var sections: Contest {
        get throws {
            let (loam, raw, grdb) = (loam, raw, grdb)
            return Contest(
                name: "1,000 groups with their sizes", unit: .time, target: "<= 1 ms",
                entries: [
                    .init(side: .loam, operations: 10) {
                        let sections = try repeating(10) { try Self.sections(of: loam.makeContext()) }
                        return { Self.digest(sections) }
                    },
                    .init(side: .raw, operations: 1) {
                        let sections = try Self.sections(of: raw)
                        return { Self.digest(sections) }
                    },
                    .init(side: .grdb, operations: 1) {
                        let sections = try grdb.sections()
                        return { Self.digest(sections) }
                    },
                ])
        }
    }

    static func digest(_ sections: [(title: String, count: Int)]) -> UInt64 {
        sections.reduce(0) { digest, section in
            section.title.utf8.reduce(digest &* 31 &+ UInt64(section.count)) { $0 &* 31 &+ UInt64($1) }
        }
    }

    static func sections(of context: ModelContext) throws -> [(title: String, count: Int)] {
        try context.fetch(groupedBy: \Earthquake.day, aggregates: .count).map { (title: $0, count: $1) }
    }

    static func sections(of raw: RawSide) throws -> [(title: String, count: Int)] {
        let room = 2 * Workload.dayCount
        let sections = try [raw_section](unsafeUninitializedCapacity: room) { buffer, count in
            try RawSide.check(raw_sections(raw.store, buffer.baseAddress, room, &count))
        }
        return sections.map { section in
            let title = withUnsafeBytes(of: section.title) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return (title, Int(section.count))
        }
    }
}
