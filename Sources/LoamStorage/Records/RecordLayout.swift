/// How the fields of one entity lie in its records, at one moment of the schema's life.
///
/// A record is, in this order and without padding, everything little endian:
///
/// 1. the header, see ``RecordHeader``: 13 bytes
/// 2. bits, the first in the low bit of the first byte: one for each optional field (1: nil), then one for each Bool
///    (its value), then one for each string (1: *plain*, ASCII without CR). Those of nil fields and unused ones are 0
/// 3. the width table: 4 bits for each integer field, see ``IntegerWidths``; unused ones are 0
/// 4. the wide fields: Float and Double in IEEE 754, a Date as its seconds (Double), a UUID as its bytes; zeros when
///   nil
/// 5. the offset table: where each variable field ends, counted from the record's start, in 1, 2 or 4 bytes each, see
///    ``RecordFlags``. Where a flag says so, one bit for each variable field follows (1: *external*)
/// 6. the integers: signed ones in the fewest bytes of two's complement, unsigned ones in the fewest bytes; zero and
///    nil in none
/// 7. the variable fields, to the record's last byte: strings and URLs in UTF-8, Data raw, Decimal as in
///    ``DecimalParts``, arrays, dictionaries and structures as in ``CompositeTag``. An external field (longer than
///    16 KiB) keeps 8 bytes length and 8 bytes ``Checksum`` (seed 0) of the long value here
///
/// Each part has its fields in slot order. Where 2, 3, 4 and 5 start depends on the layout alone. A layout never
/// changes: another set of properties is another layout with another id, and old records are read through theirs.
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

    /// Where the fields lie in a record: one location per slot, allocated once and never written again.
    nonisolated(unsafe) let locations: UnsafeMutablePointer<FieldLocation>
    /// What views read of the layout: allocated once, never written again.
    nonisolated(unsafe) let frame: UnsafeMutablePointer<RecordFrame>
    let sections: RecordSections
    /// How a writer keeps the parts of a record, and what it starts with: every field nil.
    let staging: RecordStaging
    let template: [UInt8]
    /// The locations of the fields in the staging: one per slot, allocated once and never written again.
    nonisolated(unsafe) let stagingLocations: UnsafeMutablePointer<FieldLocation>

    /// The most fields of a layout; keeps every offset within 30 bits.
    package static let maximumFieldCount = 32_768

    package let id: LayoutID
    package let entity: EntityID
    package var fields: [Field] { description.fields }
    var variableCount: Int { sections.variableCount }

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
        for (slot, field) in fields.enumerated() {
            try field.type.checkComposite(depth: 0)
            guard slots.updateValue(slot, forKey: field.property) == nil else {
                throw StorageError(
                    .invalidSchema("a property occurs twice"), entity: entityName,
                    property: propertyNames[field.property])
            }
        }
        self.description = description
        id = description.id
        entity = description.entity
        self.entityName = entityName
        self.propertyNames = propertyNames
        self.slots = slots
        let sections = RecordSections(fields)
        self.sections = sections
        let locations = sections.locations(of: fields)
        self.locations = Self.allocate(locations)
        staging = RecordStaging(sections, slotCount: fields.count)
        let stagingLocations = staging.locations(of: locations, sections)
        self.stagingLocations = Self.allocate(stagingLocations)
        template = staging.template(description, locations: stagingLocations)
        frame = .allocate(capacity: 1)
        frame.initialize(
            to: RecordFrame(
                locations: self.locations, slotCount: UInt32(fields.count), id: id, entity: entity, sections: sections,
                layout: .passUnretained(self)))
    }

    deinit {
        frame.deallocate()
        locations.deallocate()
        stagingLocations.deallocate()
    }

    private static func allocate(_ locations: [FieldLocation]) -> UnsafeMutablePointer<FieldLocation> {
        let memory = UnsafeMutablePointer<FieldLocation>.allocate(capacity: max(locations.count, 1))
        memory.initialize(from: locations, count: locations.count)
        return memory
    }

    /// The slot of a property; nil when the layout does not have it. O(1).
    package func slot(of property: PropertyID) -> Int? { slots[property] }

    /// An error about a slot, with the names that the layout knows; a property without a name is given by number.
    func error(_ kind: StorageError.Kind, slot: Int) -> StorageError {
        let property = fields.indices.contains(slot) ? fields[slot].property : nil
        return StorageError(
            kind, entity: entityName, property: property.map { propertyNames[$0] ?? "number \($0)" } ?? "slot \(slot)")
    }

    /// Puts the slot's names into an error that was thrown without them.
    func naming(_ error: any Error, slot: Int) -> any Error {
        guard var named = error as? StorageError else { return error }
        let context = self.error(named.kind, slot: slot)
        named.entity = named.entity ?? context.entity
        named.property = [context.property, named.property].compactMap { $0 }.joined(separator: ".")
        return named
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
