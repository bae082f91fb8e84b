/// The relationships of a schema as the writer asks for them: by the entity on either side.
struct RelationshipMap: Sendable {
    private var references: [EntityID: [ReferenceAccess]] = [:]
    /// References that lead to rows of an entity.
    private(set) var referrers: [EntityID: [ReferenceAccess]] = [:]
    /// Links whose forward side is an entity's.
    private(set) var outgoing: [EntityID: [LinkAccess]] = [:]
    /// Links whose backward side is an entity's; symmetric ones stand under ``outgoing`` alone.
    private(set) var incoming: [EntityID: [LinkAccess]] = [:]
    /// Relationships whose number of rows is limited, also to at least one.
    private(set) var limited: [EntityID: [Relationship]] = [:]
    private var reference: [PropertyID: ReferenceAccess] = [:]
    private var link: [PropertyID: LinkAccess] = [:]
    /// Links by the number of their table.
    private(set) var tables: [UInt32: LinkAccess] = [:]

    init(_ schema: Schema) throws {
        for entity in schema.entities {
            for relationship in entity.relationships { try add(relationship, of: entity, schema: schema) }
        }
    }

    private mutating func add(_ relationship: Relationship, of entity: Entity, schema: Schema) throws {
        let inverse = relationship.inverse.flatMap(schema.relationship(withID:))?.relationship
        var isRequired = false
        switch relationship.storage {
        case .reference(let property, let position, _):
            guard let property = entity.properties.firstIndex(where: { $0.id == property }) else {
                throw StorageError(.damagedCatalog("a relationship names an unknown property"), entity: entity.name)
            }
            let access = ReferenceAccess(
                relationship: relationship, entity: entity.id, inverse: inverse, property: property,
                position: position.flatMap { id in entity.properties.firstIndex { $0.id == id } })
            references[entity.id, default: []].append(access)
            referrers[relationship.destination, default: []].append(access)
            reference[relationship.id] = access
        case .inverseOfReference: isRequired = !relationship.isToMany && !relationship.isOptional
        case .links(let table, let isForward):
            let access = LinkAccess(
                table: table, forward: isForward ? relationship : inverse ?? relationship,
                backward: isForward ? inverse : relationship,
                source: isForward ? entity.id : relationship.destination,
                destination: isForward ? relationship.destination : entity.id)
            link[relationship.id] = access
            if isForward {
                tables[table] = access
                outgoing[entity.id, default: []].append(access)
                if !access.isSymmetric { incoming[relationship.destination, default: []].append(access) }
            }
        }
        if relationship.minimumCount > 0 || relationship.maximumCount > 0 || isRequired {
            limited[entity.id, default: []].append(relationship)
        }
    }

    /// Whether any relationship begins or ends at the entity.
    func concerns(_ entity: EntityID) -> Bool {
        references[entity] != nil || referrers[entity] != nil || outgoing[entity] != nil || incoming[entity] != nil
    }

    /// References that the records of an entity keep.
    func references(of entity: EntityID) -> [ReferenceAccess] { references[entity] ?? [] }

    func reference(_ relationship: PropertyID) -> ReferenceAccess? { reference[relationship] }

    func link(_ relationship: PropertyID) -> LinkAccess? { link[relationship] }

    /// The entities whose rows a change of these entities' rows may change.
    func reach(of entities: Set<EntityID>) -> Set<EntityID> {
        var reached = entities
        var waiting = Array(entities)
        while let entity = waiting.popLast() {
            let next =
                (references[entity] ?? []).map(\.relationship.destination) + (referrers[entity] ?? []).map(\.entity)
                + (outgoing[entity] ?? []).map(\.destination) + (incoming[entity] ?? []).map(\.source)
            for entity in next where reached.insert(entity).inserted { waiting.append(entity) }
        }
        return reached
    }
}

/// A to-one that is kept in the records of an entity.
struct ReferenceAccess: Sendable {
    let relationship: Relationship
    /// The entity of the rows that refer.
    let entity: EntityID
    let inverse: Relationship?
    /// The index of the reference in the entity's properties.
    let property: Int
    /// The index of the position in the entity's properties.
    let position: Int?

    /// Whether at most one row refers to a target.
    var isOneToOne: Bool { inverse.map { !$0.isToMany } ?? false }

    /// What becomes of rows that refer to one that is deleted.
    var ruleForReferrers: DeleteRule { inverse?.deleteRule ?? .nullify }
}

/// A relationship, or a pair, that is kept as links.
struct LinkAccess: Sendable {
    let table: UInt32
    let forward: Relationship
    let backward: Relationship?
    /// The entity that the forward side belongs to, and the one that it leads to.
    let source: EntityID
    let destination: EntityID

    var isSymmetric: Bool { forward.isSymmetric }

    /// Whether the backward half has an order of its own.
    var ordersBackward: Bool { backward != nil && !isSymmetric }
}
