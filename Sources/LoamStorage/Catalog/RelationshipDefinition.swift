/// A relationship that is to be added: what its author says; the catalog decides where it is kept.
package struct RelationshipDefinition: Hashable, Sendable {
    package var name: String
    /// The name of the entity that it leads to.
    package var destination: String
    package var isToMany: Bool
    /// Whether a to-one may lead nowhere; for a to-many, whether it may be empty whatever `minimumCount`.
    package var isOptional: Bool
    /// What becomes of the destination rows when a row of this entity is deleted.
    package var deleteRule: DeleteRule
    /// The name of the other side, a relationship of the destination. It is enough that one side names the other.
    package var inverse: String?
    /// The fewest destination rows of a to-many; 0 without such a bound.
    package var minimumCount: Int
    /// The most destination rows of a to-many; 0 without such a bound.
    package var maximumCount: Int
    /// Names that older models know it by, where nothing else has them.
    package var formerNames: [String]

    package init(
        _ name: String, to destination: String, isToMany: Bool = false, isOptional: Bool = true,
        deleteRule: DeleteRule = .nullify, inverse: String? = nil, minimumCount: Int = 0, maximumCount: Int = 0,
        formerNames: [String] = []
    ) {
        self.formerNames = formerNames
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        self.inverse = inverse
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
    }
}

/// A relationship with its inverse found and its storage decided, before anything has a number.
struct PlannedRelationship: Hashable, Sendable {
    /// The definition, with the inverse's name also where only the other side named it.
    var definition: RelationshipDefinition
    var storage: Storage

    enum Storage: Hashable, Sendable {
        case reference(hasPosition: Bool)
        case inverseOfReference
        case links(isForward: Bool)
    }
}

/// Which side of each pair keeps what: a function from the definitions of one change to their storage.
///
/// A to-one is kept in its record. Of a one-to-one the side that is not optional keeps it, else the one declared first.
enum RelationshipPlan {
    /// - Parameter entities: entities with the relationships that are to be added to them, in order of declaration.
    /// - Returns: by entity name, as many relationships as were given, in their order.
    static func plan(
        _ entities: [(name: String, relationships: [RelationshipDefinition])]
    ) throws -> [String: [PlannedRelationship]] {
        let completed = try completeInverses(entities)
        var order: [Side: Int] = [:]
        for entity in entities {
            for relationship in entity.relationships { order[Side(entity.name, name: relationship.name)] = order.count }
        }
        var planned: [String: [PlannedRelationship]] = [:]
        for entity in entities {
            planned[entity.name] = try entity.relationships.compactMap { relationship in
                let side = Side(entity.name, name: relationship.name)
                guard let definition = completed[side] else { return nil }
                let inverse = definition.inverse.map { Side(definition.destination, name: $0) }
                let isFirst = inverse.map { (order[side] ?? 0) <= (order[$0] ?? 0) } ?? true
                return PlannedRelationship(
                    definition: definition,
                    storage: try storage(
                        of: definition, side: side, inverse: inverse.flatMap { completed[$0] }, isFirst: isFirst))
            }
        }
        return planned
    }

    private struct Side: Hashable {
        var entity: String
        var name: String

        init(_ entity: String, name: String) {
            self.entity = entity
            self.name = name
        }
    }

    private static func completeInverses(
        _ entities: [(name: String, relationships: [RelationshipDefinition])]
    ) throws -> [Side: RelationshipDefinition] {
        var sides: [Side: RelationshipDefinition] = [:]
        for entity in entities {
            for relationship in entity.relationships {
                let side = Side(entity.name, name: relationship.name)
                guard sides.updateValue(relationship, forKey: side) == nil else {
                    throw StorageError(.propertyExists, entity: entity.name, property: relationship.name)
                }
            }
        }
        for (side, definition) in sides {
            guard let name = definition.inverse else { continue }
            let other = Side(definition.destination, name: name)
            guard let inverse = sides[other], inverse.destination == side.entity else {
                throw failure("its inverse is no relationship of the destination that leads back", side: side)
            }
            guard inverse.inverse == nil || inverse.inverse == side.name else {
                throw failure("its inverse names another relationship as its own inverse", side: side)
            }
            sides[other]?.inverse = side.name
        }
        // Two sides may have named the same inverse, which names neither of them.
        for (side, definition) in sides {
            guard let name = definition.inverse else { continue }
            guard sides[Side(definition.destination, name: name)]?.inverse == side.name else {
                throw failure("two relationships have the same inverse", side: side)
            }
        }
        return sides
    }

    private static func storage(
        of definition: RelationshipDefinition, side: Side, inverse: RelationshipDefinition?, isFirst: Bool
    ) throws -> PlannedRelationship.Storage {
        guard let inverse else {
            return definition.isToMany ? .links(isForward: true) : .reference(hasPosition: false)
        }
        switch (definition.isToMany, inverse.isToMany) {
        case (true, true): return .links(isForward: isFirst)
        case (true, false): return .inverseOfReference
        case (false, true): return .reference(hasPosition: true)
        case (false, false):
            let isOwnInverse = definition.destination == side.entity && definition.inverse == side.name
            guard !isOwnInverse else {
                throw failure("a to-one cannot be its own inverse; declare two relationships", side: side)
            }
            let holds = definition.isOptional == inverse.isOptional ? isFirst : !definition.isOptional
            return holds ? .reference(hasPosition: false) : .inverseOfReference
        }
    }

    private static func failure(_ why: String, side: Side) -> StorageError {
        StorageError(.invalidSchema(why), entity: side.entity, property: side.name)
    }
}
