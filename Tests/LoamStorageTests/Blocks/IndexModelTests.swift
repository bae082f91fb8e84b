import Foundation
import LMDB
import SeededRandom
import Testing

@testable import LoamStorage

/// An index against a sorted array, over long random histories.
@Suite struct IndexModelTests {
    /// Steps over all samples together. LOAM_SOAK gives another number, such as a million for a release.
    static let steps = ProcessInfo.processInfo.environment["LOAM_SOAK"].flatMap { Int($0) } ?? 20_000

    @Test(arguments: BlockSample.all, [200, 700, 1_960])
    func randomHistoriesKeepEveryInvariant(_ sample: BlockSample, _ blockBytes: Int) throws {
        let seed = UInt64(blockBytes)
        var generator = SeededGenerator(seed: seed)
        let limits = IndexFixture.small(blockBytes)
        let fixture = try IndexFixture(sample.shape, limits: limits)
        var model = IndexModel(sample.shape)
        let steps = Self.steps / (BlockSample.all.count * 3)
        var done = 0
        var round = 0
        var target = 100
        while done < steps {
            // Histories swell and shrink towards ever other sizes, so that blocks and runs split and merge.
            let grows = model.keys.count < target
            if round % 50 == 49 { target = Int.random(in: 0...1_500, using: &generator) }
            let batch = Int.random(in: 0..<8, using: &generator) == 0 ? Int.random(in: 1...60, using: &generator) : 1
            let changes =
                Int.random(in: 0..<40, using: &generator) == 0
                ? Self.removals(model, &generator)
                : try Self.changes(batch, grows: grows, sample, model, &generator)
            for change in changes { model.apply(change) }
            try fixture.apply(changes)
            done += changes.count
            round += 1
            let isFull = round % 64 == 0 || done >= steps
            try Self.check(fixture, model, isFull: isFull, &generator)
        }
    }

    /// Removals of neighbours, which empty whole blocks.
    static func removals(_ model: IndexModel, _ generator: inout SeededGenerator) -> [IndexChange] {
        let start = Int.random(in: 0...model.keys.count, using: &generator)
        return model.keys[start...].prefix(Int.random(in: 1...200, using: &generator)).compactMap { key in
            Int.random(in: 0..<50, using: &generator) == 0
                ? nil : model.entries[key].map { IndexChange(.remove, entry: $0) }
        }
    }

    /// Changes of distinct entries that fit what is there.
    static func changes(
        _ count: Int, grows: Bool, _ sample: BlockSample, _ model: IndexModel, _ generator: inout SeededGenerator
    ) throws -> [IndexChange] {
        var changes: [[UInt8]: IndexChange] = [:]
        while changes.count < count {
            let removes = Int.random(in: 0..<10, using: &generator) < (grows ? 3 : 8)
            if removes, let key = model.keys.randomElement(using: &generator), let entry = model.entries[key] {
                changes[key] = IndexChange(.remove, entry: entry)
            } else {
                let entry = sample.entry(&generator)
                if !model.contains(entry) {
                    changes[entry.fullKey(invertsRowID: sample.shape.invertsRowID)] = IndexChange(.insert, entry: entry)
                } else if removes {
                    break
                }
            }
        }
        return Array(changes.values)
    }

    static func check(
        _ fixture: IndexFixture, _ model: IndexModel, isFull: Bool, _ generator: inout SeededGenerator
    ) throws {
        let sums = try fixture.environment.read { transaction in
            try IndexSums.read(fixture.reader.shape.id, in: transaction, databases: fixture.databases)
        }
        try #require(sums.total.entries == model.keys.count)
        try checkRange(fixture, model, sums, &generator)
        guard isFull else { return }
        let faults = try fixture.environment.read { try fixture.reader.checkInvariants(limits: fixture.limits, in: $0) }
        try #require(faults == [])
        try #require(sums.total.inexact == model.entries.values.count { $0.isInexact })
        try #require(try fixture.keys() == model.keys)
        try #require(try fixture.keys(reversed: true) == model.keys.reversed())
        try checkEntries(fixture, model)
    }

    /// Compares one random range, forwards and backwards, with its count, its sections, positions and entries.
    static func checkRange(
        _ fixture: IndexFixture, _ model: IndexModel, _ sums: IndexSums, _ generator: inout SeededGenerator
    ) throws {
        let reader = fixture.reader
        let range = KeyRange(
            lower: bound(model, &generator) ?? [], upper: bound(model, &generator))
        let expected = range.isEmpty ? [] : Array(model[range])
        let isReversed = Bool.random(using: &generator)
        let skipping = Int.random(in: 0..<6, using: &generator) * Int.random(in: 0..<40, using: &generator)
        let ordered = isReversed ? expected.reversed() : expected
        try #require(try fixture.keys(range, reversed: isReversed) == ordered)
        try #require(
            try fixture.keys(range, reversed: isReversed, skipping: skipping, sums: sums)
                == Array(ordered.dropFirst(skipping)))
        try #require(
            try fixture.keys(range, reversed: isReversed, skipping: skipping) == Array(ordered.dropFirst(skipping)))
        try fixture.environment.read { transaction in
            try #require(try reader.count(range, sums: sums, in: transaction) == expected.count)
            // The second time with what the walk over all entries has kept of whole runs.
            for whole in [range, .all, range] {
                let sections = try reader.sections(whole, reversed: isReversed, sums: sums, in: transaction)
                let expected = model.sections(whole)
                try #require(sections == (isReversed ? expected.reversed() : expected))
            }
            try #require(
                try reader.position(of: range.lower, sums: sums, in: transaction) == model.position(of: range.lower))
            let inexact = expected.count { model.entries[$0]?.isInexact == true }
            try #require(try reader.inexactCount(range, sums: sums, in: transaction) == inexact)
            let position = Int.random(in: -1...model.keys.count, using: &generator)
            let entry = try reader.entry(at: position, sums: sums, in: transaction)
            try #require(
                entry?.fullKey(invertsRowID: reader.shape.invertsRowID)
                    == (model.keys.indices.contains(position) ? model.keys[position] : nil))
            if let entry {
                try #require(try reader.contains(key: entry.key, rowID: entry.rowID, in: transaction))
                let isThere = try reader.contains(key: entry.key, rowID: entry.rowID + 1, in: transaction)
                try #require(
                    isThere == model.contains(IndexEntry(key: entry.key, rowID: entry.rowID + 1)))
            }
        }
    }

    static func bound(_ model: IndexModel, _ generator: inout SeededGenerator) -> [UInt8]? {
        guard let key = model.keys.randomElement(using: &generator), Int.random(in: 0..<6, using: &generator) > 0 else {
            return nil
        }
        return Array(key.prefix(Int.random(in: 1...key.count, using: &generator)))
    }

    /// Compares the inexact flags and the included fields of every entry.
    static func checkEntries(_ fixture: IndexFixture, _ model: IndexModel) throws {
        try fixture.environment.read { transaction in
            try fixture.reader.scan(in: transaction) { batch in
                for index in 0..<batch.count {
                    let entry = try #require(model.entries[try batch.fullKey(at: index)])
                    try #require(batch.rowIDs[index] == entry.rowID)
                    try #require(batch.isInexact(at: index) == entry.isInexact)
                    for column in 0..<fixture.reader.shape.includedCount {
                        let span = try batch.included(column, at: index)
                        let field: [UInt8]? = if let span { Array(span.pointer) } else { nil }
                        switch try batch.includedState(column, at: index) {
                        case .null: try #require(entry.included[column] == nil)
                        case .present: try #require(field == entry.included[column])
                        case .leftOut: try #require((entry.included[column]?.count ?? 0) > 100)
                        }
                    }
                }
                return true
            }
        }
    }

    @Test(arguments: BlockSample.all) func appendedEntriesAreAllThere(_ sample: BlockSample) throws {
        for (limits, count) in [(BlockLimits.standard, 3_000), (IndexFixture.small(300), 700), (.standard, 1)] {
            var generator = SeededGenerator(seed: 11)
            let fixture = try IndexFixture(sample.shape, limits: limits)
            let entries = sample.entries(count, &generator)
            try fixture.environment.write { transaction in
                var appender = IndexAppender(shape: sample.shape, databases: fixture.databases, limits: limits)
                for entry in entries { try appender.append(entry, in: &transaction) }
                try appender.finish(in: &transaction)
            }
            var model = IndexModel(sample.shape)
            for entry in entries { model.apply(IndexChange(.insert, entry: entry)) }
            for _ in 0..<20 { try Self.check(fixture, model, isFull: false, &generator) }
            try Self.check(fixture, model, isFull: true, &generator)
        }
    }
}
