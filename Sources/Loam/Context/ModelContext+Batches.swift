import LoamStorage

extension ModelContext {
    /// Fetches models as ``fetch(_:)`` does, but reads their records a batch at a time, when a model of the batch is
    /// asked for.
    ///
    /// The order and number of the models is that of the moment of the call. A model that was deleted since stands
    /// where it stood, with empty values.
    ///
    /// - Parameters:
    ///   - descriptor: which models, in which order.
    ///   - batchSize: how many records are read, and kept, at a time; one where it is not above 0.
    /// - Throws: as ``fetch(_:)``. What goes wrong when a batch is read is thrown by the context's next fetch or save.
    public func fetch<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> {
        let rows = try batched(descriptor, batchSize: batchSize)
        return FetchResultsCollection(rows: rows, element: { rows.model(at: $0) })
    }

    /// Fetches identifiers as ``fetchIdentifiers(_:)`` does, but makes them when they are asked for. The rows are
    /// found by the call, and kept with 8 bytes for each; the batch size is without effect.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        let rows = try batched(descriptor, batchSize: batchSize)
        return FetchResultsCollection(rows: rows, element: { rows.identifier(at: $0) })
    }

    private func batched<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> BatchedRows<T> {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let rowIDs = try store.rows(descriptor, readsRecords: false).map(\.rowID)
            return BatchedRows(
                rowIDs, binding: try store.bindings.binding(of: T.self), store: store, batchSize: max(1, batchSize),
                prefetching: descriptor.relationshipKeyPathsForPrefetching)
        } catch {
            throw SwiftDataError(error)
        }
    }
}

/// Rows of a fetch, of which one batch has its objects at hand.
private final class BatchedRows<T: PersistentModel>: FetchedRows {
    /// Keeps the store's part of it.
    let context: ModelContext
    private let store: StoreContext
    private let rowIDs: [RowID]
    private let binding: EntityBinding
    private let batchSize: Int
    private let prefetching: [PartialKeyPath<T>]
    private var batch: (start: Int, models: [T]) = (0, [])

    init(
        _ rowIDs: [RowID], binding: EntityBinding, store: StoreContext, batchSize: Int,
        prefetching: [PartialKeyPath<T>]
    ) {
        self.rowIDs = rowIDs
        self.binding = binding
        context = store.owner
        self.store = store
        self.batchSize = batchSize
        self.prefetching = prefetching
    }

    var owner: ModelContext? { context }
    var count: Int { rowIDs.count }

    var identifiers: [PersistentIdentifier] { rowIDs.indices.map(identifier) }

    func identifier(at position: Int) -> PersistentIdentifier {
        PersistentIdentifier(binding.origin, row: rowIDs[position])
    }

    func index(of identifier: PersistentIdentifier) -> Int? {
        guard identifier.storeIdentifier == binding.storeID, identifier.entityName == binding.entity.name else {
            return nil
        }
        return rowIDs.firstIndex(of: identifier.rowID)
    }

    func model(at position: Int) -> T {
        let inBatch = position - batch.start
        if batch.models.indices.contains(inBatch) { return batch.models[inBatch] }
        let start = position - position % batchSize
        let rows = rowIDs[start..<min(rowIDs.count, start + batchSize)]
        do {
            let records = try store.readRecords(Set(rows), of: binding)
            batch = (start, rows.map { store.object(T.self, rowID: $0, binding: binding, record: records[$0]) })
            try store.relationships.prefetch(prefetching, of: batch.models, binding: binding)
        } catch {
            // A subscript cannot throw: the objects read for themselves, and the context's next fetch or save says why.
            context.keep(error)
            batch = (start, rows.map { store.object(T.self, rowID: $0, binding: binding, record: nil) })
        }
        return batch.models[position - start]
    }
}
