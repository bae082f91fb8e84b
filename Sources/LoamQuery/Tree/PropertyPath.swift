package import LoamStorage

/// A key path that was looked up in an entity.
package struct PropertyPath: Hashable, Sendable {
    /// The property's position in the entity.
    package let position: Int
    package let property: PropertyID
    /// Names as written, outermost first: the property's, then the members'.
    package let names: [String]
    /// The type of the value that the path leads to.
    package let type: ValueType
    /// Whether the property or any member on the way may be nil.
    package let isOptional: Bool

    /// The members below the property.
    package var members: [String] { Array(names.dropFirst()) }

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
        self.type = type
        self.isOptional = isOptional
    }

    /// The path's value in a row given as the values of all properties, in the entity's order.
    package func value(in row: [Value]) -> Value {
        guard row.indices.contains(position) else { return .null }
        return member(of: row[position])
    }

    /// The path's value inside the property's value; nil where a member on the way is.
    func member(of value: Value) -> Value {
        var value = value
        for name in names.dropFirst() {
            guard case .structure(let members) = value else { return .null }
            value = members[name] ?? .null
        }
        return value
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path in format grammar.
    package var description: String { QueryExpression.keyPath(names).description }
}
