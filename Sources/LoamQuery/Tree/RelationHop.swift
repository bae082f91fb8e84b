package import LoamStorage

/// A step along a relationship, with the entities at both ends.
package struct RelationHop: Sendable {
    package let relationship: Relationship
    package let source: Entity
    package let destination: Entity
    /// The property of the source's records that holds the target's row id; nil for what is kept elsewhere.
    package let reference: PropertyPath?
    /// The property of the destination's records that holds the source's row id, where this is the other side of it.
    package let inverseReference: PropertyPath?
    /// Whether it may lead to a row that does not exist.
    let mayDangle: Bool

    /// - Throws: ``QueryError`` when the schema lacks the destination.
    package init(_ relationship: Relationship, of source: Entity, in schema: Schema) throws(QueryError) {
        guard let destination = schema.entity(withID: relationship.destination) else {
            throw QueryError(.unknownEntity, part: relationship.name)
        }
        self.relationship = relationship
        self.source = source
        self.destination = destination
        let inverse = relationship.inverse.flatMap(destination.relationship(withID:))
        reference = try Self.path(of: relationship, in: source)
        if case .inverseOfReference = relationship.storage, let inverse {
            inverseReference = try Self.path(of: inverse, in: destination)
            mayDangle = false
        } else {
            inverseReference = nil
            mayDangle = inverse?.deleteRule == .noAction
        }
    }

    private static func path(of relationship: Relationship, in entity: Entity) throws(QueryError) -> PropertyPath? {
        guard let id = relationship.referenceProperty, let property = entity.property(withID: id) else { return nil }
        return try PropertyPath([property.name], in: entity)
    }
}

/// Two steps are equal where their relationship and source are: within one store the ids decide everything else.
extension RelationHop: Hashable {
    package static func == (left: RelationHop, right: RelationHop) -> Bool {
        left.relationship.id == right.relationship.id && left.source.id == right.source.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(relationship.id)
    }
}

extension [RelationHop] {
    var names: [String] { map(\.relationship.name) }
}
