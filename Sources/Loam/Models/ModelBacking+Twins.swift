import LoamStorage

extension _ModelBacking {
    /// Copies an attribute that was set on one of the objects to the others. Relationships are the context's, by row.
    func mirror<Model: PersistentModel, Value>(_ model: Model, keyPath: KeyPath<Model, Value>) {
        guard !isMirroring, let binding, let ordinal = binding.model.ordinal(of: keyPath),
            binding.relationships.indices.contains(ordinal), binding.relationships[ordinal] == nil,
            let keyPath = keyPath as? ReferenceWritableKeyPath<Model, Value>
        else { return }
        isMirroring = true
        defer { isMirroring = false }
        let value = model[keyPath: keyPath]
        for case let twin as Model in twins where twin !== model { twin[keyPath: keyPath] = value }
    }
}
