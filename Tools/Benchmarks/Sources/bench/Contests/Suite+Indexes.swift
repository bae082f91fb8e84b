import CRawStore
import Foundation
import _LoamStore

extension Suite {
    /// Ranges, orders, counts and sections.
    var indexes: [Contest] {
        get throws { [try rangeToObjects, try rangeToIDs, try top, try counting, try sections] }
    }

    private func timeRange() throws -> IndexRange {
        let (lower, upper) = workload.range
        return try loam.entity.index("time").range(from: .date(lower), below: .date(upper))
    }

    /// The number of rows in the range, for rates.
    private func rangeCount() throws -> Int {
        let range = try timeRange()
        return try loam.store.read { try $0.count(in: range) }
    }

    private var rangeToObjects: Contest {
        get throws {
            let (raw, grdb, store, range) = (raw, grdb, try loam.store, try timeRange())
            let (count, (lower, upper)) = (try rangeCount(), workload.range)
            return Contest(
                name: "index range of 10 %, to objects", unit: .rate, target: ">= 0.8 M/s",
                entries: [
                    .init(side: .loam, operations: count) {
                        let quakes = try store.read { try $0.quakes(in: range) }
                        return { quakes.digest }
                    },
                    .init(side: .raw, operations: count) {
                        let objects = try RawObjects(capacity: count) { room, made in
                            try RawSide.check(raw_range_objects(raw.store, lower, upper, room, count, &made))
                        }
                        return { objects.digest }
                    },
                    .init(side: .grdb, operations: count) {
                        let quakes = try grdb.objects(
                            "SELECT * FROM quake WHERE time >= ? AND time < ? ORDER BY time", [lower, upper])
                        return { quakes.digest }
                    },
                ])
        }
    }

    private var rangeToIDs: Contest {
        get throws {
            let (raw, grdb, store, range) = (raw, grdb, try loam.store, try timeRange())
            let (count, (lower, upper)) = (try rangeCount(), workload.range)
            return Contest(
                name: "index range of 10 %, ids only", unit: .rate, target: ">= 150 M/s",
                entries: [
                    .init(side: .loam, operations: 10 * count) {
                        let ids = try repeating(10) { try store.read { try $0.rowIDs(in: range) } }
                        return { ids.reduce(0, &+) }
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

    private var top: Contest {
        get throws {
            let (raw, grdb, store, all) = (raw, grdb, try loam.store, try loam.entity.index("magnitude").all)
            return Contest(
                name: "top 50 by magnitude, to objects", unit: .rate, target: ">= 80 k/s",
                entries: [
                    .init(side: .loam, operations: 1_000) {
                        let quakes = try repeating(1_000) {
                            try store.read { try $0.quakes(in: all, reversed: true, limit: 50) }
                        }
                        return { quakes.digest }
                    },
                    .init(side: .raw, operations: 1_000) {
                        let objects = try repeating(1_000) {
                            try RawObjects(capacity: 50) { try RawSide.check(raw_top(raw.store, $0, 50, &$1)) }
                        }
                        return { objects.digest }
                    },
                    .init(side: .grdb, operations: 200) {
                        let quakes = try repeating(200) {
                            try grdb.objects("SELECT * FROM quake ORDER BY magnitude DESC, id DESC LIMIT 50")
                        }
                        return { quakes.digest }
                    },
                ])
        }
    }

    private var counting: Contest {
        get throws {
            let (raw, grdb, store, range) = (raw, grdb, try loam.store, try timeRange())
            let (lower, upper) = workload.range
            return Contest(
                name: "count of an indexed range of 10 %", unit: .time, target: "<= 10 us",
                entries: [
                    .init(side: .loam, operations: 100) {
                        let count = try repeating(100) { try store.read { try $0.count(in: range) } }
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
            let (raw, grdb, store, day) = (raw, grdb, try loam.store, try loam.entity.index("day"))
            return Contest(
                name: "1,000 sections with sizes", unit: .time, target: "<= 1 ms",
                entries: [
                    .init(side: .loam, operations: 10) {
                        let sections = try repeating(10) { try store.read { try $0.sections(of: day) } }
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
