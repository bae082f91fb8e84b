import LoamStorage

extension IndexDefinition {
    /// An index over keys as they are given on the command line.
    init(_ list: KeyList, isUnique: Bool = false, folded: Set<String> = []) {
        self.init(
            list.keys.map { key in
                Component(key.path, key.direction, form: folded.contains(key.path) ? .caseAndDiacriticFolded : .exact)
            },
            isUnique: isUnique)
    }
}

extension Index {
    /// The definition that would make this index.
    func definition(in entity: Entity) -> IndexDefinition {
        IndexDefinition(
            components.map { .init(entity.keyPath($0), $0.direction, form: $0.form) }, name: name, isUnique: isUnique,
            isSectioned: isSectioned, included: included.map { entity.property(withID: $0)?.name ?? "" })
    }
}

extension Entity {
    /// The component's key path: the property, then the members below it.
    func keyPath(_ component: IndexComponent) -> String {
        ([property(withID: component.property)?.name ?? "?"] + component.path).joined(separator: ".")
    }
}
