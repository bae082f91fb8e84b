/// A relationship of a dump: its definition, and where it is kept.
package struct DumpRelationship: Hashable, Sendable, Codable {
    package enum Storage: String, Hashable, Sendable, Codable {
        /// A to-one in the rows' values, under its name.
        case reference
        /// A to-one in the rows' values, with its place among rows of the same target under `<name>.position`.
        case orderedReference
        /// The other side of a reference; it keeps nothing.
        case inverse
        /// Links, as lines of their own after all rows.
        case links
        /// The other side of links; it keeps nothing.
        case inverseLinks
    }

    package var name: String
    package var destination: String
    package var toMany: Bool
    package var optional: Bool
    package var deleteRule: DeleteRule
    package var inverse: String?
    package var minimum: Int
    package var maximum: Int
    package var storage: Storage
    /// The number of lines with links; nil for relationships without such lines.
    package var links: Int?
    /// Names that older models know it by; nil without any.
    package var formerNames: [String]?
}

/// A link of a dump.
package struct DumpLink: Hashable, Sendable {
    /// The positions of the entity in the header and of the relationship in the entity.
    package var entity: Int
    package var relationship: Int
    package var source: RowID
    package var destination: RowID
    /// The link's place among those of its source and among those of its destination.
    package var positions: (Int64, Int64) { (position, otherPosition) }
    var position: Int64
    var otherPosition: Int64

    var precedence: [UInt64] {
        [UInt64(entity), UInt64(relationship), source, UInt64(bitPattern: position) ^ 1 << 63, destination]
    }
}

extension DumpRelationship {
    init?(_ relationship: Relationship, in schema: Schema, links: Int?) {
        guard let destination = schema.entity(withID: relationship.destination) else { return nil }
        name = relationship.name
        self.destination = destination.name
        toMany = relationship.isToMany
        optional = relationship.isOptional
        deleteRule = relationship.deleteRule
        inverse = relationship.inverse.flatMap { destination.relationship(withID: $0)?.name }
        minimum = relationship.minimumCount
        maximum = relationship.maximumCount
        storage =
            switch relationship.storage {
            case .reference(_, let position, _): position == nil ? .reference : .orderedReference
            case .inverseOfReference: .inverse
            case .links(_, let isForward): isForward ? .links : .inverseLinks
            }
        self.links = storage == .links ? links ?? 0 : nil
        formerNames = relationship.formerNames
    }

    /// The plan by which the catalog makes a relationship like this one.
    var planned: PlannedRelationship {
        let definition = RelationshipDefinition(
            name, to: destination, isToMany: toMany, isOptional: optional, deleteRule: deleteRule, inverse: inverse,
            minimumCount: minimum, maximumCount: maximum, formerNames: formerNames ?? [])
        let kind: PlannedRelationship.Storage =
            switch storage {
            case .reference: .reference(hasPosition: false)
            case .orderedReference: .reference(hasPosition: true)
            case .inverse: .inverseOfReference
            case .links: .links(isForward: true)
            case .inverseLinks: .links(isForward: false)
            }
        return PlannedRelationship(definition: definition, storage: kind)
    }
}

extension DumpEntity {
    /// The positions of the header's properties among the entity's: attributes first, then those of each relationship.
    static func positions(of entity: Entity, _ relationships: [Relationship]) -> [Int] {
        let attributes = entity.properties.indices.filter { entity.properties[$0].role == .attribute }
        let kept = relationships.flatMap { [$0.referenceProperty, $0.positionProperty] }.compactMap { $0 }
        return attributes + kept.compactMap { id in entity.properties.firstIndex { $0.id == id } }
    }

    /// The properties in which relationships keep references and positions, as the header of a dump must list them.
    var keptProperties: [DumpProperty] {
        (relationships ?? []).flatMap { relationship -> [DumpProperty] in
            let reference = DumpProperty(name: relationship.name, type: .uint64, optional: relationship.optional)
            let position = DumpProperty(
                name: CatalogDocument.positionName(of: relationship.name), type: .int64, optional: true)
            return switch relationship.storage {
            case .reference: [reference]
            case .orderedReference: [reference, position]
            case .inverse, .links, .inverseLinks: []
            }
        }
    }
}
