import Foundation
import LMDB

@testable import LoamStorage

/// An index in a file of its own, which is removed with the fixture.
final class IndexFixture {
    let environment: Environment
    let databases: IndexDatabases
    let reader: IndexReader
    let limits: BlockLimits
    private let folder: URL

    /// Sizes that make many blocks and runs of few entries.
    static func small(_ blockBytes: Int) -> BlockLimits {
        BlockLimits(blockBytes: blockBytes, largestRun: 4, smallestRun: 2, appendedRun: 3)
    }

    init(_ shape: BlockShape, limits: BlockLimits = .standard) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "LoamBlocks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var options = Environment.Options()
        options.durability = .unsynced
        environment = try Environment.open(path: folder.appending(path: "store").path, options: options)
        databases = try environment.write { transaction in
            IndexDatabases(
                indexes: try transaction.openDatabase(named: "indexes", integerKeys: false),
                counters: try transaction.openDatabase(named: "counters", integerKeys: false))
        }
        reader = IndexReader(shape: shape, databases: databases)
        self.limits = limits
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func apply(_ changes: [IndexChange], isTolerant: Bool = false) throws {
        var changes = changes
        changes.sortForIndex(invertsRowID: reader.shape.invertsRowID)
        try environment.write { transaction in
            try IndexWriter.apply(
                changes, shape: reader.shape, isTolerant: isTolerant, limits: limits, in: &transaction,
                databases: databases)
        }
    }

    /// All full keys, by a scan.
    func keys(
        _ range: KeyRange = .all, reversed: Bool = false, skipping: Int = 0, sums: IndexSums? = nil
    ) throws
        -> [[UInt8]]
    {
        try environment.read { transaction in
            var keys: [[UInt8]] = []
            try reader.scan(range, reversed: reversed, skipping: skipping, sums: sums, in: transaction) { batch in
                for index in 0..<batch.count { keys.append(try batch.fullKey(at: index)) }
                return true
            }
            return keys
        }
    }
}

/// What an index should hold: a sorted array of full keys, and the entries by key.
struct IndexModel {
    let shape: BlockShape
    private(set) var keys: [[UInt8]] = []
    private(set) var entries: [[UInt8]: IndexEntry] = [:]

    init(_ shape: BlockShape) { self.shape = shape }

    func position(of bound: [UInt8]) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(bound) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func contains(_ entry: IndexEntry) -> Bool { entries[entry.fullKey(invertsRowID: shape.invertsRowID)] != nil }

    mutating func apply(_ change: IndexChange) {
        let key = change.entry.fullKey(invertsRowID: shape.invertsRowID)
        let position = position(of: key)
        switch change.kind {
        case .insert:
            if entries.updateValue(change.entry, forKey: key) == nil { keys.insert(key, at: position) }
        case .remove:
            if entries.removeValue(forKey: key) != nil { keys.remove(at: position) }
        }
    }

    /// The keys of a range.
    subscript(_ range: KeyRange) -> ArraySlice<[UInt8]> {
        let start = position(of: range.lower)
        let end = range.upper.map { position(of: $0) } ?? keys.count
        return keys[start..<max(start, end)]
    }

    /// The sections of a range, each with the leading component's bytes.
    func sections(_ range: KeyRange) -> [IndexSection] {
        var sections: [IndexSection] = []
        for key in self[range] {
            let end = key.dropLast(8).withUnsafeBytes { shape.leadingLength.end(in: $0) } ?? 0
            let leading = Array(key.prefix(end))
            if sections.last?.key == leading {
                sections[sections.count - 1].count += 1
            } else {
                sections.append(IndexSection(key: leading, count: 1))
            }
        }
        return sections
    }
}
