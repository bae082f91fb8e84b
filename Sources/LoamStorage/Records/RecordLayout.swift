/// How the fields of one entity lie in its records, at one moment of the schema's life.
///
/// A record is, in this order and without padding, everything little endian:
///
/// 1. the header, see ``RecordHeader``: 26 bytes
/// 2. the null bitmap: bit `slot % 8` of byte `slot / 8` is 1 when the field is nil; unused bits are 0
/// 3. the fixed-width fields in slot order, each of ``ValueType/fixedWidth`` bytes, zeros when nil. Integers in two's
///    complement, Float and Double in IEEE 754, a Date as its seconds (Double), a Bool as 0 or 1, a UUID as its bytes
/// 4. the offset table: 4 bytes per variable field in slot order: the field's end, counted from the first byte after
///    the table (30 bits), bit 30 *plain* (a string in ASCII without CR), bit 31 *external*
/// 5. the variable fields, without gaps, to the record's last byte: strings and URLs in UTF-8, Data raw, Decimal as in
///    ``DecimalParts``, arrays, dictionaries and structures as in ``CompositeTag``. An external field (longer than
///    16 KiB) keeps 8 bytes length and 8 bytes ``Checksum`` (seed 0) of the long value here
///
/// Where 2, 3, 4 and 5 start depends on the layout alone. A layout never changes: another set of properties is another
/// layout with another id, and old records are read through theirs.
package final class RecordLayout: Sendable {
    /// A layout as the catalog keeps it.
    package struct Description: Hashable, Sendable, Codable {
        package var id: LayoutID
        package var entity: EntityID
        package var fields: [Field]

        package init(id: LayoutID, entity: EntityID, fields: [Field]) {
            self.id = id
            self.entity = entity
            self.fields = fields
        }
    }

    /// A field of a layout; its position in ``RecordLayout/fields`` is its *slot*.
    package struct Field: Hashable, Sendable, Codable {
        package var property: PropertyID
        package var type: ValueType
        package var isOptional: Bool

        package init(property: PropertyID, type: ValueType, isOptional: Bool) {
            self.property = property
            self.type = type
            self.isOptional = isOptional
        }
    }

    package let description: Description
    /// The names that errors use; they play no part in the format.
    private let entityName: String?
    private let propertyNames: [PropertyID: String]
    private let slots: [PropertyID: Int]

    /// One place per slot, allocated once and never written again.
    nonisolated(unsafe) let places: UnsafeMutablePointer<FieldPlace>
    /// What views read of the layout: allocated once, never written again.
    nonisolated(unsafe) let frame: UnsafeMutablePointer<RecordFrame>
    /// Header, bitmap (every field nil), zeroed fixed fields and offset table: what a writer starts with.
    let template: [UInt8]
    /// Per byte of the bitmap, the bits of fields that may not be nil.
    let requiredBits: [UInt8]
    let tableStart: Int
    let variableCount: Int
    /// The offset of the first variable byte, and the least length of a record.
    let variableStart: Int

    /// The most fields of a layout; keeps every offset within 30 bits.
    package static let maximumFieldCount = 32_768

    package let id: LayoutID
    package let entity: EntityID
    package var fields: [Field] { description.fields }
    let slotCount: Int32

    /// Compiles a description. O(fields). Throws `invalidSchema` when a property occurs twice, there are too many, or a
    /// composite type is nested too deeply or names a member twice.
    package init(
        _ description: Description, entityName: String? = nil, propertyNames: [PropertyID: String] = [:]
    ) throws {
        let fields = description.fields
        guard fields.count <= Self.maximumFieldCount else {
            throw StorageError(.invalidSchema("an entity has too many properties"), entity: entityName)
        }
        var slots: [PropertyID: Int] = [:]
        var places: [FieldPlace] = []
        var required = [UInt8](repeating: 0, count: (fields.count + 7) / 8)
        var bitmap = required
        var offset = RecordHeader.byteCount + required.count
        var ordinal = 0
        for (slot, field) in fields.enumerated() {
            try field.type.checkComposite(depth: 0)
            guard slots.updateValue(slot, forKey: field.property) == nil else {
                throw StorageError(
                    .invalidSchema("a property occurs twice"), entity: entityName,
                    property: propertyNames[field.property])
            }
            let width = field.type.fixedWidth ?? 0
            places.append(
                FieldPlace(
                    offset: UInt32(width == 0 ? ordinal : offset), width: UInt8(width), kind: FieldKind(field.type),
                    isOptional: field.isOptional))
            if width == 0 { ordinal += 1 } else { offset += width }
            bitmap[slot / 8] |= 1 << UInt8(slot % 8)
            if !field.isOptional { required[slot / 8] |= 1 << UInt8(slot % 8) }
        }
        self.description = description
        id = description.id
        entity = description.entity
        slotCount = Int32(fields.count)
        self.entityName = entityName
        self.propertyNames = propertyNames
        self.slots = slots
        self.places = .allocate(capacity: max(places.count, 1))
        self.places.initialize(from: places, count: places.count)
        requiredBits = required
        tableStart = offset
        variableCount = ordinal
        variableStart = offset + 4 * ordinal
        template = Self.template(description, bitmap: bitmap, byteCount: variableStart)
        frame = .allocate(capacity: 1)
        frame.initialize(
            to: RecordFrame(
                places: self.places, slotCount: UInt32(fields.count), id: id, entity: entity,
                tableStart: UInt32(tableStart), variableStart: UInt32(variableStart), variableCount: UInt32(ordinal),
                layout: .passUnretained(self)))
    }

    deinit {
        frame.deallocate()
        places.deallocate()
    }

    /// The slot of a property; nil when the layout does not have it. O(1).
    package func slot(of property: PropertyID) -> Int? { slots[property] }

    private static func template(_ description: Description, bitmap: [UInt8], byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: RecordHeader.byteCount)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: description.id.littleEndian, toByteOffset: RecordHeader.layoutOffset, as: UInt32.self)
            $0.storeBytes(of: description.entity.littleEndian, toByteOffset: RecordHeader.entityOffset, as: UInt32.self)
        }
        return bytes + bitmap + [UInt8](repeating: 0, count: byteCount - bytes.count - bitmap.count)
    }

    /// An error about a slot, with the names that the layout knows; a property without a name is given by number.
    func error(_ kind: StorageError.Kind, slot: Int) -> StorageError {
        let property = fields.indices.contains(slot) ? fields[slot].property : nil
        return StorageError(
            kind, entity: entityName, property: property.map { propertyNames[$0] ?? "number \($0)" } ?? "slot \(slot)")
    }

    /// Puts the slot's names into an error that was thrown without them.
    func naming(_ error: any Error, slot: Int) -> any Error {
        guard var named = error as? StorageError else { return error }
        let place = self.error(named.kind, slot: slot)
        named.entity = named.entity ?? place.entity
        named.property = [place.property, named.property].compactMap { $0 }.joined(separator: ".")
        return named
    }
}

/// The numbers of a layout that every access to a record needs, side by side.
struct RecordFrame {
    let places: UnsafeMutablePointer<FieldPlace>
    let slotCount: UInt32
    let id: UInt32
    let entity: UInt32
    let tableStart: UInt32
    let variableStart: UInt32
    let variableCount: UInt32
    /// Holds this.
    let layout: Unmanaged<RecordLayout>

    init(
        places: UnsafeMutablePointer<FieldPlace>, slotCount: UInt32, id: LayoutID, entity: EntityID,
        tableStart: UInt32, variableStart: UInt32, variableCount: UInt32, layout: Unmanaged<RecordLayout>
    ) {
        self.places = places
        self.slotCount = slotCount
        self.id = id
        self.entity = entity
        self.tableStart = tableStart
        self.variableStart = variableStart
        self.variableCount = variableCount
        self.layout = layout
    }
}

extension ValueType {
    /// Throws `invalidSchema` when composites are nested too deeply or a structure names a member twice.
    fileprivate func checkComposite(depth: Int) throws {
        guard depth <= CompositeTag.maximumDepth else {
            throw StorageError(.invalidSchema("a type is nested more than \(CompositeTag.maximumDepth) deep"))
        }
        switch self {
        case .array(let element, _): try element.checkComposite(depth: depth + 1)
        case .dictionary(let key, let value, _):
            try key.checkComposite(depth: depth + 1)
            try value.checkComposite(depth: depth + 1)
        case .structure(let members):
            guard Set(members.map(\.name)).count == members.count else {
                throw StorageError(.invalidSchema("a structure names a member twice"))
            }
            for member in members { try member.type.checkComposite(depth: depth + 1) }
        default: break
        }
    }
}
