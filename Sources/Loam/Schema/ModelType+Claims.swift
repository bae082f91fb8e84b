import LoamStorage

/// What a model's properties are in a store, which may know them by other names: a property that was renamed keeps its
/// former names for models of older versions.
extension ModelType {
    /// What becomes of a declared property.
    enum Claim {
        /// The store has it, under its present name or a former one.
        case stored
        /// The store has it under the name that the model gives as the original one.
        case renamed(from: String)
        case missing
    }

    func claim(_ property: ModelProperty, in entity: LoamStorage.Entity) -> Claim {
        let candidates = candidates(for: property, in: entity)
        if find(property.name, candidates: candidates) != nil { return .stored }
        guard property.originalName != property.name,
            !properties.contains(where: { $0.name == property.originalName }),
            let former = find(property.originalName, candidates: candidates)
        else { return .missing }
        return .renamed(from: former.name)
    }

    /// The stored attribute that a declared one is; nil where there is none.
    func storedProperty(_ property: ModelProperty, in entity: LoamStorage.Entity) -> Property? {
        find(property.name, candidates: candidates(for: property, in: entity)).flatMap {
            entity.property(withID: $0.id)
        }
    }

    /// The stored relationship that a declared one is; nil where there is none.
    func storedRelationship(_ property: ModelProperty, in entity: LoamStorage.Entity) -> LoamStorage.Relationship? {
        guard property.destination != nil else { return nil }
        return find(property.name, candidates: candidates(for: property, in: entity)).flatMap {
            entity.relationship(withID: $0.id)
        }
    }

    /// The name under which the store keeps a declared property; the same where it does not.
    func storedName(_ name: String, in entity: LoamStorage.Entity) -> String {
        guard let property = properties.first(where: { $0.name == name }) else { return name }
        return find(name, candidates: candidates(for: property, in: entity))?.name ?? name
    }

    private typealias Candidate = (id: PropertyID, name: String, formerNames: [String])

    private func candidates(for property: ModelProperty, in entity: LoamStorage.Entity) -> [Candidate] {
        guard property.destination == nil else {
            return entity.relationships.map { ($0.id, $0.name, $0.formerNames ?? []) }
        }
        return entity.properties.filter { $0.role == .attribute }.map { ($0.id, $0.name, $0.formerNames) }
    }

    /// A former name counts where the model does not declare the present one.
    private func find(_ name: String, candidates: [Candidate]) -> Candidate? {
        if let present = candidates.first(where: { $0.name == name }) { return present }
        return candidates.first { candidate in
            candidate.formerNames.contains(name) && !properties.contains { $0.name == candidate.name }
        }
    }
}
