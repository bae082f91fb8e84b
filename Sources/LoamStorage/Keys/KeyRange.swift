/// A half-open range of keys: component bytes, then row id bytes, compared as bytes.
package struct KeyRange: Sendable {
    /// The first key inside; empty for the start of the index.
    package private(set) var lower: [UInt8]
    private var end: End

    private enum End: Sendable {
        /// At the end of the index.
        case open
        case before([UInt8])
        /// Behind the last key that begins with ``lower``, which has a byte below 0xFF. Most ranges that are made are
        /// only counted and compared, which needs no other bytes.
        case behindPrefix
    }

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        self.lower = lower
        end = upper.map(End.before) ?? .open
    }

    private init(prefix: [UInt8]) {
        lower = prefix
        end = prefix.allSatisfy { $0 == 0xFF } ? .open : .behindPrefix
    }

    /// The first key beyond; nil for the end of the index. Costs an allocation where the range is a prefix: ask once.
    package var upper: [UInt8]? {
        get {
            switch end {
            case .open: nil
            case .before(let upper): upper
            case .behindPrefix: Self.successor(of: lower)
            }
        }
        set { end = newValue.map(End.before) ?? .open }
    }

    package var hasUpper: Bool {
        if case .open = end { false } else { true }
    }

    package static let all = KeyRange()
    package static let none = KeyRange(lower: [], upper: [])

    /// Every key that begins with these bytes.
    package static func prefix(_ bytes: [UInt8]) -> KeyRange { KeyRange(prefix: bytes) }

    /// The smallest key above everything that begins with a prefix; nil when there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var successor = prefix
        if last + 1 < prefix.count { successor.removeSubrange((last + 1)...) }
        successor[last] += 1
        return successor
    }

    package var isEmpty: Bool {
        if case .before(let upper) = end { !lower.isBelow(upper) } else { false }
    }

    package func intersection(_ other: KeyRange) -> KeyRange {
        var common = endsBefore(other) ? self : other
        let start = lower.isBelow(other.lower) ? other.lower : lower
        if start != common.lower {
            if case .behindPrefix = common.end { common.upper = common.upper }
            common.lower = start
        }
        return common
    }

    package func contains(_ key: some Collection<UInt8>) -> Bool {
        guard !key.lexicographicallyPrecedes(lower) else { return false }
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }
}

extension KeyRange {
    /// Whether a key lies before the end of the range.
    package func endsBehind(_ key: [UInt8]) -> Bool {
        switch end {
        case .open: true
        case .before(let upper): key.isBelow(upper)
        case .behindPrefix: key.withUnsafeBytes { isBelowPrefixEnd($0) }
        }
    }

    /// Whether a key lies before the end of the range.
    func endsBehind(_ key: UnsafeRawBufferPointer) -> Bool {
        switch end {
        case .open: true
        case .before(let upper): upper.withUnsafeBytes { key.isBelow($0) }
        case .behindPrefix: isBelowPrefixEnd(key)
        }
    }

    /// What begins with ``lower`` is before the end, and so is what is below it.
    private func isBelowPrefixEnd(_ key: UnsafeRawBufferPointer) -> Bool {
        lower.withUnsafeBytes { prefix in
            guard let left = key.baseAddress, let right = prefix.baseAddress else { return true }
            return left.compare(right, count: min(key.count, prefix.count)) <= 0
        }
    }

    /// Whether the range ends before another one does.
    package func endsBefore(_ other: KeyRange) -> Bool {
        switch (end, other.end) {
        case (.open, _): return false
        case (_, .open): return true
        case (.before(let upper), .before(let otherUpper)): return upper.isBelow(otherUpper)
        default: break
        }
        return withUpper { upper in other.withUpper { other in other.map { upper?.isBelow($0) ?? false } ?? false } }
    }

    /// Lends the first key beyond; nil for the end of the index. Allocates nothing.
    func withUpper<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        switch end {
        case .open: return try body(nil)
        case .before(let upper): return try upper.withUnsafeBytes { try body($0) }
        case .behindPrefix: return try lower.withUnsafeBytes { try Self.withSuccessor(of: $0, body) }
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
}

extension KeyRange: Hashable {
    /// Whether the same keys lie in both, however the ranges were made.
    package static func == (left: KeyRange, right: KeyRange) -> Bool {
        guard left.lower == right.lower else { return false }
        switch (left.end, right.end) {
        case (.open, .open), (.behindPrefix, .behindPrefix): return true
        case (.before(let upper), .before(let other)): return upper == other
        default: return left.upper == right.upper
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(lower)
        hasher.combine(upper)
    }
}
