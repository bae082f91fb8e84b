import CRawStore
import Foundation
import Loam

/// All contests over one workload, with the three stores that they share.
final class Suite {
    let workload: Workload
    let loam: LoamSide
    let raw: RawSide
    let grdb: GRDBSide
    /// The number of rows that inserts have used so far, by side.
    private var inserted: [Side: Int] = [:]

    init(rowCount: Int, folder: String) {
        workload = Workload(rowCount: rowCount)
        loam = LoamSide(folder: folder)
        raw = RawSide(folder: folder)
        grdb = GRDBSide(folder: folder)
    }

    /// The contests, in the order in which they must run: loads first, saves last.
    var contests: [Contest] {
        get throws { try loads + objects + values + queries + [opening] + live + saves }
    }

    /// The next rows that a side inserts; every side gets the same.
    func further(_ count: Int, for side: Side) -> [Quake] {
        let first = inserted[side, default: 0]
        inserted[side] = first + count
        return (first..<first + count).map { workload.further($0) }
    }

    /// The sizes of the files in bytes, as the loads left them, with SQLite's log written back.
    func fileSizes() throws -> [Side: Int] {
        try grdb.writeLogBack()
        func size(_ path: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        }
        return [.loam: size(loam.path), .raw: size(raw.path), .grdb: size(grdb.path)]
    }

    /// Makes the stores that no load has made, without measuring it.
    func loadTheRest() throws {
        func isMissing(_ path: String) -> Bool { !FileManager.default.fileExists(atPath: path) }
        if isMissing(loam.path) { try loam.insert(workload.rows) }
        if isMissing(raw.path) {
            let rows = RawRows(workload.rows)
            try RawSide.check(raw_load(raw.store, rows.rows.baseAddress, rows.rows.count))
        }
        if isMissing(grdb.path) {
            try grdb.makeEmptyStore(withIndexes: false)
            try grdb.load(workload.rows, makingIndexes: true)
        }
    }

    /// The rows that each side has after all contests, as a digest of their contents.
    func digests() throws -> [Side: UInt64] {
        let context = try loam.makeContext()
        let quakes = try context.fetch(FetchDescriptor<Earthquake>())
        let stored = try grdb.objects("SELECT * FROM quake")
        var count = 0
        try RawSide.check(raw_count(raw.store, &count))
        let room = count
        let objects = try RawObjects(capacity: room) { try RawSide.check(raw_scan_objects(raw.store, $0, room, &$1)) }
        return withExtendedLifetime(context) {
            [.loam: quakes.digest, .raw: objects.contentDigest, .grdb: stored.contentDigest]
        }
    }

    func close() throws {
        loam.close()
        raw.close()
        try grdb.close()
    }
}

extension [Quake] {
    /// The sum of the objects' digests.
    var digest: UInt64 { reduce(0) { $0 &+ $1.digest } }
}

/// Repeats work that is too short for the clock.
func repeating<R>(_ count: Int, _ body: () throws -> R) throws -> R {
    for _ in 1..<count { _ = try body() }
    return try body()
}
