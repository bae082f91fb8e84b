import LMDB

/// Indexes that this process would make other entries for: their string forms or functions are of other versions, or
/// their definition is of another version of Loam.
///
/// Such a process can neither read the index nor keep it up. Its first write to the entity marks the index stale in the
/// same transaction; from then on nobody reads or maintains it until it is rebuilt.
enum StaleIndexes {
    static func mark(
        for entities: Set<EntityID>, in transaction: inout WriteTransaction, _ state: WriterState
    ) throws {
        let isAffected = entities.contains { id in
            state.catalog.entities[id]?.hasForeignIndexes ?? false
        }
        guard isAffected else { return }
        try CatalogStorage.change(in: &transaction, state: state) { $0.markStale(for: entities) }
    }
}
