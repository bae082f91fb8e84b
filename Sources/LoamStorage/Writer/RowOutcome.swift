import LMDB

/// What a batch does to one row, decided against what is stored: everything that applying it needs.
///
/// Each belongs to one attempt to save one batch, on the writer's thread.
final class RowOutcome {
    let access: EntityAccess
    let rowID: RowID
    /// The row as stored, with the long values that indexes use.
    let old: RowImage?
    /// The row as it will be, sealed when it is applied.
    var new: RowImage?
    /// The positions in `entity.properties` of the fields that change.
    var changed: FieldMask
    /// Long values to write, and those to delete first.
    var longValues: [EncodedRecord.LongValue]
    var droppedLongValues: [PropertyID]
    /// Whether only its position was renumbered, which does not count as a change.
    var isQuiet = false
    /// Whether a deleted row is written again: what it referred to may have gone since.
    var isRevived = false

    init(
        access: EntityAccess, rowID: RowID, old: RowImage?, new: RowImage?, changed: FieldMask,
        longValues: [EncodedRecord.LongValue], droppedLongValues: [PropertyID]
    ) {
        self.access = access
        self.rowID = rowID
        self.old = old
        self.new = new
        self.changed = changed
        self.longValues = longValues
        self.droppedLongValues = droppedLongValues
    }

    static func deletion(of stored: RowImage) throws -> RowOutcome {
        RowOutcome(
            access: stored.access, rowID: stored.rowID, old: stored, new: nil,
            changed: stored.access.allFields, longValues: [],
            droppedLongValues: try stored.externalFields().map(\.property))
    }

    /// A stored row as it is, to be changed.
    static func unchanged(_ stored: RowImage) -> RowOutcome {
        RowOutcome(
            access: stored.access, rowID: stored.rowID, old: stored, new: stored, changed: [], longValues: [],
            droppedLongValues: [])
    }

    /// Whether nothing is left to do: the row is as it was, or neither was nor will be.
    var isVoid: Bool { old == nil ? new == nil : new != nil && changed.isEmpty }

    /// Sets a reference (`.uint`) or a position (`.int`) of the row as it will be.
    func set(_ position: Int, to value: Value) throws {
        guard var image = new else { return }
        let bits: UInt64? =
            switch value {
            case .uint(let number): number
            case .int(let number): UInt64(bitPattern: number)
            default: nil
            }
        new = nil
        let isPatched = try image.patch(position, to: bits)
        new = image
        if !isPatched {
            var values = try access.entity.properties.indices.map { try image.value($0) }
            values[position] = value
            try replace(with: values)
        }
        guard let old, let new else { return }
        if try old.value(position) == new.value(position) {
            changed.remove(position)
        } else {
            changed.insert(position)
        }
    }

    /// Encodes the row as it will be anew.
    func replace(with values: [Value]) throws {
        let record = try access.encode(values)
        var image = try RowImage(rowID: rowID, bytes: record.bytes, access: access)
        for long in record.longValues {
            try LongValues.requireAllowed(byteCount: long.bytes.count, row: rowID)
            image.longValues[long.property] = long.bytes
        }
        new = image
        longValues = record.longValues
        droppedLongValues = try old?.externalFields().map(\.property) ?? []
        guard let old else { return }
        changed = try FieldMask(
            access.entity.properties.indices.filter { try old.value($0) != image.value($0) })
    }

    /// Whether the outcome may change an index that is kept up.
    func touches(_ index: IndexAccess) -> Bool {
        index.isMaintained && (old == nil || new == nil || index.dependsOn(changed))
    }
}

/// Decides what each row of a batch becomes. Reads only; nothing is written before every row is decided.
struct OutcomeResolver: ~Copyable {
    let state: WriterState
    let policy: MergePolicy
    /// Told of changes that are left out.
    let dropped: DroppedChanges

    /// What becomes of a row; nil when nothing changes.
    func resolve(_ write: RowWrite, in transaction: borrowing WriteTransaction) throws -> RowOutcome? {
        let access = try state.catalog.access(write.entity)
        guard write.rowID > 0, write.rowID < state.counters.nextRow else {
            throw StorageError(.rowMissing, entity: access.entity.name, rowID: write.rowID)
        }
        guard !access.isHidden(write.rowID) else {
            throw StorageError(.rowMissing, entity: access.entity.name, rowID: write.rowID)
        }
        let stored = try RowImage.read(write.rowID, of: access, in: transaction)
        // What is kept of the record gets a new checksum, so damage must not get past here.
        try stored?.verifyChecksum()
        switch write.change {
        case .insert(let record, _):
            guard stored == nil else {
                throw StorageError(.rowExists, entity: access.entity.name, rowID: write.rowID)
            }
            return try insertion(of: record, access: access, row: write.rowID)
        case .update(let base, let changes):
            guard let stored else {
                return try changeOfDeletedRow(base, changes: changes, access: access, row: write.rowID)
            }
            return try update(of: stored, base: base, changes: changes, access)
        case .delete: return try stored.map(RowOutcome.deletion)
        }
    }

    func insertion(of record: EncodedRecord, access: EntityAccess, row: RowID) throws -> RowOutcome {
        guard record.entity == access.entity.id else {
            throw StorageError(.damagedRecord("it belongs to another entity"), entity: access.entity.name, rowID: row)
        }
        var image = try RowImage(rowID: row, bytes: record.bytes, access: access)
        try image.requireValues()
        for long in record.longValues {
            try LongValues.requireAllowed(byteCount: long.bytes.count, row: row)
            image.longValues[long.property] = long.bytes
        }
        return RowOutcome(
            access: access, rowID: row, old: nil, new: image, changed: access.allFields,
            longValues: record.longValues, droppedLongValues: [])
    }

    /// The stored row with the batch's values, merged under the policy.
    func update(
        of stored: RowImage, base: [UInt8]?, changes: [PropertyID: Value], _ access: EntityAccess
    ) throws -> RowOutcome? {
        let wanted = try byPosition(changes, access: access)
        let accepted = try merge(wanted, into: stored, base: base, access: access)
        let differing = try accepted.filter {
            try stored.value($0.key) != $0.value || isBytewiseOther($0, stored: stored)
        }
        guard !differing.isEmpty else { return nil }
        let record = try encode(differing, into: stored, access: access)
        let outcome = try insertion(of: record, access: access, row: stored.rowID)
        return RowOutcome(
            access: access, rowID: stored.rowID, old: stored, new: outcome.new, changed: FieldMask(differing.keys),
            longValues: record.longValues, droppedLongValues: try stored.externalFields().map(\.property))
    }

    /// The record with some values changed. Where it has the current layout and all its values lie in it, the bytes of
    /// the others are copied.
    private func encode(
        _ changes: [Int: Value], into stored: RowImage, access: EntityAccess
    ) throws -> EncodedRecord {
        guard try stored.layout !== access.current || stored.hasLongValues else {
            return try stored.withView { view in
                try access.encode(changes.map { (slot: access.current.slots[$0.key], value: $0.value) }, into: view)
            }
        }
        var values = try access.entity.properties.indices.map { try stored.value($0) }
        for (position, value) in changes { values[position] = value }
        return try access.encode(values)
    }

    /// Equal values can differ in bytes (`é` composed and decomposed, 0.0 and -0.0): the new bytes are kept.
    private func isBytewiseOther(_ change: (key: Int, value: Value), stored: RowImage) throws -> Bool {
        let type = stored.access.entity.properties[change.key].type
        return try CompositeCodec.encode(change.value, as: type)
            != CompositeCodec.encode(try stored.value(change.key), as: type)
    }

    private func byPosition(_ changes: [PropertyID: Value], access: EntityAccess) throws -> [Int: Value] {
        var result: [Int: Value] = [:]
        for (id, value) in changes { result[try access.position(of: id)] = value }
        return result
    }

    private func merge(
        _ wanted: [Int: Value], into stored: RowImage, base: [UInt8]?, access: EntityAccess
    ) throws -> [Int: Value] {
        guard policy == .storeWins || policy == .error, let base else { return wanted }
        let baseImage = try RowImage(rowID: stored.rowID, bytes: base, access: access)
        guard try stored.save > baseImage.save else { return wanted }
        // Two that both count from 4 to 5 agree on the new value, and yet one of them would be lost.
        let comparesNewValues = policy != .error
        let conflicts = try wanted.filter { position, value in
            let storedValue = try stored.value(position)
            if comparesNewValues && storedValue == value { return false }
            return try !isSame(baseImage, value: storedValue, at: position, in: stored)
        }
        guard policy == .storeWins || conflicts.isEmpty else {
            let fields = conflicts.keys.sorted().map { access.entity.properties[$0].name }
            throw StorageError(.conflict(fields: fields), entity: access.entity.name, rowID: stored.rowID)
        }
        return wanted.filter { conflicts[$0.key] == nil }
    }

    /// Whether the base held the stored value. Long values are compared by the length and hash in the records.
    private func isSame(_ base: RowImage, value: Value, at position: Int, in stored: RowImage) throws -> Bool {
        let areEqual: Bool? = try base.withView { view in
            guard let slot = base.layout.slot(position, in: view), try view.isExternal(slot) else { return nil }
            return try stored.withView { storedView in
                guard let storedSlot = stored.layout.slot(position, in: storedView) else { return false }
                return try storedView.fieldBytesEqual(storedSlot, other: view, otherSlot: slot)
            }
        }
        return try areEqual ?? (base.value(position) == value)
    }

    private func changeOfDeletedRow(
        _ base: [UInt8]?, changes: [PropertyID: Value], access: EntityAccess, row: RowID
    ) throws -> RowOutcome? {
        switch policy {
        case .propertyByProperty, .storeWins:
            dropped.add(row, entity: access.entity.id, isDeleted: true, properties: changes.keys)
            return nil
        case .memoryWins:
            guard let base else { break }
            let image = try RowImage(rowID: row, bytes: base, access: access)
            let wanted = try byPosition(changes, access: access)
            // The long values of the base went with the row.
            let lost = Set(try image.externalFields().map(\.property))
            let values = try access.entity.properties.enumerated().map { position, property in
                if let value = wanted[position] { return value }
                guard !lost.contains(property.id) else {
                    throw StorageError(
                        .rowMissing, entity: access.entity.name, property: property.name, rowID: row)
                }
                return try image.value(position)
            }
            let outcome = try insertion(of: try access.encode(values), access: access, row: row)
            outcome.isRevived = true
            return outcome
        case .error: break
        }
        throw StorageError(.rowMissing, entity: access.entity.name, rowID: row)
    }
}
