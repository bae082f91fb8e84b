/// A record copied out of the store, with what is needed to read its fields later and on any thread.
///
/// Its checksum was verified when it was made, so reading it cannot meet damage that the store could have noticed.
package struct DetachedRecord: Sendable {
    package let rowID: RowID
    package let bytes: [UInt8]
    private let access: EntityAccess
    private let layout: LayoutAccess
    /// Long values that were read since, by position.
    private var longValues: [Int: Value]?

    /// - Parameter catalog: the one of the snapshot that the bytes were copied in.
    /// - Throws: `damagedRecord` where header, layout or checksum are wrong. O(bytes).
    package init(_ bytes: [UInt8], rowID: RowID, of entity: EntityID, in catalog: Catalog) throws {
        access = try catalog.access(entity)
        let header = try RecordHeader.read(bytes.span.bytes)
        guard header.entity == entity else {
            throw StorageError(.damagedRecord("it belongs to another entity"), entity: access.entity.name, rowID: rowID)
        }
        try RecordHeader.verifyChecksum(record: bytes.span.bytes, rowID: rowID)
        layout = try access.layout(header.layout)
        self.rowID = rowID
        self.bytes = bytes
    }

    /// The number of the save that wrote it.
    package var save: UInt64 {
        get throws { try RecordHeader.read(bytes.span.bytes).save }
    }

    package var entity: Entity { access.entity }

    /// Whether the field differs in a record of the same entity, byte by byte where both have the same layout.
    package func differs(from other: DetachedRecord, at position: Int) throws -> Bool {
        guard layout === other.layout, let slot = slot(position) else {
            return try value(position) != other.value(position)
        }
        let recordLayout = layout.layout
        let view = try RecordView(bytes.span.bytes, layout: recordLayout)
        return try !view.fieldBytesEqual(slot, RecordView(other.bytes.span.bytes, layout: recordLayout), slot)
    }

    /// The record with a long value at hand.
    package func replacing(_ position: Int, by value: Value) -> DetachedRecord {
        var record = self
        record.longValues = [position: value]
        return record
    }

    /// The slot of the property at a position in `entity.properties`; nil where the record was written without it.
    private func slot(_ position: Int) -> Int? {
        guard layout.slots.indices.contains(position), layout.slots[position] >= 0 else { return nil }
        return layout.slots[position]
    }

    private func initialValue(_ position: Int) -> Value {
        layout.initialValues.indices.contains(position) ? layout.initialValues[position] : .null
    }

    private func read<R>(_ slot: Int, _ body: (RecordView) throws -> R) throws -> R? {
        let recordLayout = layout.layout
        let view = try RecordView(bytes.span.bytes, layout: recordLayout)
        return try view.isNull(slot) ? nil : body(view)
    }
}

/// Fields by the position of the property in `entity.properties`; nil where the property is nil. A type that is not the
/// property's throws `typeMismatch`.
extension DetachedRecord {
    package func bool(_ position: Int) throws -> Bool? {
        guard let slot = slot(position) else {
            guard case .bool(let value) = initialValue(position) else { return nil }
            return value
        }
        return try read(slot) { try $0.bool(slot) }
    }

    /// A signed integer of any width.
    package func int64(_ position: Int) throws -> Int64? {
        guard let slot = slot(position) else {
            guard case .int(let value) = initialValue(position) else { return nil }
            return value
        }
        return try read(slot) { try $0.int64(slot) }
    }

    /// An unsigned integer of any width.
    package func uint64(_ position: Int) throws -> UInt64? {
        guard let slot = slot(position) else {
            guard case .uint(let value) = initialValue(position) else { return nil }
            return value
        }
        return try read(slot) { try $0.uint64(slot) }
    }

    package func float(_ position: Int) throws -> Float? {
        guard let slot = slot(position) else {
            guard case .float(let value) = initialValue(position) else { return nil }
            return value
        }
        return try read(slot) { try $0.float(slot) }
    }

    /// A Double, or a Date as its seconds.
    package func double(_ position: Int) throws -> Double? {
        guard let slot = slot(position) else {
            switch initialValue(position) {
            case .double(let value): return value
            case .date(let value): return value.seconds
            default: return nil
            }
        }
        return try read(slot) { try $0.double(slot) }
    }

    /// A string. Long ones throw `longValueNotLoaded`.
    package func string(_ position: Int) throws -> String? {
        if let slot = slot(position) {
            let text = try read(slot) { view in
                try view.inlineText(slot)?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            if case .some(.some(let text)) = text { return text }
        }
        guard case .string(let value) = try value(position) else { return nil }
        return value
    }

    /// The value of any property. Long ones throw `longValueNotLoaded`.
    package func value(_ position: Int) throws -> Value {
        if let value = longValues?[position] { return value }
        guard let slot = slot(position) else { return initialValue(position) }
        return try read(slot) { try $0.value(slot) } ?? .null
    }
}
