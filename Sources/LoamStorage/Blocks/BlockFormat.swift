/// The bytes of a block, little endian:
///
/// ```
///  0  checksum        8   over index id, separator and every byte from 8 on
///  8  count           2   entries, at least 1
/// 10  inexact count   2
/// 12  prefix length   2   component bytes that all entries share
/// 14  flags           1   bit 0: keys are front-compressed; the rest are 0
/// 15  row-id width    1   1 to 8
/// 16  row-id base     8   the smallest row id
/// 24  prefix
///     row ids             count x width: row id - base
///     inexact bits        (count + 7) / 8 bytes, entry i in bit i % 8 of byte i / 8; only when the inexact count > 0
///     keys            2   fixed stride: bytes per suffix, then count suffixes
///                         front-compressed: bytes of the entries below, then the offset (2) of every 16th, then the
///                         entries: shared, rest (one byte each below 128, else two, low seven bits first with the
///                         high bit set), rest bytes; every 16th shares nothing
///     columns             one for each included field: mode 0 and one code for all, or mode 1 and a code for each
///                         entry; then the fields' bytes. A code is a length up to 192, 254 for null, 255 for left out
/// ```
package enum BlockFormat {
    static let checksumAt = 0
    static let countAt = 8
    static let inexactCountAt = 10
    static let prefixCountAt = 12
    static let flagsAt = 14
    static let rowIDWidthAt = 15
    static let rowIDBaseAt = 16
    static let headerCount = 24

    static let compressedFlag: UInt8 = 1
    /// Entries from one full key to the next in front-compressed blocks.
    static let restartInterval = 16

    static let uniformColumn: UInt8 = 0
    static let mixedColumn: UInt8 = 1
    static let nullCode: UInt8 = 254
    static let leftOutCode: UInt8 = 255

    /// Component bytes of a key end here.
    package static let maximumKey = 480
    /// Included bytes of one entry, with one more byte for each field.
    package static let maximumIncluded = 192
    package static let maximumColumns = 64
    /// The most bytes of a block and its separator, whatever the limits say: LMDB moves larger values to pages of
    /// their own (8 bytes of node header, 4 of index id in the key).
    static let largestBlock = 2_030 - 4

    static func damaged(_ what: String) -> StorageError { StorageError(.damagedBlock(what)) }

    /// Bytes of a number in front-compressed entries.
    @inline(__always)
    static func numberCount(_ value: Int) -> Int { value < 128 ? 1 : 2 }
}

extension UnsafeRawPointer {
    /// A little-endian number of two bytes.
    @inline(__always)
    func u16(_ offset: Int) -> Int { Int(littleEndian(at: offset, as: UInt16.self)) }

    /// A little-endian number of four bytes.
    @inline(__always)
    func u32(_ offset: Int) -> UInt32 { littleEndian(at: offset) }

    /// A little-endian number of eight bytes.
    @inline(__always)
    func u64(_ offset: Int) -> UInt64 { littleEndian(at: offset) }

    /// How many of the first `count` bytes are equal. O(count), eight at a time.
    @inline(__always)
    func sharedCount(_ other: UnsafeRawPointer, count: Int) -> Int {
        var at = 0
        while at + 8 <= count {
            let difference = u64(at) ^ other.u64(at)
            if difference != 0 { return at + difference.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < count, load(fromByteOffset: at, as: UInt8.self) == other.load(fromByteOffset: at, as: UInt8.self) {
            at += 1
        }
        return at
    }
}

extension UnsafeMutableRawPointer {
    /// Writes the low two bytes of a number, little endian.
    @inline(__always)
    func store16(_ value: Int, at offset: Int) { store(littleEndian: UInt16(truncatingIfNeeded: value), at: offset) }

    /// Copies bytes that do not overlap, without a call for few of them, of which most keys and suffixes consist.
    @inline(__always)
    func copyFew(_ source: UnsafeRawPointer, count: Int) {
        if count > 16 {
            copyMemory(from: source, byteCount: count)
        } else if count >= 8 {
            let (first, last) = (source.u64(0), source.u64(count - 8))
            store(littleEndian: first, at: 0)
            store(littleEndian: last, at: count - 8)
        } else if count >= 4 {
            let (first, last) = (source.u32(0), source.u32(count - 4))
            store(littleEndian: first, at: 0)
            store(littleEndian: last, at: count - 4)
        } else {
            for at in 0..<count {
                storeBytes(of: source.load(fromByteOffset: at, as: UInt8.self), toByteOffset: at, as: UInt8.self)
            }
        }
    }
}
