import Foundation

/// What an attribute was and is: required or optional, preserved or not, of a type and of a wider one. Records
/// stay as they are.
extension CatalogDocument {
    mutating func makeOptional(_ property: String, in name: String) throws {
        let position = try attribute(property, in: name)
        var entity = try entity(name)
        try setOptional(true, at: position, in: &entity)
        try update(name) { $0 = entity }
    }

    /// Notes whether a property may be nil, with a layout that has it so.
    mutating func setOptional(_ isOptional: Bool, at position: Int, in entity: inout Entity) throws {
        entity.properties[position].isOptional = isOptional
        entity.setComponents(of: entity.properties[position])
        try addLayout(of: entity)
    }

    /// Lets no row have nil for an attribute from now on.
    ///
    /// - Parameter value: what rows that have nil read from now on; null where there are none.
    mutating func makeRequired(_ property: String, in name: String, nilValue value: Value) throws {
        let position = try attribute(property, in: name)
        var entity = try entity(name)
        let (id, type) = (entity.properties[position].id, entity.properties[position].type)
        if !value.isNull {
            let bytes = Data(try CompositeCodec.encode(value, as: type))
            let last = layouts.lazy.filter { $0.entity == entity.id }.map(\.id).max() ?? 0
            nilValues = nilValues ?? [:]
            nilValues?[id, default: []].append(NilValue(lastLayout: last, value: bytes))
            if initialValues[id] == nil { initialValues[id] = bytes }
        }
        try setOptional(false, at: position, in: &entity)
        try update(name) { $0 = entity }
    }

    /// Lets the history keep an attribute's value when a row is deleted, or no longer.
    mutating func preserve(_ property: String, isPreserved: Bool, in name: String) throws {
        let position = try attribute(property, in: name)
        try update(name) { $0.properties[position].isPreserved = isPreserved }
    }

    /// Gives an attribute a type that has all values of the one that it has.
    ///
    /// - Throws: `typeMismatch` where it has not.
    mutating func widen(_ property: String, to type: ValueType, in name: String) throws {
        let position = try attribute(property, in: name)
        var entity = try entity(name)
        let stored = entity.properties[position]
        guard stored.type.widens(to: type) else {
            throw StorageError(
                .typeMismatch(expected: stored.type.description, found: type.description), entity: name,
                property: property)
        }
        func widened(_ bytes: Data) throws -> Data {
            Data(try CompositeCodec.encode(try CompositeCodec.decode(bytes.bytes).widened(to: type), as: type))
        }
        initialValues[stored.id] = try initialValues[stored.id].map(widened)
        let filled = try nilValues?[stored.id]?.map {
            NilValue(lastLayout: $0.lastLayout, value: try widened($0.value))
        }
        if let filled { nilValues?[stored.id] = filled }
        entity.properties[position].type = type
        entity.setComponents(of: entity.properties[position])
        try addLayout(of: entity)
        try update(name) { $0 = entity }
    }

    /// Puts new indexes in the place of those that hold an attribute's values, which are to be built. One that this
    /// version of Loam does not understand is stale from now on. Copies that were to take the place of one go.
    ///
    /// - Parameters:
    ///   - state: of the new ones: `ready` only where there are no rows, or the same transaction makes the entries.
    ///   - isNew: says of an index that it has no entries yet; it keeps its id.
    /// - Returns: the ids of those that were not new.
    mutating func remakeIndexes(
        over property: String, in name: String, state: (IndexKind) -> IndexState, isNew: (IndexID) -> Bool
    ) throws -> [IndexID] {
        var entity = try entity(name)
        let id = entity.properties[try attribute(property, in: name)].id
        var made: [IndexID] = []
        for index in entity.indexes where index.properties.contains(id) {
            retireReplacements(of: index, in: &entity)
        }
        for position in entity.indexes.indices where entity.indexes[position].properties.contains(id) {
            let index = entity.indexes[position]
            guard index.isUnderstood else {
                entity.indexes[position].state = .stale
                continue
            }
            var newID = index.id
            if !isNew(index.id) {
                retiredIndexes.append(index.id)
                builders[index.id] = nil
                newID = newIndexID()
                made.append(newID)
            }
            entity.indexes[position] = try Index(id: newID, index.definition, of: entity, state: state(index.kind))
        }
        try update(name) { $0 = entity }
        return made
    }

    /// What records of layouts without the property read for it; nil where that is nil.
    func initialValue(of property: PropertyID) throws -> Value? {
        try initialValues[property].map { try CompositeCodec.decode($0.bytes) }
    }

    /// What a record of this layout reads for nil of the property; nil where that is nil.
    func nilValue(of property: PropertyID, in layout: LayoutID) throws -> Value? {
        try nilValues?[property]?.first { layout <= $0.lastLayout }.map { try CompositeCodec.decode($0.value.bytes) }
    }

    private func attribute(_ property: String, in name: String) throws -> Int {
        let entity = try entity(name)
        guard let position = entity.position(of: property) else {
            throw StorageError(.unknownProperty, entity: name, property: property)
        }
        try requireAttribute(entity.properties[position], of: entity)
        return position
    }
}

extension Entity {
    /// Notes in the components of indexes whether a property is optional.
    fileprivate mutating func setComponents(of property: Property) {
        for (position, index) in indexes.enumerated() {
            for (number, component) in index.components.enumerated() where component.property == property.id {
                let isOptional =
                    component.isValue(of: property.id, [])
                    ? property.isOptional : (try? ResolvedPath(component.definition, in: self).isOptional) ?? true
                indexes[position].setOptional(isOptional, ofComponent: number)
            }
        }
    }
}
