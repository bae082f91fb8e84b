import Foundation
package import LoamStorage

/// A row of a result with what is needed to place it.
package struct ResultRow: CountedElement, Hashable {
    package var rowID: RowID
    /// The bytes of the row's sort keys. Those of the section come first.
    package var key: [UInt8]

    package var weight: Int { 1 }

    package init(rowID: RowID, key: [UInt8]) {
        self.rowID = rowID
        self.key = key
    }
}

/// The total order of a result: by key, then by row id in a direction.
package struct ResultOrder: Hashable, Sendable {
    package var rowIDDirection: SortDirection

    package init(rowIDDirection: SortDirection = .ascending) {
        self.rowIDDirection = rowIDDirection
    }

    package func precedes(_ left: ResultRow, _ right: ResultRow) -> Bool {
        let order = left.key.order(against: right.key)
        if order != 0 { return order < 0 }
        return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }
}

extension [UInt8] {
    /// Compares bytes: negative, zero or positive, as `memcmp`. Bytes that are the beginning of the other ones come
    /// first.
    func order(against other: [UInt8]) -> Int {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let common = Swift.min(left.count, right.count)
                if let left = left.baseAddress, let right = right.baseAddress {
                    let order = memcmp(left, right, common)
                    if order != 0 { return Int(order) }
                }
                return left.count - right.count
            }
        }
    }
}
