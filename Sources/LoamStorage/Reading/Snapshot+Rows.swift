import LMDB

extension Snapshot {
    /// A copy of the record, as it is stored; nil where there is no such row.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity. The record is not looked at.
    package func record(_ rowID: RowID, of entity: Entity) throws -> [UInt8]? {
        let access = try catalog.access(entity.id)
        guard !access.isHidden(rowID) else { return nil }
        return try transaction.copy(of: rowID, in: access.records)
    }

    /// A copy of the record that outlives the snapshot; nil where there is no such row. About the cost of one look-up.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity; `damagedRecord` where the record's
    ///   header, layout, length or checksum is wrong.
    package func detachedRecord(_ rowID: RowID, of entity: EntityID) throws -> DetachedRecord? {
        let access = try catalog.access(entity)
        return access.isHidden(rowID) ? nil : try detachedRecord(rowID, of: access, in: transaction)
    }

    /// Calls the closure with the row; nil where there is no such row. About the cost of one look-up in LMDB.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where a record's
    ///   header, layout or length is wrong, and what the closure throws.
    package func withRow<R>(
        _ rowID: RowID, of entity: Entity, _ body: (borrowing StoredRow) throws -> R
    ) throws -> R? {
        var result: R?
        try visitRow(rowID, of: entity) { result = try body($0) }
        return result
    }

    /// Calls the closure with the row, as ``withRow(_:of:_:)`` does, without a result and so without generic code.
    /// Returns whether there is such a row.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where a record's
    ///   header, layout or length is wrong, and what the closure throws.
    @discardableResult
    package func visitRow(
        _ rowID: RowID, of entity: Entity, _ body: (borrowing StoredRow) throws -> Void
    ) throws -> Bool {
        let access = try access(entity)
        guard !access.isHidden(rowID) else { return false }
        return try visitRow(rowID, of: access, in: transaction, body)
    }

    /// Calls the closure with a row as a record has it that was copied out of the store, like those of a change set.
    /// Its long values are those that the snapshot has for the row, which need not be the record's.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where the record's
    ///   header, layout or length is wrong, and what the closure throws.
    package func withRow<R>(
        _ rowID: RowID, of entity: Entity, record: [UInt8], _ body: (borrowing StoredRow) throws -> R
    ) throws -> R {
        try withRow(rowID, of: access(entity), record: record, body)
    }

    func withRow<R>(
        _ rowID: RowID, of access: EntityAccess, record: [UInt8], _ body: (borrowing StoredRow) throws -> R
    ) throws -> R {
        let bytes = record.span.bytes
        let frame = RowFrame(try access.layout(RecordHeader.layout(of: bytes)), of: access, in: self)
        let view = try RecordView(bytes, frame: frame.record)
        return try body(StoredRow(rowID: rowID, view: view, frame: frame))
    }

    /// All values of a row, in the order of the entity's properties, after its checksum was verified; nil where there
    /// is no such row. O(log n + bytes of the row and of its long values).
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where the record
    ///   or its checksum is wrong, `damagedLongValue` where a value outside of it is.
    package func values(_ rowID: RowID, of entity: Entity) throws -> [Value]? {
        try withRow(rowID, of: entity) { row in
            try row.verifyChecksum()
            return try row.values()
        }
    }

    /// Walks rows by id. The closure returns false to stop.
    ///
    /// Costs O(rows of the range) and one look-up for its beginning; checksums are not verified.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where a record's
    ///   header, layout or length is wrong, and what the closure throws. Rows before the damaged one have been handed
    ///   out by then.
    package func scanRows(
        of entity: Entity, from: RowID = 0, through: RowID = .max, reversed: Bool = false,
        _ body: (borrowing StoredRow) throws -> Bool
    ) throws {
        _ = try scanRows(of: entity, from: from, through: through, reversed: reversed, passing: nil, body)
    }

    /// Walks the rows by id that pass a sieve, or all of them where there is none.
    ///
    /// - Returns: how many rows the sieve has kept back.
    /// - Throws: as without a sieve, also for a damaged record that it would keep back.
    package func scanRows(
        of entity: Entity, from: RowID = 0, through: RowID = .max, reversed: Bool = false, passing sieve: RowSieve?,
        _ body: (borrowing StoredRow) throws -> Bool
    ) throws -> Int {
        guard from <= through else { return 0 }
        return try scanRows(
            of: try access(entity), from...through, reversed: reversed, passing: sieve, in: transaction, body)
    }

    /// Visits the rows with these ids, which must ascend; ids without a row are passed over. The closure gets the id's
    /// index in the list, and returns false to stop.
    ///
    /// Rows near each other cost a fraction of a look-up each: the cursor stays on their page.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity, `damagedRecord` where a record's
    ///   header, layout or length is wrong, and what the closure throws. Rows before the damaged one have been handed
    ///   out by then.
    package func visitRows(
        _ rowIDs: [RowID], of entity: Entity, _ body: (_ index: Int, borrowing StoredRow) throws -> Bool
    ) throws {
        try visitRows(rowIDs, of: try access(entity), in: transaction, body)
    }

    /// The number of rows. O(1), and a look-up more per bulk load under way.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity.
    package func count(of entity: Entity) throws -> Int { try count(of: entity.id) }

    /// The number of rows of an entity. O(1), and a look-up more per bulk load under way.
    ///
    /// - Throws: `unknownEntity` where this state of the store has no such entity.
    package func count(of entity: EntityID) throws -> Int {
        let access = try access(entity)
        var count = try transaction.statistics(of: access.records).entries
        for range in access.hidden {
            guard let last = try Self.lastRow(from: range, of: access, in: transaction) else { continue }
            // A load writes rows under its ids without gaps, so its rows are counted by its last one.
            count = max(0, count - 1 - Int(clamping: last - range.lowerBound))
        }
        return count
    }

    func longValue(of row: borrowing StoredRow, property position: Int, slot: Int) throws -> Value {
        let property = row.access.entity.properties[position]
        guard let byteCount = try row.view.externalByteCount(slot) else { return try row.view.value(slot) }
        let bytes = try LongValues.read(
            row: row.rowID, property: property.id, byteCount: byteCount, in: row.access.longValues,
            transaction: transaction)
        return try RecordView.decode(bytes.span.bytes, as: property.type)
    }
}

/// The functions of a snapshot with its transaction borrowed as an argument: spans and cursors may depend on that only.
extension Snapshot {
    private func detachedRecord(
        _ rowID: RowID, of access: EntityAccess, in transaction: borrowing ReadTransaction
    ) throws -> DetachedRecord? {
        guard let bytes = try transaction.value(for: rowID, in: access.records) else { return nil }
        return try bytes.withUnsafeBytes { try DetachedRecord.Source(access).copy($0, rowID: rowID) }
    }

    private func visitRow(
        _ rowID: RowID, of access: EntityAccess, in transaction: borrowing ReadTransaction,
        _ body: (borrowing StoredRow) throws -> Void
    ) throws -> Bool {
        guard let bytes = try transaction.value(for: rowID, in: access.records) else { return false }
        let frame = RowFrame(try access.layout(RecordHeader.layout(of: bytes)), of: access, in: self)
        let view = try RecordView(bytes, frame: frame.record)
        try body(StoredRow(rowID: rowID, view: view, frame: frame))
        return true
    }

    private func scanRows(
        of access: EntityAccess, _ range: ClosedRange<RowID>, reversed: Bool, passing sieve: RowSieve?,
        in transaction: borrowing ReadTransaction, _ body: (borrowing StoredRow) throws -> Bool
    ) throws -> Int {
        var cursor = try transaction.cursor(in: access.records)
        var frame = RowFrame(access.current, of: access, in: self)
        var layoutSieve = sieve.map { LayoutSieve($0, frame) }
        let hasHidden = !access.hidden.isEmpty
        var keptBack = 0
        let isAtEntry =
            try reversed
            ? cursor.seek(atMost: range.upperBound) : cursor.seek(atLeast: range.lowerBound)
        guard isAtEntry else { return 0 }
        try cursor.walk(reversed: reversed) { rowID, bytes in
            guard range.contains(rowID) else { return false }
            guard !hasHidden || !access.isHidden(rowID) else { return true }
            let layout = try RecordHeader.layout(of: bytes)
            if layout != frame.record.pointee.id {
                frame = RowFrame(try access.layout(layout), of: access, in: self)
                layoutSieve = sieve.map { LayoutSieve($0, frame) }
            }
            let row = StoredRow(rowID: rowID, view: try RecordView(bytes, frame: frame.record), frame: frame)
            if let layoutSieve, try !layoutSieve.passes(row) {
                keptBack &+= 1
                return true
            }
            return try body(row)
        }
        return keptBack
    }

    private func visitRows(
        _ rowIDs: [RowID], of access: EntityAccess, in transaction: borrowing ReadTransaction,
        _ body: (_ index: Int, borrowing StoredRow) throws -> Bool
    ) throws {
        var cursor = try transaction.cursor(in: access.records)
        var frame = RowFrame(access.current, of: access, in: self)
        for (index, rowID) in rowIDs.enumerated() where try cursor.seek(to: rowID) && !access.isHidden(rowID) {
            let bytes = cursor.value
            let layout = try RecordHeader.layout(of: bytes)
            if layout != frame.record.pointee.id { frame = RowFrame(try access.layout(layout), of: access, in: self) }
            let view = try RecordView(bytes, frame: frame.record)
            guard try body(index, StoredRow(rowID: rowID, view: view, frame: frame)) else { return }
        }
    }

    private static func lastRow(
        from range: ClosedRange<RowID>, of access: EntityAccess, in transaction: borrowing ReadTransaction
    ) throws -> RowID? {
        var cursor = try transaction.cursor(in: access.records)
        guard try cursor.seek(atMost: range.upperBound) else { return nil }
        return range.contains(cursor.integerKey) ? cursor.integerKey : nil
    }
}

extension Cursor {
    /// Moves to the last entry whose integer key is not above this one; false when there is none.
    @_lifetime(self: copy self)
    mutating func seek(atMost rowID: RowID) throws -> Bool {
        guard try seek(atLeast: rowID) else { return try moveToLast() }
        if integerKey == rowID { return true }
        return try previous()
    }
}

extension StoredRow {
    /// Verifies the record's checksum, O(bytes): done when a record leaves the store, not in scans.
    ///
    /// - Throws: `damagedRecord` where it is wrong.
    package func verifyChecksum() throws {
        try RecordHeader.verifyChecksum(record: view.bytes, rowID: rowID, entity: view.frame.pointee.entity)
    }
}
