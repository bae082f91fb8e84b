/// How an entity's current properties are found in records of one layout, the current one or an older.
///
/// A property may have been another one when a record was written: of a narrower type, or one that could be nil. Such a
/// record reads what the property is now, and nothing above this has to know.
final class LayoutAccess: Sendable {
    let layout: RecordLayout
    /// For each position in `entity.properties` the slot of a field of the property's type, or -1. Where there is none,
    /// ``value(_:in:of:)`` gives what is read.
    let slots: [Int]
    /// For each position the slot of a field that is read like one of the property's type; -1 without one, -2 where
    /// the record decides, see ``olderSlot(_:in:)``. For the hot loops: allocated once, never written again.
    nonisolated(unsafe) let slotTable: UnsafeMutablePointer<Int32>
    /// For each position the value that is read where the layout has no field.
    private let initialValues: [Value]
    /// Fields that are not read like ones of their property's type, by position.
    private let olderFields: [Int: OlderField]
    /// For each property that keeps a relationship's order and that the layout lacks, by its position: the slot of the
    /// relationship's reference, which the layout has.
    private let referenceSlots: [Int: Int]
    /// Positions of required properties whose field can be nil.
    private let requiredSince: [Int]
    /// Positions of optional properties whose field cannot be nil.
    private let optionalSince: [Int]

    /// What a property's field was, where it has to be brought to what the property is.
    private struct OlderField {
        let slot: Int
        let type: ValueType
        /// Whether its bytes are read as they are, unless it is nil.
        let isDirect: Bool
        let nilValue: Value
    }

    /// - Throws: what is wrong with the values that the catalog keeps.
    init(_ layout: RecordLayout, of entity: Entity, in document: CatalogDocument) throws {
        self.layout = layout
        var olderFields: [Int: OlderField] = [:]
        var referenceSlots: [Int: Int] = [:]
        var initialValues: [Value] = []
        var (slots, readSlots): ([Int], [Int32]) = ([], [])
        var (requiredSince, optionalSince): ([Int], [Int]) = ([], [])
        for (position, property) in entity.properties.enumerated() {
            let nilValue = try document.nilValue(of: property.id, in: layout.id)
            initialValues.append(try document.initialValue(of: property.id) ?? nilValue ?? .null)
            guard let slot = layout.slot(of: property.id) else {
                slots.append(-1)
                readSlots.append(-1)
                if case .position(let relationship) = property.role {
                    let reference = entity.properties.first { $0.role == .reference(relationship) }
                    referenceSlots[position] = reference.flatMap { layout.slot(of: $0.id) }
                }
                continue
            }
            let field = layout.fields[slot]
            let replacesNil = field.isOptional && nilValue != nil
            let isDirect = field.type.isRead(like: property.type)
            slots.append(field.type == property.type && !replacesNil ? slot : -1)
            readSlots.append(isDirect && !replacesNil ? Int32(truncatingIfNeeded: slot) : -2)
            if !isDirect || replacesNil {
                olderFields[position] = OlderField(
                    slot: slot, type: property.type, isDirect: isDirect, nilValue: nilValue ?? .null)
            }
            if field.isOptional, !property.isOptional { requiredSince.append(position) }
            if !field.isOptional, property.isOptional { optionalSince.append(position) }
        }
        self.slots = slots
        self.initialValues = initialValues
        self.olderFields = olderFields
        self.referenceSlots = referenceSlots
        (self.requiredSince, self.optionalSince) = (requiredSince, optionalSince)
        slotTable = .allocate(capacity: max(slots.count, 1))
        slotTable.initialize(from: readSlots, count: readSlots.count)
    }

    deinit {
        slotTable.deallocate()
    }

    /// The slot of a field that reads, in this record, as what the property is now; nil where ``value(_:in:of:)`` is
    /// what the record reads.
    @inline(__always)
    func slot(_ position: Int, in view: RecordView) -> Int? {
        guard slots.indices.contains(position) else { return nil }
        let slot = slotTable[position]
        return slot >= 0 ? Int(slot) : slot == -1 ? nil : olderSlot(position, in: view)
    }

    /// The slot of a field where ``slotTable`` has -2, so that the record decides; nil where ``value(_:in:of:)`` is
    /// what the record reads.
    @inline(never)
    func olderSlot(_ position: Int, in view: RecordView) -> Int? {
        // What keeps it from being known whether the field is nil keeps it from being read, and is thrown then.
        guard let field = olderFields[position], field.isDirect, (try? view.isNull(field.slot)) != true else {
            return nil
        }
        return field.slot
    }

    /// What a record reads for a property of which ``slot(_:in:)`` gives no slot: the field's value as one of the type
    /// that the property has by now, or what stands for a field that is nil or was not there.
    ///
    /// A reference that was made before it had an order stands where its row's id puts it.
    @inline(never)
    func value(_ position: Int, in view: RecordView, of row: RowID) throws -> Value {
        guard let field = olderFields[position] else {
            guard let reference = referenceSlots[position] else { return initialValue(position) }
            return try view.isNull(reference) ? .null : .int(Self.impliedPosition(of: row))
        }
        let value = try view.value(field.slot)
        return value.isNull ? field.nilValue : value.widened(to: field.type)
    }

    /// Where a row stands that was made before there was an order: apart, so that others find room between.
    static func impliedPosition(of row: RowID) -> Int64 {
        row < 1 << 46 ? Int64(row) << 16 : Int64(clamping: row)
    }

    /// What records of a layout without the property read for it.
    func initialValue(_ position: Int) -> Value {
        initialValues.indices.contains(position) ? initialValues[position] : .null
    }

    /// Whether a record's value of a property is nil.
    func isNull(_ position: Int, in view: RecordView, of row: RowID) throws -> Bool {
        guard let slot = slot(position, in: view) else { return try value(position, in: view, of: row).isNull }
        return try view.isNull(slot)
    }

    /// Whether every record of the layout has all values that are required by now.
    var hasRequiredValues: Bool { requiredSince.isEmpty }

    /// The position of a required property that a record has nil for. Where there is one, the record was made when that
    /// was allowed, and no row may come into being with it.
    func missingValue(of entity: Entity, in view: RecordView) throws -> Int? {
        try requiredSince.first { position in
            try layout.slot(of: entity.properties[position].id).map { try view.isNull($0) } ?? false
        }
    }

    /// Whether an optional property can be made nil in a record of the layout.
    func canBeNil(_ position: Int) -> Bool { !optionalSince.contains(position) }
}

extension ValueType {
    /// Whether the fields of a record are read in the same way: integers are kept in as many bytes as they need,
    /// whatever their type's width.
    fileprivate func isRead(like other: ValueType) -> Bool {
        self == other || isSignedInteger && other.isSignedInteger || isUnsignedInteger && other.isUnsignedInteger
    }
}
