import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Bytes of keys")
struct KeyBytesTests {
    /// Of every length around the words that short keys lie in, with many bytes that cannot be raised.
    private func keys(_ random: inout SeededGenerator) -> [[UInt8]] {
        (0...40).flatMap { count in
            (0..<20).map { _ in
                let stop = Int.random(in: 0...count, using: &random)
                return (0..<count).map { place in
                    place >= stop ? 0xFF : [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
                }
            }
        }
    }

    @Test("a key's successor is that of its bytes, whether these lie in the value or in an array")
    func successors() {
        let seed: UInt64 = .random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for bytes in keys(&random) {
            let comment = Comment(rawValue: "seed \(seed): \(bytes)")
            let expected = KeyRange.successor(of: bytes)
            let key = KeyBytes(bytes)
            #expect(key.successor?.array == expected, comment)
            #expect(key.successor?.count == expected?.count, comment)
            #expect(key.withSuccessor { $0.map(Array.init) } == expected, comment)
            #expect(KeyRange.prefix(bytes).upper == expected, comment)
        }
    }

    @Test("where the first words of two keys differ, they are in the order of the keys")
    func words() {
        let seed: UInt64 = .random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let keys = keys(&random)
        for (left, right) in zip(keys, keys.shuffled(using: &random)) {
            let comment = Comment(rawValue: "seed \(seed): \(left), \(right)")
            let (one, other) = (KeyBytes(left), KeyBytes(right))
            #expect(one.firstWord == left.withUnsafeBytes(\.firstWord), comment)
            #expect(one.isBelow(other) == left.lexicographicallyPrecedes(right), comment)
            if one.firstWord != other.firstWord {
                #expect((one.firstWord < other.firstWord) == left.lexicographicallyPrecedes(right), comment)
            }
            let range = KeyRange(lower: [], upper: right)
            #expect(range.endWord == other.firstWord, comment)
            let prefix = KeyRange.prefix(left)
            #expect(prefix.endWord == prefix.upper.map { KeyBytes($0).firstWord }, comment)
        }
    }
}
