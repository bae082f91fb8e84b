/// Builds records from values, and from older records with some fields changed.
///
/// Records come out unsealed: save number and checksum are 0 until
/// ``RecordHeader/seal(_:save:rowID:entity:)-(Array<UInt8>,_,_,_)``. Equal values give equal bytes. A builder keeps its
/// buffer; use one for many records.
package struct RecordBuilder: ~Copyable {
    package let layout: RecordLayout
    private var writer = RecordWriter()

    package init(_ layout: RecordLayout) {
        self.layout = layout
    }

    /// Replaces the bytes of `record` by those of a record with these values, in slot order, and returns the values
    /// that are to be stored outside it. O(bytes). Throws `typeMismatch`, `missingValue` and `valueTooDeep` with the
    /// property (and the member inside it) that is wrong; `typeMismatch` when the count of values is.
    @discardableResult
    package mutating func encode(_ values: [Value], into record: inout [UInt8]) throws -> [LongValue] {
        guard values.count == layout.fields.count else {
            throw StorageError(
                .typeMismatch(expected: "\(layout.fields.count) values", found: "\(values.count) values"))
        }
        writer.begin(layout)
        for (slot, value) in values.enumerated() where !value.isNull { try writer.set(value: value, at: slot) }
        try writer.finish(into: &record)
        return writer.longValues
    }

    /// A record like the old one, of this builder's layout, with some fields changed; the others' bytes are copied
    /// without decoding. The last of several changes to a slot counts. Returns the changed values that are to be stored
    /// outside the record; unchanged long values stay as they are. O(bytes). Throws as ``encode(_:into:)``.
    ///
    /// An old record of another layout needs the mapping from its layout to this one.
    @discardableResult
    package mutating func merge(
        _ old: borrowing RecordView, changes: [(slot: Int, value: Value)], mapping: RecordMapping? = nil,
        into record: inout [UInt8]
    ) throws -> [LongValue] {
        var changed = FieldMask()
        for change in changes {
            try check(change.slot)
            changed.insert(change.slot)
        }
        try carry(old, except: changed, mapping: mapping)
        for change in changes { try writer.set(value: change.value, at: change.slot) }
        try writer.finish(into: &record)
        return writer.longValues
    }

    /// A record like the old one, with the fields of the mask taken from another record of this builder's layout;
    /// nothing is decoded. Long values of both are kept as length and hash. O(bytes).
    ///
    /// - Throws: `damagedRecord` where a record is of another layout than it should be, or its bytes are impossible;
    ///   `missingValue` where a field of the result is nil and must not be. `record` is then as it was.
    package mutating func merge(
        _ old: borrowing RecordView, masked: FieldMask, of changed: borrowing RecordView,
        mapping: RecordMapping? = nil, into record: inout [UInt8]
    ) throws {
        try checkLayout(changed)
        try carry(old, except: masked, mapping: mapping)
        for slot in masked.slots {
            try check(slot)
            try writer.copy(slot, from: changed, otherSlot: slot)
        }
        try writer.finish(into: &record)
    }

    /// Begins a record with all fields of an old one; those of the mask are about to be set and may be anything.
    private mutating func carry(_ old: borrowing RecordView, except mask: FieldMask, mapping: RecordMapping?) throws {
        guard let mapping, mapping.old !== mapping.new else {
            try checkLayout(old)
            return try writer.begin(copying: old)
        }
        guard mapping.old === old.layout, mapping.new === layout else {
            throw StorageError(.damagedRecord("it is of another layout"))
        }
        writer.begin(layout)
        for slot in layout.fields.indices where !mask.contains(slot) {
            try mapping.carry(slot, from: old, into: &writer)
        }
    }

    private func checkLayout(_ view: borrowing RecordView) throws {
        guard view.layout === layout else { throw StorageError(.damagedRecord("it is of another layout")) }
    }

    private func check(_ slot: Int) throws {
        guard layout.fields.indices.contains(slot) else { throw layout.error(.unknownProperty, slot: slot) }
    }
}

extension RecordBuilder {
    /// ``merge(_:changes:mapping:into:)`` once, within the old record's layout.
    ///
    /// - Throws: as ``merge(_:changes:mapping:into:)``.
    @discardableResult
    package static func merge(
        old: borrowing RecordView, changes: [(slot: Int, value: Value)], into record: inout [UInt8]
    ) throws -> [LongValue] {
        var builder = RecordBuilder(old.layout)
        return try builder.merge(old, changes: changes, into: &record)
    }
}
