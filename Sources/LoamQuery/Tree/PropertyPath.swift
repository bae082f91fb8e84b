package import LoamStorage

/// A key path that was looked up in an entity.
package struct PropertyPath: Hashable, Sendable {
    /// The property's position in the entity.
    package let position: Int
    package let property: PropertyID
    /// Names as written, outermost first: the property's, then the members'.
    package let names: [String]
    /// The members below the property.
    package let members: [String]
    /// The type of the value that the path leads to.
    package let type: ValueType
    /// Whether the property or any member on the way may be nil.
    package let isOptional: Bool
    /// Whether the value is the row id that a to-one relationship leads to.
    package let isReference: Bool

    /// - Throws: ``QueryError`` when the entity has no such property, or a member is not in its structure.
    package init(_ names: [String], in entity: Entity) throws(QueryError) {
        let unknown = QueryError(
            .unknownProperty(entity: entity.name), part: QueryExpression.keyPath(names).description)
        guard let first = names.first, let position = entity.position(of: first) else { throw unknown }
        let property = entity.properties[position]
        var type = property.type
        var isOptional = property.isOptional
        for name in names.dropFirst() {
            guard case .structure(let members) = type, let member = members.first(where: { $0.name == name }) else {
                throw unknown
            }
            type = member.type
            isOptional = isOptional || member.isOptional
        }
        self.position = position
        self.property = property.id
        self.names = names
        members = Array(names.dropFirst())
        self.type = type
        self.isOptional = isOptional
        if case .reference = property.role { isReference = true } else { isReference = false }
    }

    /// The path's value in a row given as the values of all properties, in the entity's order.
    package func value(in row: [Value]) -> Value {
        guard row.indices.contains(position) else { return .null }
        return members.isEmpty ? row[position] : row[position].member(at: members)
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path in format grammar.
    package var description: String { QueryExpression.keyPath(names).description }
}
