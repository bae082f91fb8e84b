import SeededRandom
import Testing

@testable import LoamStorage

/// The promises of a block, apart from any database.
@Suite struct BlockCodecTests {
    /// The blocks that `entries` make within `limit`, as bytes with their separators.
    static func blocks(_ sample: BlockSample, _ entries: [IndexEntry], limit: Int) throws -> [([UInt8], [UInt8])] {
        var contents = BlockContents(shape: sample.shape)
        let buffer = EntryBuffer(shape: sample.shape)
        for entry in entries { buffer.append(entry) }
        try buffer.withItems { items in
            for position in 0..<items.count { try contents.append(items[position]) }
        }
        contents.prepare()
        return contents.pieces(separator: [], limit: limit, bias: .middle).map { piece in
            var block = [UInt8](repeating: 0, count: piece.measure.byteCount)
            block.withUnsafeMutableBytes { output in
                piece.separator.withUnsafeBytes {
                    contents.encode(piece.range, measure: piece.measure, separator: $0, into: output)
                }
            }
            return (piece.separator, block)
        }
    }

    static func decode(_ block: [UInt8], _ shape: BlockShape) throws -> [IndexEntry] {
        try block.withUnsafeBytes { bytes in
            let view = try BlockView(bytes, shape: shape)
            var contents = BlockContents(shape: shape)
            try contents.decode(view)
            return (0..<contents.count).map { index in
                IndexEntry(
                    key: Array(contents.key(index)), rowID: contents.rowIDs[index], isInexact: contents.inexact[index],
                    included: (0..<shape.includedCount).map { column in
                        let code = contents.code(column, index: index)
                        if code == BlockFormat.leftOutCode { return Array("left out".utf8) }
                        return code == BlockFormat.nullCode ? nil : Array(contents.includedField(column, index: index))
                    })
            }
        }
    }

    @Test(arguments: BlockSample.all) func decodingGivesTheEntriesBack(_ sample: BlockSample) throws {
        var generator = SeededGenerator(seed: 1)
        for count in [1, 2, 3, 15, 16, 17, 33, 150, 1_000] {
            let entries = sample.entries(count, &generator)
            let blocks = try Self.blocks(sample, entries, limit: 1_960)
            let decoded = try blocks.flatMap { try Self.decode($0.1, sample.shape) }
            #expect(decoded.map(\.key) == entries.map(\.key))
            #expect(decoded.map(\.rowID) == entries.map(\.rowID))
            #expect(decoded.map(\.isInexact) == entries.map(\.isInexact))
            for (found, entry) in zip(decoded, entries) {
                for (column, field) in found.included.enumerated() where field != Array("left out".utf8) {
                    #expect(field == entry.included[column])
                }
            }
            for (separator, block) in blocks { #expect(separator.count + block.count <= 1_960) }
        }
    }

    /// What the keys share and what they do not is moved by words where it is short, and up to the end of the block.
    @Test(arguments: 1...20) func keysOfEveryFixedWidthAreDecoded(_ stride: Int) throws {
        let shape = BlockShape(id: 7, stride: stride, leadingLength: .fixed(stride))
        let sample = BlockSample(testDescription: "", shape: shape, keys: .pair)
        for (different, count) in (0...stride).flatMap({ different in (1...40).map { (different, $0) } }) {
            let same = (0..<stride - different).map { UInt8(200 - $0) }
            var entries: [IndexEntry] = []
            for number in 1...count {
                let others = (0..<different).map { UInt8(number * 5 + $0) }
                entries.append(IndexEntry(key: same + others, rowID: RowID(number)))
            }
            let decoded = try Self.blocks(sample, entries, limit: 1_960).map { try Self.decode($0.1, shape) }
            #expect(decoded == [entries])
        }
    }

    @Test(arguments: BlockSample.all) func searchFindsWhatALinearSearchFinds(_ sample: BlockSample) throws {
        var generator = SeededGenerator(seed: 2)
        let entries = sample.entries(400, &generator)
        for (_, block) in try Self.blocks(sample, entries, limit: 1_500) {
            let keys = try Self.decode(block, sample.shape).map {
                $0.fullKey(invertsRowID: sample.shape.invertsRowID)
            }
            var bounds =
                keys
                + (0..<100).map { _ in
                    sample.entry(&generator).fullKey(invertsRowID: sample.shape.invertsRowID)
                }
            bounds += bounds.map { Array($0.prefix(Int.random(in: 0...$0.count, using: &generator))) }
            bounds += bounds.map { $0 + [0] }
            for bound in bounds {
                let expected = keys.firstIndex { !$0.lexicographicallyPrecedes(bound) } ?? keys.count
                let found = try block.withUnsafeBytes { bytes in
                    try bound.withUnsafeBytes { try BlockView(bytes, shape: sample.shape).lowerBound(of: $0) }
                }
                #expect(found == expected)
            }
        }
    }

    @Test(arguments: BlockSample.all) func everyFlippedByteIsFound(_ sample: BlockSample) throws {
        var generator = SeededGenerator(seed: 3)
        for (separator, block) in try Self.blocks(sample, sample.entries(120, &generator), limit: 1_960).prefix(2) {
            for at in block.indices {
                var damaged = block
                damaged[at] ^= UInt8.random(in: 1...255, using: &generator)
                #expect(throws: StorageError.self) {
                    try damaged.withUnsafeBytes { bytes in
                        try separator.withUnsafeBytes {
                            try BlockChecksum.verify(bytes, separator: $0, id: sample.shape.id)
                        }
                    }
                }
                Self.readEverything(damaged, sample.shape)
            }
        }
    }

    @Test(arguments: BlockSample.all) func randomBytesNeverTrap(_ sample: BlockSample) throws {
        var generator = SeededGenerator(seed: 4)
        let blocks = try Self.blocks(sample, sample.entries(120, &generator), limit: 600)
        for _ in 0..<2_000 {
            var block = blocks[Int.random(in: blocks.indices, using: &generator)].1
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let at = Bool.random(using: &generator) ? Int.random(in: 8..<24, using: &generator) : block.count - 1
                block[Int.random(in: 8...at, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                block.removeLast(Int.random(in: 0...block.count, using: &generator))
            }
            Self.readEverything(block, sample.shape)
        }
    }

    /// Reads a block in all ways. A damaged one may throw and must not trap. The copy has exactly the block's size.
    static func readEverything(_ block: [UInt8], _ shape: BlockShape) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: block.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: block)
        guard let view = try? BlockView(UnsafeRawBufferPointer(copy), shape: shape) else { return }
        var key = ByteBuffer()
        for index in 0..<view.count { try? view.copyKey(at: index, into: &key) }
        _ = try? ([1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8]).withUnsafeBytes { try view.lowerBound(of: $0) }
        _ = try? view.lowerBound(of: key.bytes)
        var contents = BlockContents(shape: shape)
        try? contents.decode(view)
    }
}
