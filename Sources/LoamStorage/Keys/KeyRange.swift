/// A half-open range of keys: component bytes, then row id bytes, compared as bytes.
package struct KeyRange: Hashable, Sendable {
    /// The first key inside; empty for the start of the index.
    package var lower: [UInt8]
    /// The first key beyond; nil for the end of the index.
    package var upper: [UInt8]?

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }

    package static let all = KeyRange()
    package static let none = KeyRange(lower: [], upper: [])

    /// Every key that begins with these bytes.
    package static func prefix(_ bytes: [UInt8]) -> KeyRange {
        KeyRange(lower: bytes, upper: successor(of: bytes))
    }

    /// The smallest key above everything that begins with a prefix; nil when there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var successor = prefix
        if last + 1 < prefix.count { successor.removeSubrange((last + 1)...) }
        successor[last] += 1
        return successor
    }

    package var isEmpty: Bool {
        guard let upper else { return false }
        return !lower.lexicographicallyPrecedes(upper)
    }

    package func intersection(_ other: KeyRange) -> KeyRange {
        let upper: [UInt8]? =
            switch (upper, other.upper) {
            case (let mine?, let theirs?): mine.lexicographicallyPrecedes(theirs) ? mine : theirs
            case (let bound, nil), (nil, let bound): bound
            }
        return KeyRange(
            lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower, upper: upper)
    }

    package func contains(_ key: some Collection<UInt8>) -> Bool {
        guard !key.lexicographicallyPrecedes(lower) else { return false }
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }
}
