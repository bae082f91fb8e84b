import Foundation

extension UnsafeRawPointer {
    /// memcmp of two sequences of bytes.
    @inline(__always)
    func compare(_ other: UnsafeRawPointer, count: Int) -> Int { count == 0 ? 0 : Int(memcmp(self, other, count)) }
}

extension UnsafeRawBufferPointer {
    /// Bytewise order, a beginning before what continues it.
    @inline(__always)
    func isBelow(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return count < other.count }
        let order = left.compare(right, count: Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}

extension UnsafeRawBufferPointer {
    /// The first eight bytes as a number, zeros behind the end: where two differ, they are in the order of the bytes.
    @inline(__always)
    var firstWord: UInt64 {
        if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
        var word: UInt64 = 0
        for offset in 0..<8 { word = word << 8 | UInt64(offset < count ? self[offset] : 0) }
        return word
    }
}

extension [UInt8] {
    /// Bytewise order, a beginning before what continues it.
    package func isBelow(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { left in other.withUnsafeBytes { left.isBelow($0) } }
    }
}
