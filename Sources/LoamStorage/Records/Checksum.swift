/// The 64-bit checksum of records, index blocks and long values: a multiply-mix hash, fixed as part of the file format.
///
/// It finds damage (torn pages, flipped bits, bytes in the wrong row); it does not resist somebody who forges bytes.
/// About 4 ns per 100 bytes in a loop over records.
///
/// All words are little endian, all arithmetic is on unsigned 64-bit words. Four constants:
///
///     P0 = 0x9E3779B97F4A7C15   P1 = 0xBF58476D1CE4E5B9   P2 = 0x94D049BB133111EB   P3 = 0xD6E8FEB86659FD93
///
/// `mix(x, y)` is `low ^ high ^ x ^ y`, where `high:low` is the 128-bit product `x * y`; the operands take part once
/// more, so that a zero operand does not swallow the other one. The hash of `n` bytes with a `seed`:
///
/// 1. `a = seed ^ P0`.
/// 2. When more than 48 bytes are left: `b = c = a`, and as long as more than 48 are left, take 48 bytes as the words
///    w0...w5: `a = mix(w0 ^ P1, w1 ^ a)`, `b = mix(w2 ^ P2, w3 ^ b)`, `c = mix(w4 ^ P3, w5 ^ c)`.
///    Then `a = a ^ b ^ c`.
/// 3. As long as more than 16 bytes are left, take 16 as w0, w1: `a = mix(w0 ^ P1, w1 ^ a)`.
/// 4. The last words: for `n >= 16` the last 16 bytes of the input (bytes already taken may come again);
///    for 8...15 its first 8 and its last 8; for 4...7 its first 4 and its last 4, zero-extended;
///    for 1...3 `w0 = p[0] | p[n / 2] << 8 | p[n - 1] << 16`, `w1 = 0`; for 0 both are 0.
/// 5. The result is `mix(n ^ P1, mix(w0 ^ P2, w1 ^ a))`.
package enum Checksum {
    private static var p0: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    private static var p1: UInt64 { 0xBF58_476D_1CE4_E5B9 }
    private static var p2: UInt64 { 0x94D0_49BB_1331_11EB }
    private static var p3: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    /// The hash of a span's bytes. Cost: see the type.
    package static func hash64(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash64($0, seed: seed) }
    }

    /// The hash of a buffer's bytes. Cost: see the type.
    package static func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let count = bytes.count
        guard count > 0, let start = bytes.baseAddress else { return finish(0, w1: 0, a: seed ^ p0, count: 0) }
        guard count > 16 else { return hashShort(start, count: count, a: seed ^ p0) }
        var a = seed ^ p0
        var next = start
        var left = count
        if left > 48 {
            var b = a
            var c = a
            repeat {
                a = mix(word(next, offset: 0) ^ p1, y: word(next, offset: 8) ^ a)
                b = mix(word(next, offset: 16) ^ p2, y: word(next, offset: 24) ^ b)
                c = mix(word(next, offset: 32) ^ p3, y: word(next, offset: 40) ^ c)
                next += 48
                left &-= 48
            } while left > 48
            a ^= b ^ c
        }
        while left > 16 {
            a = mix(word(next, offset: 0) ^ p1, y: word(next, offset: 8) ^ a)
            next += 16
            left &-= 16
        }
        return finish(word(start, offset: count &- 16), w1: word(start, offset: count &- 8), a: a, count: count)
    }

    /// Mixes one more word into a hash, for callers that hash an identifier beside the bytes.
    package static func combine(_ hash: UInt64, word: UInt64) -> UInt64 { mix(word ^ p2, y: hash ^ p3) }

    /// Step 4 and 5 for 1...16 bytes.
    @inline(__always)
    private static func hashShort(_ start: UnsafeRawPointer, count: Int, a: UInt64) -> UInt64 {
        if count >= 8 { return finish(word(start, offset: 0), w1: word(start, offset: count &- 8), a: a, count: count) }
        if count >= 4 {
            return finish(halfWord(start, offset: 0), w1: halfWord(start, offset: count &- 4), a: a, count: count)
        }
        let first = UInt64(start.load(as: UInt8.self))
        let middle = UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self))
        let last = UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self))
        return finish(first | middle << 8 | last << 16, w1: 0, a: a, count: count)
    }

    @inline(__always)
    private static func finish(_ w0: UInt64, w1: UInt64, a: UInt64, count: Int) -> UInt64 {
        mix(UInt64(truncatingIfNeeded: count) ^ p1, y: mix(w0 ^ p2, y: w1 ^ a))
    }

    @inline(__always)
    private static func mix(_ x: UInt64, y: UInt64) -> UInt64 {
        let product = x.multipliedFullWidth(by: y)
        return product.low ^ product.high ^ x ^ y
    }

    @inline(__always)
    private static func word(_ start: UnsafeRawPointer, offset: Int) -> UInt64 {
        start.littleEndian(at: offset)
    }

    @inline(__always)
    private static func halfWord(_ start: UnsafeRawPointer, offset: Int) -> UInt64 {
        UInt64(start.littleEndian(at: offset, as: UInt32.self))
    }
}
