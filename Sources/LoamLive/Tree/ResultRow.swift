package import LoamStorage

/// A row of a result with what is needed to place it.
package struct ResultRow: Hashable, Sendable {
    package let rowID: RowID
    /// The bytes of the row's sort keys, those of the section first, without zeros at the end: keys are compared as if
    /// zeros followed them.
    package let key: [UInt8]

    package init(rowID: RowID, key: [UInt8]) {
        self.rowID = rowID
        self.key = key.withoutZerosAtItsEnd
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
        return order == 0 ? precedes(left.rowID, right.rowID) : order < 0
    }

    /// Of rows with one key, which comes first.
    func precedes(_ left: RowID, _ right: RowID) -> Bool {
        rowIDDirection == .ascending ? left < right : left > right
    }
}
