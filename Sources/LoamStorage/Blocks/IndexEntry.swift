/// An entry of an index: the bytes of its components, the row that it leads to, and what lies beside it.
package struct IndexEntry: Hashable, Sendable {
    /// Component bytes without the row id, at most ``BlockFormat/maximumKey``.
    package var key: [UInt8]
    package var rowID: RowID
    /// Whether a component was cut, so that the key does not tell the value.
    package var isInexact: Bool
    /// Included fields by column; nil for null. Those that do not fit are left out when the entry is stored.
    package var included: [[UInt8]?]

    package init(key: [UInt8], rowID: RowID, isInexact: Bool = false, included: [[UInt8]?] = []) {
        self.key = key
        self.rowID = rowID
        self.isInexact = isInexact
        self.included = included
    }

    /// Component bytes and row id, as entries of an index of this shape are ordered.
    package func fullKey(invertsRowID: Bool) -> [UInt8] {
        var bytes = key
        bytes.appendRowID(rowID, inverted: invertsRowID)
        return bytes
    }

    /// Whether the full key is below `bound`.
    func isBelow(_ bound: UnsafeRawBufferPointer, invertsRowID: Bool) -> Bool {
        key.withUnsafeBytes { key in
            let common = min(key.count, bound.count)
            if common > 0, let left = key.baseAddress, let right = bound.baseAddress {
                let order = left.compare(right, count: common)
                if order != 0 { return order < 0 }
            }
            let rest = UnsafeRawBufferPointer(rebasing: bound.dropFirst(key.count))
            return RowIDOrder.isBelow(rowID, inverted: invertsRowID, bound: rest)
        }
    }
}

/// One entry to put in or to take out.
package struct IndexChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case insert, remove }

    package var kind: Kind
    /// For a removal, only the key and the row id matter.
    package var entry: IndexEntry

    package init(_ kind: Kind, entry: IndexEntry) {
        self.kind = kind
        self.entry = entry
    }
}

extension [IndexChange] {
    /// Sorts by full key; changes of one entry keep their order. O(n log n).
    package mutating func sortForIndex(invertsRowID: Bool) {
        sort { left, right in
            if left.entry.key != right.entry.key { return left.entry.key.lexicographicallyPrecedes(right.entry.key) }
            if left.entry.rowID != right.entry.rowID {
                return (left.entry.rowID < right.entry.rowID) != invertsRowID
            }
            return false
        }
    }
}

extension [UInt8] {
    /// Appends a row id as full keys end: eight bytes big endian, inverted under a descending last component.
    package mutating func appendRowID(_ rowID: RowID, inverted: Bool) {
        append(bigEndian: inverted ? ~rowID : rowID)
    }
}

/// The state of an included field of an entry.
package enum IncludedState: Hashable, Sendable {
    case null
    /// The bytes are there.
    case present
    /// The field did not fit: read the record.
    case leftOut
}
