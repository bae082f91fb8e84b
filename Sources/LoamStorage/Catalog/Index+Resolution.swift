/// From an index definition by names to an index by numbers.
extension Index {
    /// What a definition comes to for an entity: the properties that it names, the types of its components, and the
    /// bytes of each. Components take at most 480 bytes of a key together; fixed ones their width, the others share the
    /// rest.
    ///
    /// - Throws: what keeps the index from being made, with the names of entity and index.
    package init(id: IndexID, _ definition: IndexDefinition, of entity: Entity, state: IndexState = .ready) throws {
        do {
            try self.init(id: id, resolving: definition, of: entity, state: state)
            // What is wrong with the index says more than that it is not understood.
            _ = try IndexKeyShape(index: self)
            try requireUnderstood(in: entity.name)
        } catch var error as StorageError {
            (error.entity, error.index) = (entity.name, definition.name)
            throw error
        }
    }

    private init(id: IndexID, resolving definition: IndexDefinition, of entity: Entity, state: IndexState) throws {
        var definition = definition
        guard definition.included.count <= BlockFormat.maximumColumns else {
            throw StorageError(.invalidIndex("it includes more than \(BlockFormat.maximumColumns) fields"))
        }
        let resolved = try definition.components.map { try ResolvedPath($0, in: entity) }
        let included = try definition.included.map { name in
            guard let position = entity.position(of: name) else {
                throw StorageError(.unknownProperty, property: name)
            }
            return entity.properties[position]
        }
        // As they are called now, where the definition knows them by a former name.
        for (position, path) in resolved.enumerated() {
            definition.components[position].names[0] = path.property.name
        }
        definition.included = included.map(\.name)
        let shares = try IndexComponent.defaultShares(for: resolved.map(\.type))
        self.init(
            id: id, definition,
            components: zip(zip(definition.components, resolved), shares).map { pair, share in
                IndexComponent(
                    pair.0, in: definition.kind, property: pair.1.property.id, type: pair.1.type,
                    isOptional: pair.1.isOptional, share: share, functionVersion: pair.0.function?.version)
            },
            included: included.map(\.id), state: state,
            formVersion: definition.components.contains { $0.form != .exact }
                ? Self.formVersion(of: definition.kind) : nil)
    }
}

/// What a component's names lead to, and what its function makes of that.
struct ResolvedPath {
    let property: Property
    let function: TypedFunction?
    /// The type of the value in a key.
    let type: ValueType
    let isOptional: Bool

    init(_ component: IndexDefinition.Component, in entity: Entity) throws {
        guard let first = component.names.first, let position = entity.position(of: first) else {
            throw StorageError(.unknownProperty, property: component.keyPath)
        }
        property = entity.properties[position]
        var (type, isOptional) = (property.type, property.isOptional)
        for name in component.names.dropFirst() {
            guard case .structure(let members) = type, let member = members.first(where: { $0.name == name }) else {
                throw StorageError(.unknownProperty, property: component.keyPath)
            }
            (type, isOptional) = (member.type, isOptional || member.isOptional)
        }
        if let wanted = component.function, let known = wanted.known {
            guard let function = TypedFunction(wanted, of: type) else {
                throw StorageError(
                    .invalidIndex("'\(component.keyPath)' is a \(type), of which there is no '\(known.entry.name)'"))
            }
            (self.function, self.type) = (function, function.type)
            self.isOptional = isOptional || !function.isTotal
        } else {
            (function, self.type, self.isOptional) = (nil, type, isOptional)
        }
        guard self.type.isOrdered else {
            throw StorageError(.invalidIndex("'\(component.written)' is a \(self.type), which has no order"))
        }
        guard component.form == .exact || self.type == .string else {
            throw StorageError(
                .invalidIndex("'\(component.written)' is a \(self.type), and only strings have folded forms"))
        }
    }
}

extension CatalogDocument {
    /// Marks the indexes of some entities stale that this process would make other entries for.
    mutating func markStale(for entities: Set<EntityID>) {
        for entity in schema.entities.indices where entities.contains(schema.entities[entity].id) {
            let ids = Set(schema.entities[entity].indexes.filter { !$0.isCurrent }.map(\.id))
            markStale { ids.contains($0.id) }
        }
    }

    mutating func markStale(where isChosen: (Index) -> Bool) {
        for entity in schema.entities.indices {
            for index in schema.entities[entity].indexes.indices where isChosen(schema.entities[entity].indexes[index])
            {
                schema.entities[entity].indexes[index].state = .stale
            }
        }
    }

    /// - Throws: where the index cannot be made, or the entity has one of this name.
    mutating func makeIndex(_ definition: IndexDefinition, of entity: Entity) throws -> Index {
        guard !entity.indexes.contains(where: { $0.name == definition.name }) else {
            throw StorageError(.indexExists, entity: entity.name, index: definition.name)
        }
        guard definition.kind != .reference else {
            throw StorageError(
                .invalidIndex("one of kind reference is made with its relationship"), entity: entity.name,
                index: definition.name)
        }
        return try Index(id: newIndexID(), definition, of: entity)
    }
}
