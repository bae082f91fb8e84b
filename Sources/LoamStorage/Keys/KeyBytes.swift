/// The bytes of a key, or of the beginning of one. Short ones lie in the value itself: to make, copy and compare them
/// takes nothing from the heap and counts no reference.
package struct KeyBytes: Sendable {
    private let content: Content

    private enum Content: Sendable {
        case short(Short)
        case long([UInt8])
    }

    /// Up to 24 bytes, as numbers of which the first byte is the highest; zeros behind the last one.
    fileprivate struct Short: Equatable, Sendable {
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var count: UInt8
    }

    private static var mostShort: Int { 24 }

    private init(content: Content) { self.content = content }

    package init(_ bytes: UnsafeRawBufferPointer) {
        content = Self.short(bytes).map(Content.short) ?? .long(Array(bytes))
    }

    package init(_ bytes: [UInt8]) {
        content = bytes.withUnsafeBytes { Self.short($0) }.map(Content.short) ?? .long(bytes)
    }

    private static func short(_ bytes: UnsafeRawBufferPointer) -> Short? {
        guard bytes.count <= mostShort else { return nil }
        var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
        return Short(
            first: UInt64(bigEndian: words.0), second: UInt64(bigEndian: words.1), third: UInt64(bigEndian: words.2),
            count: UInt8(truncatingIfNeeded: bytes.count))
    }

    var isEmpty: Bool { count == 0 }

    var count: Int {
        switch content {
        case .short(let key): Int(key.count)
        case .long(let bytes): bytes.count
        }
    }

    /// Costs an allocation for a short key.
    var array: [UInt8] {
        if case .long(let bytes) = content { bytes } else { withBytes { Array($0) } }
    }

    /// Lends the bytes. Allocates nothing.
    @inline(__always)
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        switch content {
        case .long(let bytes): return try bytes.withUnsafeBytes(body)
        case .short(let key):
            let words = (key.first.bigEndian, key.second.bigEndian, key.third.bigEndian)
            return try withUnsafeBytes(of: words) {
                try body(UnsafeRawBufferPointer(rebasing: $0[..<Int(key.count)]))
            }
        }
    }
}

extension KeyBytes {
    /// The smallest key above everything that begins with these bytes; nil when there is none.
    var successor: KeyBytes? {
        guard case .short(let key) = content else { return KeyRange.successor(of: array).map { KeyBytes($0) } }
        var count = Int(key.count)
        while count > 0, key.byte(count - 1) == 0xFF { count -= 1 }
        return count > 0 ? KeyBytes(content: .short(key.raised(at: count - 1))) : nil
    }

    /// Lends the smallest key above everything that begins with these bytes; nil when there is none. Allocates nothing.
    @inline(__always)
    func withSuccessor<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        switch content {
        case .short: return try successor?.withBytes { try body($0) } ?? body(nil)
        case .long(let bytes): return try bytes.withUnsafeBytes { try Self.withSuccessor(of: $0, body) }
        }
    }

    private static func withSuccessor<R>(
        of prefix: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) rethrows -> R {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return try body(nil) }
        return try withUnsafeTemporaryAllocation(byteCount: last + 1, alignment: 1) { successor in
            successor.copyMemory(from: UnsafeRawBufferPointer(rebasing: prefix[...last]))
            successor[last] += 1
            return try body(UnsafeRawBufferPointer(successor))
        }
    }

    /// The first eight bytes as a number, zeros behind the end.
    @inline(__always)
    package var firstWord: UInt64 {
        switch content {
        case .short(let key): key.first
        case .long(let bytes): bytes.withUnsafeBytes(\.firstWord)
        }
    }

    /// Bytewise order, a beginning before what continues it.
    package func isBelow(_ other: KeyBytes) -> Bool {
        guard case .short(let left) = content, case .short(let right) = other.content else {
            return withBytes { left in other.withBytes { left.isBelow($0) } }
        }
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        if left.third != right.third { return left.third < right.third }
        return left.count < right.count
    }

    /// The bytes of a short key and their count, as numbers that are ordered as the keys are.
    var place: (UInt64, UInt64, UInt64, UInt8)? {
        if case .short(let key) = content { (key.first, key.second, key.third, key.count) } else { nil }
    }

    /// Whether it begins with a prefix, or is below everything that does.
    func isBelowEnd(ofPrefix prefix: KeyBytes) -> Bool {
        guard case .short(let key) = content, case .short(let prefix) = prefix.content else {
            return withBytes { key in prefix.withBytes { Self.isBelow(key, endOfPrefix: $0) } }
        }
        let count = Int(prefix.count)
        let first = key.first & Self.mask(count)
        if first != prefix.first { return first < prefix.first }
        let second = key.second & Self.mask(count - 8)
        if second != prefix.second { return second < prefix.second }
        return key.third & Self.mask(count - 16) <= prefix.third
    }

    /// As ``isBelowEnd(ofPrefix:)``.
    static func isBelow(_ key: UnsafeRawBufferPointer, endOfPrefix prefix: UnsafeRawBufferPointer) -> Bool {
        guard let left = key.baseAddress, let right = prefix.baseAddress else { return true }
        return left.compare(right, count: min(key.count, prefix.count)) <= 0
    }

    /// The first bytes of a word.
    private static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : count <= 0 ? 0 : ~(UInt64.max >> UInt64(8 * count))
    }
}

extension KeyBytes.Short {
    /// - Parameter index: below 24.
    @inline(__always)
    fileprivate func byte(_ index: Int) -> UInt8 {
        let word = index < 8 ? first : index < 16 ? second : third
        return UInt8(truncatingIfNeeded: word >> Self.shift(index))
    }

    /// The bytes up to one that is not 0xFF, and that one raised by one.
    fileprivate func raised(at index: Int) -> Self {
        let step: UInt64 = 1 << Self.shift(index)
        func raised(_ word: UInt64) -> UInt64 { (word & ~(step - 1)) &+ step }
        let count = UInt8(truncatingIfNeeded: index + 1)
        if index < 8 { return Self(first: raised(first), second: 0, third: 0, count: count) }
        if index < 16 { return Self(first: first, second: raised(second), third: 0, count: count) }
        return Self(first: first, second: second, third: raised(third), count: count)
    }

    /// Bits behind a byte in its word.
    private static func shift(_ index: Int) -> UInt64 { UInt64(56 - 8 * (index & 7)) }
}

extension KeyBytes: Equatable {
    package static func == (left: KeyBytes, right: KeyBytes) -> Bool {
        switch (left.content, right.content) {
        case (.short(let left), .short(let right)): left == right
        case (.long(let left), .long(let right)): left == right
        default: false
        }
    }
}
