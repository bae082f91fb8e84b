import LMDB

/// A record's bytes with what is needed to read them: how indexes see a row before and after a change.
struct RowImage {
    let rowID: RowID
    private(set) var bytes: [UInt8]
    let access: EntityAccess
    let layout: LayoutAccess
    /// Long values that are at hand, by property; the others are not needed by anybody who uses the image.
    var longValues: [PropertyID: [UInt8]] = [:]

    init(rowID: RowID, bytes: [UInt8], access: EntityAccess) throws {
        self.rowID = rowID
        self.bytes = bytes
        self.access = access
        layout = try access.layout(ofRecord: bytes, rowID)
    }

    var save: UInt64 {
        get throws { try RecordHeader.read(bytes.span.bytes).save }
    }

    /// Whether a value lies outside the record.
    var hasLongValues: Bool {
        get throws { try RecordHeader.read(bytes.span.bytes).flags.hasExternal }
    }

    func withView<R>(_ body: (RecordView) throws -> R) throws -> R {
        let recordLayout = layout.layout
        return try body(RecordView(bytes.span.bytes, layout: recordLayout))
    }

    /// The long values that lie outside the record, also those of properties that the entity no longer has.
    func externalFields() throws -> [(property: PropertyID, slot: Int, byteCount: Int)] {
        guard try hasLongValues else { return [] }
        return try withView { view in
            let fields = layout.layout.fields
            return try fields.indices.compactMap { slot in
                guard let byteCount = try view.externalByteCount(slot) else { return nil }
                return (fields[slot].property, slot, byteCount)
            }
        }
    }

    /// The property's value; a long value must be at hand.
    func value(_ position: Int) throws -> Value {
        try withView { view in
            guard let slot = layout.slot(position, in: view) else {
                return try layout.value(position, in: view, of: rowID)
            }
            guard try view.isExternal(slot) else { return try view.value(slot) }
            let property = access.entity.properties[position]
            guard let bytes = longValues[property.id] else {
                throw StorageError(
                    .damagedLongValue("it is missing"), entity: access.entity.name, property: property.name,
                    rowID: rowID)
            }
            return try RecordView.decode(bytes.span.bytes, as: property.type)
        }
    }
}

extension RowImage {
    /// The row id in a reference; nil where it is nil.
    func reference(_ position: Int) throws -> RowID? {
        try layout.reference(position, of: bytes)
    }

    /// Sets a reference or a position, or makes it nil. False where no record of this layout can say so.
    mutating func patch(_ position: Int, to bits: UInt64?) throws -> Bool {
        try layout.patch(&bytes, position: position, to: bits)
    }

    /// Throws `missingValue` where a record of an older layout has nil for a property that is required by now.
    func requireValues() throws {
        guard !layout.hasRequiredValues else { return }
        guard let position = try withView({ try layout.missingValue(of: access.entity, in: $0) }) else { return }
        throw StorageError(
            .missingValue, entity: access.entity.name, property: access.entity.properties[position].name, rowID: rowID)
    }

    /// Throws `damagedRecord` unless the checksum is right.
    func verifyChecksum() throws {
        try RecordHeader.verifyChecksum(record: bytes.span.bytes, rowID: rowID, entity: access.entity.id)
    }

    /// The stored row with all its long values; nil where there is none.
    static func read(
        _ row: RowID, of access: EntityAccess, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> RowImage? {
        guard let bytes = try transaction.copy(of: row, in: access.records) else {
            return nil
        }
        var image = try RowImage(rowID: row, bytes: bytes, access: access)
        try image.loadLongValues(in: transaction)
        return image
    }

    /// Reads the long values of the entity's properties that lie outside the record.
    mutating func loadLongValues(in transaction: borrowing some Transaction & ~Copyable) throws {
        guard try hasLongValues else { return }
        for (property, _, byteCount) in try externalFields() where access.entity.property(withID: property) != nil {
            longValues[property] = try LongValues.read(
                row: rowID, property: property, byteCount: byteCount, in: access.longValues, transaction: transaction)
        }
    }
}

extension LayoutAccess {
    /// The row id in a reference of a record of this layout; nil where it is nil.
    func reference(_ position: Int, of bytes: [UInt8]) throws -> RowID? {
        guard slots.indices.contains(position), slots[position] >= 0 else {
            guard case .uint(let target) = initialValue(position) else { return nil }
            return target
        }
        let (slot, recordLayout) = (slots[position], layout)
        let view = try RecordView(bytes.span.bytes, layout: recordLayout)
        return try view.optionalUInt64(slot)
    }

    /// Sets a reference or a position, or makes it nil. False where the layout has no such field, or one that cannot be
    /// nil as the property by now can.
    @discardableResult
    func patch(_ bytes: inout [UInt8], position: Int, to bits: UInt64?) throws -> Bool {
        guard slots.indices.contains(position), slots[position] >= 0, bits != nil || canBeNil(position) else {
            return false
        }
        try layout.setInteger(bits, at: slots[position], in: &bytes)
        return true
    }
}

extension EntityAccess {
    /// Every record as an image, in row order, hidden rows of bulk loads included.
    ///
    /// - Parameter needsLongValues: whether those outside of the records are read, too.
    func scanImages(
        needsLongValues: Bool = true, in transaction: borrowing some Transaction & ~Copyable,
        _ body: (RowImage) throws -> Void
    ) throws {
        var cursor = try transaction.cursor(in: records)
        var isAtEntry = try cursor.moveToFirst()
        while isAtEntry {
            let bytes = cursor.value.withUnsafeBytes { Array($0) }
            var image = try RowImage(rowID: cursor.integerKey, bytes: bytes, access: self)
            if needsLongValues { try image.loadLongValues(in: transaction) }
            try body(image)
            isAtEntry = try cursor.next()
        }
    }

    /// The first row that has nil for the property at a position; nil where all have a value. O(rows).
    func firstRow(
        withoutValueAt position: Int, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> RowID? {
        var cursor = try transaction.cursor(in: records)
        var isAtEntry = try cursor.moveToFirst()
        while isAtEntry {
            let bytes = cursor.value
            let layout = try layout(RecordHeader.layout(of: bytes))
            let view = try RecordView(bytes, frame: layout.layout.frame)
            if try layout.isNull(position, in: view, of: cursor.integerKey) { return cursor.integerKey }
            isAtEntry = try cursor.next()
        }
        return nil
    }
}
