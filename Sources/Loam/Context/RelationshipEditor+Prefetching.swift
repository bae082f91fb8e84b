import LoamStorage

extension RelationshipEditor {
    /// Reads the records that relationships lead to, all in one go, and keeps them as long as the models that lead
    /// there, or until something else is stored.
    func prefetch<T: PersistentModel>(
        _ keyPaths: [PartialKeyPath<T>], of models: [T], binding: EntityBinding
    ) throws {
        for keyPath in keyPaths {
            guard let ordinal = binding.model.ordinal(of: keyPath), let relationship = binding.relationships[ordinal]
            else {
                throw SwiftDataError(
                    .unsupportedKeyPath, detail: "\(keyPath) is no relationship of \(binding.entity.name).")
            }
            guard let destination = binding.model.properties[ordinal].destination else { continue }
            try prefetch(relationship, ordinal: ordinal, of: models, type: destination)
        }
    }

    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that cannot be prefetched.
    func check(_ keyPaths: [AnyKeyPath], binding: EntityBinding) throws {
        for keyPath in keyPaths {
            let ordinal = binding.model.ordinal(of: keyPath)
            guard ordinal.flatMap({ binding.relationships[$0] }) == nil else { continue }
            throw SwiftDataError(
                .unsupportedKeyPath, detail: "\(keyPath) is no relationship of \(binding.entity.name).")
        }
    }

    private func prefetch<Target: PersistentModel>(
        _ relationship: LoamStorage.Relationship, ordinal: Int, of models: [some PersistentModel],
        type: Target.Type
    ) throws {
        var targets: [(backing: _ModelBacking, rows: [RowID])] = []
        for model in models {
            guard let backing = model._$backing else { continue }
            if case .reference = relationship.storage {
                targets.append((backing, try backing.reference(ordinal).map { [$0] } ?? []))
            } else {
                targets.append((backing, try memberRows(of: backing, relationship)))
            }
        }
        let binding = try context.bindings.binding(of: type)
        let records = try context.readRecords(Set(targets.flatMap(\.rows)), of: binding)
        for (backing, rows) in targets {
            let own = Dictionary(rows.map { ($0, records[$0]) }, uniquingKeysWith: { first, _ in first })
            backing.keep(
                prefetched: PrefetchedRecords(records: own.compactMapValues(\.self), storedState: storedState), ordinal)
        }
        // Objects that there are already may not have read their record yet. Observers hear of newer ones last.
        for (row, record) in records {
            if let model = context.registered(row, of: binding.entity.id, as: type) {
                context.refresh(model, with: record, binding: binding)
            }
        }
    }
}
