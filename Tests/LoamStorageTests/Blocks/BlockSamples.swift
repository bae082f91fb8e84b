import SeededRandom
import Testing

@testable import LoamStorage

/// Indexes of every kind that a block tells apart, and entries for them.
struct BlockSample: CustomTestStringConvertible, Sendable {
    enum Keys: Sendable {
        /// Keys of a tag and a small number, so that many are equal.
        case number(bound: Int)
        /// Keys of two numbers.
        case pair
        /// Keys of strings of all lengths, most short, many with a long common beginning; cut at the share.
        case text(share: Int, longest: Int, alphabet: Int)
        /// Keys of strings of one length.
        case code
    }

    var testDescription: String
    var shape: BlockShape
    var keys: Keys

    func entry(_ generator: inout SeededGenerator, rows: RowID = 100_000) -> IndexEntry {
        var key: [UInt8] = [1]
        var isInexact = false
        switch keys {
        case .number(let bound):
            key += bytes(Int.random(in: 0..<bound, using: &generator), 4)
        case .pair:
            key += bytes(Int.random(in: 0..<8, using: &generator), 2) + [1]
            key += bytes(Int.random(in: 0..<100_000, using: &generator), 8)
        case .text(let share, let longest, let alphabet):
            if Int.random(in: 0..<20, using: &generator) == 0 {
                key = [0]
            } else {
                if Bool.random(using: &generator) { key += Array(repeating: 120, count: longest / 2) }
                for _ in 0..<Int.random(in: 0..<(Bool.random(using: &generator) ? 6 : longest), using: &generator) {
                    key.append(UInt8(2 + Int.random(in: 0..<alphabet, using: &generator)))
                }
                key.append(0)
            }
            if key.count > share {
                key.removeLast(key.count - share)
                isInexact = true
            }
        case .code:
            for _ in 0..<10 { key.append(UInt8(65 + Int.random(in: 0..<26, using: &generator))) }
            key.append(0)
        }
        if shape.invertsRowID { key = key.map { ~$0 } }
        let rowID = RowID.random(in: 0..<rows, using: &generator)
        let fields = (0..<shape.includedCount).map { column in
            Self.field(key, rowID, column)
        }
        return IndexEntry(key: key, rowID: rowID, isInexact: isInexact, included: fields)
    }

    /// The included field of an entry: a function of the entry, so that a model need not keep it.
    static func field(_ key: [UInt8], _ rowID: RowID, _ column: Int) -> [UInt8]? {
        let seed = Int(truncatingIfNeeded: rowID) &* 31 &+ column
        switch (seed % 7, column % 2) {
        case (0, 1): return nil
        case (_, 0): return Array(repeating: UInt8(truncatingIfNeeded: seed), count: 8)
        case (1, _): return Array(repeating: 9, count: 185)
        default: return Array(repeating: UInt8(truncatingIfNeeded: seed), count: seed % 11)
        }
    }

    private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static let all: [BlockSample] = [
        BlockSample(
            testDescription: "numbers", shape: BlockShape(id: 7, stride: 5, leadingLength: .fixed(5)),
            keys: .number(bound: 300)),
        BlockSample(
            testDescription: "descending numbers, sectioned",
            shape: BlockShape(id: 7, stride: 5, invertsRowID: true, isSectioned: true, leadingLength: .fixed(5)),
            keys: .number(bound: 40)),
        BlockSample(
            testDescription: "pairs with fields",
            shape: BlockShape(id: 7, stride: 12, includedCount: 2, isSectioned: true, leadingLength: .fixed(3)),
            keys: .pair),
        BlockSample(
            testDescription: "texts", shape: shape(share: 480, descending: false),
            keys: .text(share: 480, longest: 500, alphabet: 20)),
        BlockSample(
            testDescription: "short texts with fields", shape: shape(share: 24, descending: false, included: 3),
            keys: .text(share: 24, longest: 12, alphabet: 3)),
        BlockSample(
            testDescription: "descending texts", shape: shape(share: 60, descending: true),
            keys: .text(share: 60, longest: 70, alphabet: 4)),
        BlockSample(testDescription: "codes", shape: shape(share: 40, descending: false), keys: .code),
    ]

    private static func shape(share: Int, descending: Bool, included: Int = 0) -> BlockShape {
        BlockShape(
            id: 7, stride: nil, invertsRowID: descending, includedCount: included,
            leadingLength: .variable(descending: descending, share: share))
    }

    /// Distinct entries in order.
    func entries(_ count: Int, _ generator: inout SeededGenerator) -> [IndexEntry] {
        var byKey: [[UInt8]: IndexEntry] = [:]
        for _ in 0..<count {
            let entry = entry(&generator)
            byKey[entry.fullKey(invertsRowID: shape.invertsRowID)] = entry
        }
        return byKey.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
