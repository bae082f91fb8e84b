/// A record borrowed from a snapshot: its fields by the position of the property in `entity.properties`.
///
/// It lives as long as the closure that it is handed to. Reading a fixed-width field costs a few nanoseconds;
/// nothing is decoded that is not asked for.
package struct StoredRow: ~Escapable, BitwiseCopyable {
    package let rowID: RowID
    package let view: RecordView
    let frame: RowFrame

    @_lifetime(copy view)
    init(rowID: RowID, view: RecordView, frame: RowFrame) {
        self.rowID = rowID
        self.view = view
        self.frame = frame
    }

    var access: EntityAccess { frame.access.takeUnretainedValue() }
    private var layout: LayoutAccess { frame.layout.takeUnretainedValue() }
    private var snapshot: Snapshot { frame.snapshot.takeUnretainedValue() }

    package var entity: Entity { access.entity }

    /// The slot of the property in this record; nil where the record was written before the property was added, or was
    /// what it is now: ``olderValue(_:)`` is what it reads then.
    @inline(__always)
    func slot(_ property: Int) -> Int? {
        guard UInt(bitPattern: property) < frame.slotCount else { return nil }
        let slot = frame.slots[property]
        if slot >= 0 { return Int(slot) }
        return slot == -1 ? nil : layout.olderSlot(property, in: view)
    }

    /// What the record reads for a property for which it has no slot.
    func olderValue(_ property: Int) throws -> Value { try layout.value(property, in: view, of: rowID) }

    /// Whether the property is nil in this row.
    ///
    /// - Throws: `damagedRecord` where the field's bytes are impossible and they have to be looked at.
    package func isNull(_ property: Int) throws -> Bool {
        guard let slot = slot(property) else { return try olderValue(property).isNull }
        return try view.isNull(slot)
    }

    /// Whether the property's value is a long one, which lies outside of the record.
    ///
    /// - Throws: `damagedRecord` where what the record says of it is impossible.
    package func isLong(_ property: Int) throws -> Bool {
        // What is read as another type than it was written as lies in the record.
        try slot(property).map { try view.isExternal($0) } ?? false
    }

    /// The property's value; long values are read from their chunks.
    ///
    /// - Throws: `damagedRecord` where the field's bytes are impossible, `damagedLongValue` where a value outside of
    ///   the record is.
    package func value(_ property: Int) throws -> Value {
        guard let slot = slot(property) else { return try olderValue(property) }
        if try view.isExternal(slot) { return try snapshot.longValue(of: self, property: property, slot: slot) }
        return try view.value(slot)
    }

    /// The value at the end of a path of member names below a structured property; nil members end it with nil.
    ///
    /// - Parameter kind: of the value.
    /// - Throws: `typeMismatch` where the path leads through a value without members, `damagedRecord` where the
    ///   field's bytes are impossible, or those of a value of another kind, `damagedLongValue`.
    package func nestedValue(_ property: Int, path: [String], of kind: FieldKind) throws -> Value {
        guard !path.isEmpty else { return try value(property) }
        let value: Value
        if let slot = slot(property), try !view.isExternal(slot) {
            value = try view.nestedValue(slot, path: path)
        } else {
            value = try self.value(property).member(at: path)
        }
        guard kind.takes(value) else {
            var error = FieldKind.memberOfOtherType
            (error.entity, error.property) = (entity.name, entity.properties[property].name)
            throw error
        }
        return value
    }

    /// All values, in the order of `entity.properties`. O(bytes of the record and of its long values).
    ///
    /// - Throws: `damagedRecord` where the field's bytes are impossible, `damagedLongValue` where a value outside of
    ///   the record is.
    package func values() throws -> [Value] {
        try entity.properties.indices.map { try value($0) }
    }
}

/// What the rows of one layout have in common while a snapshot reads them.
///
/// Nothing is retained: whoever makes one holds the snapshot, which holds the rest.
struct RowFrame: BitwiseCopyable {
    let access: Unmanaged<EntityAccess>
    let layout: Unmanaged<LayoutAccess>
    let snapshot: Unmanaged<Snapshot>
    /// For each position in `entity.properties` the field's slot, or -1 where the layout has none.
    let slots: UnsafeMutablePointer<Int32>
    let slotCount: UInt32
    /// How the layout's records are read.
    let record: UnsafeMutablePointer<RecordFrame>

    init(_ layout: LayoutAccess, of access: EntityAccess, in snapshot: Snapshot) {
        self.access = .passUnretained(access)
        self.layout = .passUnretained(layout)
        self.snapshot = .passUnretained(snapshot)
        slots = layout.slotTable
        slotCount = UInt32(layout.slots.count)
        record = layout.layout.frame
    }
}

extension Value {
    /// The value at the end of a path of member names; nil where something on the way is nil or absent.
    package func member(at path: [String]) -> Value {
        var value = self
        for name in path {
            guard case .structure(let members) = value else { return .null }
            value = members[name] ?? .null
        }
        return value
    }
}
