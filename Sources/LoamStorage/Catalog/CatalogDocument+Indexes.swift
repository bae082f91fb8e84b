/// From an index definition by key paths to an index by numbers.
extension CatalogDocument {
    /// Components take at most 480 bytes of a key together; fixed ones their width, the others share the rest.
    mutating func makeIndex(_ definition: IndexDefinition, of entity: Entity) throws -> Index {
        let name = definition.name ?? definition.defaultName
        guard !entity.indexes.contains(where: { $0.name == name }) else {
            throw StorageError(.indexExists, entity: entity.name, index: name)
        }
        guard !definition.components.isEmpty else {
            throw StorageError(.invalidIndex("it has no components"), entity: entity.name, index: name)
        }
        try Self.requireColumns(definition, index: name, of: entity)
        let resolved = try definition.components.map { try component($0, of: entity, index: name) }
        guard !definition.isUnique || resolved.allSatisfy({ $0.form == .exact }) else {
            throw StorageError(
                .invalidIndex("a unique index compares exact strings; folded forms cannot be unique"),
                entity: entity.name, index: name)
        }
        let included = try definition.included.map { name in
            guard let position = entity.position(of: name) else {
                throw StorageError(.unknownProperty, entity: entity.name, property: name)
            }
            return entity.properties[position].id
        }
        let shares = try IndexComponent.defaultShares(for: resolved.map(\.type))
        var components = resolved
        for position in components.indices {
            components[position].share = shares[position]
            components[position].hashesCut = definition.isUnique && components[position].type.isCutInKeys
        }
        let hasForms = resolved.contains { $0.form != .exact }
        let index = Index(
            id: newIndexID(), name: name, components: components,
            isUnique: definition.isUnique, isSectioned: definition.isSectioned, included: included,
            formVersion: hasForms ? StringForms.formVersion : nil)
        _ = try IndexKeyShape(index: index)
        return index
    }

    private func component(
        _ component: IndexDefinition.Component, of entity: Entity, index: String
    ) throws -> IndexComponent {
        let names = component.keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = names.first, let position = entity.position(of: first) else {
            throw StorageError(.unknownProperty, entity: entity.name, property: component.keyPath)
        }
        let property = entity.properties[position]
        var (type, isOptional) = (property.type, property.isOptional)
        for name in names.dropFirst() {
            guard case .structure(let members) = type, let member = members.first(where: { $0.name == name }) else {
                throw StorageError(.unknownProperty, entity: entity.name, property: component.keyPath)
            }
            (type, isOptional) = (member.type, isOptional || member.isOptional)
        }
        guard type.isOrdered else {
            throw StorageError(
                .invalidIndex("'\(component.keyPath)' is a \(type), which has no order"), entity: entity.name,
                index: index)
        }
        guard component.form == .exact || type == .string else {
            throw StorageError(
                .invalidIndex("'\(component.keyPath)' is a \(type), and only strings have folded forms"),
                entity: entity.name, index: index)
        }
        return IndexComponent(
            property: property.id, path: Array(names.dropFirst()), type: type, isOptional: isOptional,
            direction: component.direction, form: component.form, share: 0)
    }
}
