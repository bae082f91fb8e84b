package import LoamStorage

/// A key path that was looked up in an entity, or a function of what it leads to.
package struct PropertyPath: Hashable, Sendable {
    /// The property's position in the entity; of a path through relationships, that of the reference that it begins
    /// with, or -1 where it does not begin with one.
    package let position: Int
    package let property: PropertyID
    /// Names as the entity spells them, outermost first: the property's, then the members'. A predicate may spell them in
    /// another normal form, and name a property as it was called before.
    package let names: [String]
    /// The members below the property, spelled as records have them, which are searched by the bytes of names.
    package let members: [String]
    /// The type of the value that the path leads to.
    package let type: ValueType
    /// Whether the property or any member on the way may be nil.
    package let isOptional: Bool
    /// Whether the value is the row id that a to-one relationship leads to.
    package let isReference: Bool
    /// What a path through to-one relationships leads to; nil for a value of the row itself. Of a function, what its
    /// argument is.
    package let related: TypedExpression?
    /// The function whose result the path stands for; nil where it is what the names lead to.
    package private(set) var call: PathCall?
    /// Whether it begins at the element of a collection, and is no part of a row.
    private(set) var isInElement = false

    /// - Throws: ``QueryError`` when the entity has no such property, or a member is not in its structure.
    package init(_ names: [String], in entity: Entity) throws(QueryError) {
        guard let first = names.first, let position = entity.position(of: first) else {
            let attributes = entity.properties.filter { $0.role == .attribute }
            let known = attributes.map(\.name) + entity.relationships.map(\.name)
            throw Self.unknown(names, at: 0, of: entity.name, among: known)
        }
        let property = entity.properties[position]
        (members, type, isOptional) = try Self.member(
            names.dropFirst(), of: property.type, isOptional: property.isOptional, whole: names, entity: entity.name)
        self.position = position
        self.property = property.id
        self.names = [property.name] + members
        if case .reference = property.role { isReference = true } else { isReference = false }
        related = nil
    }

    /// The error for a name of a path that is none of those that are known there.
    private static func unknown(
        _ names: [String], at position: Int, of entity: String, among known: [String]
    ) -> QueryError {
        var error = QueryError(
            .unknownProperty(entity: entity), part: QueryExpression.keyPath(names).description)
        if names.indices.contains(position), let near = NearestName.of(names[position], among: known) {
            var meant = names
            meant[position] = near
            error.suggestion = QueryExpression.keyPath(meant).description
        }
        return error
    }

    /// The path that is one property, by its position, which the entity must have.
    init(_ position: Int, of entity: Entity) {
        let property = entity.properties[position]
        self.position = position
        self.property = property.id
        names = [property.name]
        members = []
        type = property.type
        isOptional = property.isOptional
        if case .reference = property.role { isReference = true } else { isReference = false }
        related = nil
    }

    /// A path through to-one relationships, and then in their last destination.
    init(_ hops: [RelationHop], leaf: PropertyPath) {
        position = hops.first?.reference?.position ?? -1
        property = hops.first?.reference?.property ?? 0
        names = hops.names + leaf.names
        members = []
        type = leaf.type
        isOptional = true
        isReference = leaf.isReference
        related = .related(hops, .property(leaf))
    }

    /// A function of what another path leads to.
    init(_ call: PathCall) {
        let argument = call.argument
        (position, property, names, members) = (argument.position, argument.property, argument.names, argument.members)
        type = call.function.type
        isOptional = argument.isOptional || !call.function.isTotal
        isReference = false
        related = argument.related
        isInElement = argument.isInElement
        self.call = call
    }

    /// The element of an array, in a predicate over its elements.
    ///
    /// - Parameters:
    ///   - type: of the elements.
    ///   - isOptional: whether there may be nils among them.
    static func element(of type: ValueType, isOptional: Bool) -> PropertyPath {
        PropertyPath(elementOf: type, isOptional: isOptional)
    }

    /// A member of an array's elements, which are structures.
    ///
    /// - Throws: ``QueryError`` when they have no such member.
    init(_ names: [String], ofElement element: PropertyPath) throws(QueryError) {
        (position, property, isReference, related) = (0, 0, false, nil)
        (members, type, isOptional) = try Self.member(
            names[...], of: element.type, isOptional: element.isOptional, whole: names, entity: "an array's elements")
        self.names = members
        isInElement = true
    }

    /// Looks members up: their names as the structures spell them, and the type of the last.
    private static func member(
        _ names: ArraySlice<String>, of type: ValueType, isOptional: Bool, whole: [String], entity: String
    ) throws(QueryError) -> (names: [String], type: ValueType, isOptional: Bool) {
        var (spelled, type, isOptional) = ([String](), type, isOptional)
        for (number, name) in zip(names.indices, names) {
            var members: [ValueType.Member] = []
            if case .structure(let own) = type { members = own }
            guard let member = members.first(where: { $0.name == name }) else {
                throw unknown(whole, at: number, of: entity, among: members.map(\.name))
            }
            spelled.append(member.name)
            type = member.type
            isOptional = isOptional || member.isOptional
        }
        return (spelled, type, isOptional)
    }

    private init(elementOf type: ValueType, isOptional: Bool) {
        (position, property, names, members) = (0, 0, [], [])
        self.type = type
        self.isOptional = isOptional
        isReference = false
        related = nil
        isInElement = true
    }

    /// Whether it is the element of a collection itself.
    var isElement: Bool { names.isEmpty }

    /// The path whose value in the row itself this one takes; nil where the row id is enough.
    var own: PropertyPath? {
        guard case .related(let hops, _) = related else { return self }
        return hops.first?.reference
    }

    /// The path's value in a row given as the values of all properties, in the entity's order.
    package func value(in row: [Value]) -> Value {
        if let call { return call.function.result(of: call.argument.value(in: row)) }
        guard related == nil, row.indices.contains(position) else { return .null }
        return members.isEmpty ? row[position] : row[position].member(at: members)
    }
}

extension PropertyPath {
    /// The path as predicates write it.
    package var expression: QueryExpression { call?.expression ?? .keyPath(names) }

    /// The path as ``SortKey/path`` and the columns of a query write it: a sign before a name would be a part of the name,
    /// so it stands in parentheses.
    package var written: String {
        guard let call else { return names.joined(separator: ".") }
        if case .prefix = call.function.function.entry.notation { return "(\(description))" }
        return description
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path in format grammar.
    package var description: String { expression.description }
}
