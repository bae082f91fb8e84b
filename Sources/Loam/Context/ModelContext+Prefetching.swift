import LoamStorage

extension ModelContext {
    /// Reads the models that relationships lead to, all in one go, and keeps them as long as the models that lead there.
    func prefetch<T: PersistentModel>(
        _ keyPaths: [PartialKeyPath<T>], of models: [T], _ binding: EntityBinding
    ) throws {
        for keyPath in keyPaths {
            guard let ordinal = binding.model.ordinal(of: keyPath), let relationship = binding.relationships[ordinal]
            else {
                throw SwiftDataError(.unsupportedKeyPath, "\(keyPath) is no relationship of \(binding.entity.name).")
            }
            guard let destination = binding.model.properties[ordinal].destination else { continue }
            try prefetch(relationship, ordinal, of: models, destination)
        }
    }

    private func prefetch<Target: PersistentModel>(
        _ relationship: LoamStorage.Relationship, _ ordinal: Int, of models: [some PersistentModel],
        _ type: Target.Type
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
        let binding = try binding(of: type)
        let records = try readRecords(Set(targets.flatMap(\.rows)), of: binding)
        for (backing, rows) in targets {
            backing.prefetched[ordinal] = rows.compactMap { row -> Target? in
                guard let record = records[row] else { return registered[row]?.model as? Target }
                return object(type, row, binding, record: record)
            }
        }
    }

    /// The records of rows, read in the order of their ids in one snapshot.
    func readRecords(_ rows: Set<RowID>, of binding: EntityBinding) throws -> [RowID: DetachedRecord] {
        try container.store.read { snapshot in
            let entity = try snapshot.entity(withID: binding.entity.id)
            var records: [RowID: DetachedRecord] = [:]
            records.reserveCapacity(rows.count)
            for row in rows.sorted() {
                guard let bytes = try snapshot.record(row, of: entity) else { continue }
                records[row] = try DetachedRecord(bytes, rowID: row, of: entity.id, in: snapshot.catalog)
            }
            return records
        }
    }
}
