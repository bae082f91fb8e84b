/// The width table of a record: for each integer field 4 bits, the number of its bytes, the first field in the low bits
/// of the first byte.
///
/// The integers follow each other, so one begins where the widths before it end. Sixteen widths are a *group*: one
/// word, whose sum is one multiplication. A last group of fewer is loaded as the 8 bytes that end with the table (the
/// header lies before it) and shifted right.
enum IntegerWidths {
    /// The sum of the 16 widths in a word, each at most 15.
    @inline(__always)
    static func sum(_ word: UInt64) -> Int {
        let low: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let pairs = (word & low) &+ (word >> 4 & low)
        return Int(truncatingIfNeeded: (pairs &* 0x0101_0101_0101_0101) >> 56)
    }

    /// The fewest bytes of two's complement that hold the number; none for zero.
    @inline(__always)
    static func least(_ number: Int64) -> Int {
        guard number != 0 else { return 0 }
        return (64 &- (number ^ (number >> 63)).leadingZeroBitCount) / 8 &+ 1
    }

    /// The fewest bytes that hold the number; none for zero.
    @inline(__always)
    static func least(_ number: UInt64) -> Int { (71 &- number.leadingZeroBitCount) / 8 }

    /// The number of bytes of a table.
    static func byteCount(of integers: Int) -> Int { (integers + 1) / 2 }

    /// Where the group of an integer is loaded from in a table at `start` of `count` widths, and how far to the right
    /// it is shifted then.
    static func group(of ordinal: Int, start: Int, count: Int) -> (offset: Int, shift: Int) {
        let group = ordinal / 16
        let bytes = byteCount(of: min(count - group * 16, 16))
        return (start + group * 8 + bytes - 8, 64 - bytes * 8)
    }
}
