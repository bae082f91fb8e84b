import CRawStore
import Foundation
import _LoamStore

extension Suite {
    /// Reads of rows by id and in the order of their ids.
    var objects: [Contest] {
        get throws {
            let ids = workload.randomIDs(min(workload.rows.count, 100_000))
            return [
                try pointReads("point read by id to an object", ids, in: .one, target: ">= 0.8 M/s, >= 0.6x raw"),
                try pointReads("point read, a snapshot for each", ids, in: .each, target: "-"),
                try wholeTable, try oneField, try filter,
            ]
        }
    }

    enum Snapshots {
        case one, each
    }

    private func pointReads(
        _ name: String, _ ids: [UInt64], in snapshots: Snapshots, target: String
    ) throws -> Contest {
        let (raw, grdb) = (raw, grdb)
        let (store, entity) = (try loam.store, try loam.entity)
        let fromLoam = Contest.Entry(side: .loam, operations: ids.count) {
            var quakes: [Quake] = []
            quakes.reserveCapacity(ids.count)
            func append(_ id: UInt64, _ snapshot: StoreSnapshot) throws {
                try snapshot.withRow(id, of: entity) { quakes.append(try Quake($0)) }
            }
            switch snapshots {
            case .one: try store.read { snapshot in for id in ids { try append(id, snapshot) } }
            case .each: for id in ids { try store.read { try append(id, $0) } }
            }
            return { quakes.digest }
        }
        let get = snapshots == .one ? raw_get : raw_get_each
        let fromRaw = Contest.Entry(side: .raw, operations: ids.count) {
            let objects = try RawObjects(capacity: ids.count) { room, count in
                try RawSide.check(get(raw.store, ids, ids.count, room))
                count = ids.count
            }
            return { objects.digest }
        }
        let fromGRDB = Contest.Entry(side: .grdb, operations: ids.count) {
            let quakes = try grdb.objects(withIDs: ids)
            return { quakes.digest }
        }
        return Contest(
            name: name, unit: .rate, target: target,
            entries: snapshots == .one ? [fromLoam, fromRaw, fromGRDB] : [fromLoam, fromRaw])
    }

    private var wholeTable: Contest {
        get throws {
            let (raw, grdb, count) = (raw, grdb, workload.rows.count)
            let (store, entity) = (try loam.store, try loam.entity)
            return Contest(
                name: "whole table to objects", unit: .rate, target: ">= 3 M/s",
                entries: [
                    .init(side: .loam, operations: count) {
                        var quakes: [Quake] = []
                        quakes.reserveCapacity(count)
                        try store.read { snapshot in
                            try snapshot.forEachRow(of: entity, verifying: true) { quakes.append(try Quake($0)) }
                        }
                        return { quakes.digest }
                    },
                    .init(side: .raw, operations: count) {
                        let objects = try RawObjects(capacity: count) { room, made in
                            try RawSide.check(raw_scan_objects(raw.store, room, count, &made))
                        }
                        return { objects.digest }
                    },
                    .init(side: .grdb, operations: count) {
                        let quakes = try grdb.objects("SELECT * FROM quake ORDER BY id")
                        return { quakes.digest }
                    },
                ])
        }
    }

    private var oneField: Contest {
        get throws {
            let (raw, grdb, count) = (raw, grdb, workload.rows.count)
            let (store, entity) = (try loam.store, try loam.entity)
            // The sides add in the same order, so the sums are the same to the bit.
            return Contest(
                name: "whole table, one field summed", unit: .rate, target: ">= 10 M/s",
                entries: [
                    .init(side: .loam, operations: count) {
                        var sum = 0.0
                        try store.read { snapshot in
                            try snapshot.forEachRow(of: entity, verifying: false) {
                                sum += try $0.double(LoamSide.Property.magnitude) ?? 0
                            }
                        }
                        return { sum.bitPattern }
                    },
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

    private var filter: Contest {
        get throws {
            let (raw, grdb, count) = (raw, grdb, workload.rows.count)
            let (store, entity) = (try loam.store, try loam.entity)
            return Contest(
                name: "filter without index, 2 terms", unit: .rate, target: ">= 20 M/s, >= 0.75x raw, >= 1.4x SQLite",
                entries: [
                    .init(side: .loam, operations: count) {
                        let ids = try store.read {
                            try $0.rowIDs(of: entity, where: "magnitude >= 5 AND place CONTAINS 'Alaska'")
                        }
                        return { ids.reduce(0, &+) }
                    },
                    .init(side: .raw, operations: count) {
                        let ids = try [UInt64](unsafeUninitializedCapacity: count) { room, found in
                            try RawSide.check(raw_filter(raw.store, 5, "Alaska", room.baseAddress, count, &found))
                        }
                        return { ids.reduce(0, &+) }
                    },
                    .init(side: .grdb, operations: count) {
                        // The plus keeps SQLite from using its index on the magnitude.
                        let ids = try grdb.ids(
                            "SELECT id FROM quake WHERE +magnitude >= 5 AND instr(place, 'Alaska') > 0")
                        return { ids.reduce(0) { $0 &+ UInt64($1) } }
                    },
                ])
        }
    }
}
