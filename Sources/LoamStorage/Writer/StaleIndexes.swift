import LMDB

/// Indexes whose string forms another version of ICU made.
///
/// A process that makes other forms can neither read such an index nor keep it up. Its first write to the entity marks
/// the index stale in the same transaction; from then on nobody reads or maintains it until it is rebuilt.
enum StaleIndexes {
    static func mark(
        for entities: Set<EntityID>, in transaction: inout WriteTransaction, _ state: WriterState
    ) throws {
        let isAffected = entities.contains { id in
            state.catalog.entities[id]?.indexes.contains { !$0.hasCurrentForms && $0.index.state != .stale } ?? false
        }
        guard isAffected else { return }
        try CatalogStorage.change(&transaction, state) { document in
            for entity in document.schema.entities.indices
            where entities.contains(document.schema.entities[entity].id) {
                for index in document.schema.entities[entity].indexes.indices {
                    let version = document.schema.entities[entity].indexes[index].formVersion
                    if let version, version != StringForms.formVersion {
                        document.schema.entities[entity].indexes[index].state = .stale
                    }
                }
            }
        }
    }
}
