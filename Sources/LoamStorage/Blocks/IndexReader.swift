package import LMDB

/// Reads one index, in any transaction. It keeps nothing between calls.
///
/// Positions and counts need the index's ``IndexSums`` of the same snapshot. Blocks are checked for what could lead
/// out of them, not for their checksum: a damaged block throws `damagedBlock`, or gives wrong entries; ``verify(in:)``
/// finds it.
package struct IndexReader: Sendable {
    package let shape: BlockShape
    package let databases: IndexDatabases

    package init(shape: BlockShape, databases: IndexDatabases) {
        self.shape = shape
        self.databases = databases
    }

    /// Hands out the entries of `range`, a block's at a time, until `body` returns false.
    ///
    /// Costs O(log n) for the beginning and O(entries of the range).
    ///
    /// - Parameters:
    ///   - skipping: entries at the scan's beginning to leave out, in O(log n) with `sums`, else by their headers.
    ///   - body: gets batches of at least one entry.
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where sums are given that
    ///   cannot be right, and what `body` throws. Batches before the damaged block have been handed out by then.
    package func scan<T: Transaction & ~Copyable>(
        _ range: KeyRange = .all, reversed: Bool = false, skipping: Int = 0, sums: IndexSums? = nil,
        in transaction: borrowing T, _ body: (borrowing IndexBatch) throws -> Bool
    ) throws {
        try scan(
            range, reversed: reversed, skipping: skipping, sums: sums, in: transaction, memory: BatchMemory(), body)
    }

    /// The same with memory that others have used before, which nobody else uses meanwhile.
    func scan<T: Transaction & ~Copyable>(
        _ range: KeyRange, reversed: Bool, skipping: Int = 0, sums: IndexSums? = nil, in transaction: borrowing T,
        memory: BatchMemory, _ body: (borrowing IndexBatch) throws -> Bool
    ) throws {
        guard !range.isEmpty else { return }
        try range.withBounds { lower, upper in
            try scan(
                from: lower, to: upper, reversed: reversed, skipping: skipping, sums: sums, in: transaction,
                memory: memory, body)
        }
    }

    /// The same for a range that is not empty, from one bound to another; nil is the end of the index. The bounds stay
    /// where they are meanwhile. Takes nothing from the heap that the memory has already.
    func scan<T: Transaction & ~Copyable>(
        from lower: UnsafeRawBufferPointer, to upper: UnsafeRawBufferPointer?, reversed: Bool, skipping: Int = 0,
        sums: IndexSums? = nil, in transaction: borrowing T, memory: BatchMemory,
        _ body: (borrowing IndexBatch) throws -> Bool
    ) throws {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        var scan = BlockScan(from: lower, to: upper, isReversed: reversed, shape: shape)
        guard try scan.start(&cursor, skipping: skipping, sums: sums) else { return }
        while let (view, entries) = try scan.next(&cursor) {
            guard !entries.isEmpty else { continue }
            let batch = IndexBatch(view, range: entries, reversed: reversed, memory: memory)
            guard try body(batch) else { return }
        }
    }

    /// Whether an entry exists. O(log n).
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes.
    package func contains<T: Transaction & ~Copyable>(
        key: [UInt8], rowID: RowID, in transaction: borrowing T
    ) throws -> Bool {
        var bound = key
        bound.appendRowID(rowID, inverted: shape.invertsRowID)
        return try first(from: bound, in: transaction) { view, index in
            try key.withUnsafeBytes { try view.key(at: index, begins: $0, isWhole: true) }
                && view.rowID(at: index) == rowID
        } ?? false
    }

    /// Finds the first entry not below `bound`, and gives what `body` makes of it; nil when there is none.
    private func first<T: Transaction & ~Copyable, R>(
        from bound: [UInt8], in transaction: borrowing T, _ body: (BlockView, Int) throws -> R
    ) throws -> R? {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        return try bound.withUnsafeBytes { bound in
            guard try cursor.seek(containing: bound) else { return nil }
            var view = try BlockView(cursor.block, shape: shape)
            var index = try view.lowerBound(of: bound)
            if index == view.count {
                guard try cursor.next() else { return nil }
                view = try BlockView(cursor.block, shape: shape)
                index = 0
            }
            return try body(view, index)
        }
    }
}

extension BlockView {
    /// Whether the component bytes of entry `index` begin with `prefix`, or are it when `isWhole`.
    func key(at index: Int, begins sought: UnsafeRawBufferPointer, isWhole: Bool) throws(StorageError) -> Bool {
        var copy = ByteBuffer(capacity: 0)
        if isCompressed { try copyKey(at: index, into: &copy) }
        let count = isCompressed ? copy.count : prefixCount + suffixCount
        guard isWhole ? count == sought.count : count >= sought.count else { return false }
        guard let address = sought.baseAddress else { return true }
        if isCompressed { return UnsafeRawPointer(copy.start).compare(address, count: sought.count) == 0 }
        let common = min(prefixCount, sought.count)
        return (base + BlockFormat.headerCount).compare(address, count: common) == 0
            && (base + entriesStart + index * suffixCount).compare(address + common, count: sought.count - common) == 0
    }
}
