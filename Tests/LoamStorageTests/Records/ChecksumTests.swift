import SeededRandom
import Testing

@testable import LoamStorage

@Suite("The checksum")
struct ChecksumTests {
    @Test("Is the hash that its documentation describes, at every length")
    func describedHash() {
        var random = SeededGenerator(seed: 11)
        for length in 0..<400 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let seed = random.next()
            let hash = Checksum.hash64(bytes.span.bytes, seed: seed)
            #expect(hash == Described.hash(bytes, seed))
        }
    }

    @Test("Has the values that the format fixes")
    func fixedValues() {
        let bytes = (0..<100).map { UInt8($0) }
        let hashes = [0, 3, 7, 15, 16, 48, 49, 100].map { count in
            bytes.withUnsafeBytes { Checksum.hash64(UnsafeRawBufferPointer(rebasing: $0[..<count]), seed: 1) }
        }
        #expect(hashes == ChecksumTests.golden)
    }

    private static let golden: [UInt64] = [
        4_584_289_828_430_234_591, 17_292_135_917_863_882_484, 2_768_156_108_178_274_764, 16_067_584_503_768_670_477,
        6_692_380_700_468_630_147, 12_437_172_151_032_265_699, 16_787_687_592_097_967_509, 13_981_866_541_855_845_801,
    ]

    @Test("Notices every flipped bit and every other byte of a record, and the wrong row")
    func flips() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<10 {
            let layout = try RecordSamples.layout(using: &random)
            var record = try RecordSamples.record(RecordSamples.values(of: layout, using: &random), layout, rowID: 9)
            #expect(RecordSamples.isIntact(record, rowID: 9))
            #expect(!RecordSamples.isIntact(record, rowID: 8))
            for index in record.indices {
                let byte = record[index]
                for bit: UInt8 in 0..<8 {
                    record[index] = byte ^ 1 << bit
                    #expect(!RecordSamples.isIntact(record, rowID: 9))
                }
                record[index] = byte &+ UInt8.random(in: 1...255, using: &random)
                #expect(!RecordSamples.isIntact(record, rowID: 9))
                record[index] = byte
            }
            #expect(!RecordSamples.isIntact(record + [0], rowID: 9))
            #expect(!RecordSamples.isIntact(Array(record.dropLast()), rowID: 9))
        }
    }

    @Test("Sealing again changes only save number and checksum")
    func sealing() throws {
        let layout = try RecordSamples.layout([(.string, false)])
        let first = try RecordSamples.record([.string("a")], layout, save: 1, rowID: 4)
        var second = first
        try RecordHeader.seal(&second, save: 2, rowID: 4, entity: 9)
        #expect(RecordSamples.isIntact(second, rowID: 4))
        #expect(second[..<3] == first[..<3])
        #expect(second[13...] == first[13...])
        #expect(try RecordHeader.read(second.span.bytes).save == 2)
        var short = [UInt8](repeating: 0, count: RecordHeader.byteCount - 1)
        #expect(throws: StorageError.self) { try RecordHeader.seal(&short, save: 1, rowID: 1, entity: 9) }
        #expect(throws: StorageError(.noMoreSaves)) {
            try RecordHeader.seal(&second, save: 1 << 48, rowID: 4, entity: 9)
        }
        try RecordHeader.seal(&second, save: RecordHeader.maximumSave, rowID: 4, entity: 9)
        #expect(RecordSamples.isIntact(second, rowID: 4))
        #expect(!RecordSamples.isIntact(second, rowID: 4, entity: 8))
        #expect(try RecordHeader.read(second.span.bytes).save == 1 << 48 - 1)
    }
}

/// The hash as its documentation has it, step by step, for comparison.
private enum Described {
    static let p: [UInt64] = [
        0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93,
    ]

    static func mix(_ x: UInt64, _ y: UInt64) -> UInt64 {
        let product = UInt128(x) * UInt128(y)
        return UInt64(truncatingIfNeeded: product) ^ UInt64(product >> 64) ^ x ^ y
    }

    static func word(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func hash(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        let n = bytes.count
        var a = seed ^ p[0]
        var left = bytes[...]
        func next() -> UInt64 {
            let result = word(left.prefix(8))
            left = left.dropFirst(8)
            return result
        }
        if left.count > 48 {
            var lanes = [a, a, a]
            while left.count > 48 {
                for lane in 0..<3 {
                    let first = next()
                    lanes[lane] = mix(first ^ p[lane + 1], next() ^ lanes[lane])
                }
            }
            a = lanes[0] ^ lanes[1] ^ lanes[2]
        }
        while left.count > 16 {
            let first = next()
            a = mix(first ^ p[1], next() ^ a)
        }
        let (w0, w1): (UInt64, UInt64) =
            switch n {
            case 16...: (word(bytes.suffix(16).prefix(8)), word(bytes.suffix(8)))
            case 8...: (word(bytes.prefix(8)), word(bytes.suffix(8)))
            case 4...: (word(bytes.prefix(4)), word(bytes.suffix(4)))
            case 1...: (word([bytes[0], bytes[n / 2], bytes[n - 1]]), 0)
            default: (0, 0)
            }
        return mix(UInt64(n) ^ p[1], mix(w0 ^ p[2], w1 ^ a))
    }
}
