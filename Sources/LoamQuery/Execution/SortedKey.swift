import Foundation
import LoamStorage

/// How the keys of sorted rows compare, in memory and in files.
enum SortedKey {
    /// The first eight bytes of a key, zeros behind its end.
    @inline(__always)
    static func prefix(of key: UnsafeRawBufferPointer) -> UInt64 {
        if key.count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for offset in 0..<8 { prefix = prefix << 8 | UInt64(offset < key.count ? key[offset] : 0) }
        return prefix
    }

    /// The order of two keys whose prefixes are equal.
    @inline(__always)
    static func compareRest(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        if common > 8, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let order = memcmp(leftBase + 8, rightBase + 8, common - 8)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}

extension SortDirection {
    /// Whether one of two rows that are equal in all keys comes before the other.
    @inline(__always)
    func precedes(_ left: RowID, _ right: RowID) -> Bool {
        self == .ascending ? left < right : left > right
    }
}

extension [Value] {
    /// About the bytes that the values of a row take in memory.
    var sortedByteCount: Int {
        isEmpty
            ? 0
            : reduce(32 + count * MemoryLayout<Value>.stride) { $0 + $1.heapByteCount }
    }
}

extension Value {
    /// About the bytes that the value takes besides itself.
    fileprivate var heapByteCount: Int {
        switch self {
        case .null, .bool, .int, .uint, .float, .double, .decimal, .date, .uuid: 0
        case .string(let text): text.utf8.count > 15 ? 32 + text.utf8.count : 0
        case .url(let url): 512 + url.absoluteString.utf8.count
        case .data(let data): data.count > 14 ? 96 + data.count : 0
        case .array(let values): values.sortedByteCount
        case .dictionary(let pairs):
            pairs.reduce(64) { $0 + 4 * MemoryLayout<Value>.stride + $1.key.heapByteCount + $1.value.heapByteCount }
        case .structure(let members):
            members.reduce(64) { $0 + 4 * MemoryLayout<Value>.stride + 32 + $1.key.utf8.count + $1.value.heapByteCount }
        }
    }
}
