import LMDB

/// Builds an index over rows that are there while saves go on.
///
/// The index is in the catalog as *building* before this begins, so every save from then on maintains it. The builder
/// sorts the entries of one state of the store, gives that state up, and feeds them in steps (``IndexFeed``).
/// A last step checks uniqueness and makes the index *ready*. Memory is bounded by the sorter's budget; two
/// builders of one index, after a crash say, do each other no harm.
struct IndexBuilder {
    let store: Store
    /// Bytes that entries may take in memory before they are sorted in a file.
    var sortBudget = 128 << 20
    /// Bytes of entries per step, which dirty at most 512 pages: LMDB may fill each page that it splits by half alone.
    static let stepBytes = 512 << 10

    /// - Parameter progress: is told how many rows have been read, and of how many.
    func build(_ index: IndexID, progress: ((Int, Int) -> Void)? = nil) throws {
        let (sorter, baseSave) = try collect(index, progress)
        var feed = IndexFeed(store, index: index, baseSave: baseSave, stepBytes: Self.stepBytes)
        try sorter.forEachSorted { try feed.add($0.entry) }
        try feed.flush()
    }

    /// The sorted entries of one state of the store, and the last save in it. None where the index is not being built in
    /// that state: somebody else has made it ready, and then the rows of a load, which nobody may see, can be among those
    /// that are there. As long as an index is built, no load begins but the one that it is built for.
    func collect(_ id: IndexID, _ progress: ((Int, Int) -> Void)?) throws -> (EntrySorter, UInt64) {
        try store.read { snapshot in
            guard let (entity, index) = snapshot.catalog.access(index: id) else {
                throw StorageError(.unknownIndex, index: "#\(id)")
            }
            let sorter = EntrySorter(shape: index.blockShape, budget: sortBudget)
            guard index.index.state == .building else { return (sorter, try snapshot.lastSave()) }
            let total = try snapshot.transaction.statistics(of: entity.records).entries
            var count = 0
            try entity.scanImages(in: snapshot.transaction) { image in
                try index.forEachEntry(of: image) { try sorter.append($0) }
                count += 1
                if count % 4096 == 0 { progress?(count, total) }
            }
            return (sorter, try snapshot.lastSave())
        }
    }

    /// Checks uniqueness and makes the indexes ready, in the transaction of a job. One that another builder has made
    /// ready meanwhile stays as it is.
    static func finish(
        _ ids: [IndexID], in transaction: inout WriteTransaction, state: WriterState,
        change: (inout CatalogDocument) throws -> Void = { _ in }
    ) throws {
        for id in ids {
            guard let (entity, index) = state.catalog.access(index: id) else {
                throw StorageError(.unknownIndex, index: "#\(id)")
            }
            switch index.index.state {
            case .ready: continue
            case .building:
                if index.index.kind == .unique {
                    try checkUniqueness(of: index, entity: entity, in: transaction, state: state)
                }
            default:
                // A process with other string forms may have made it stale, and left it alone since.
                throw StorageError(
                    .indexNotReady(state: index.index.state.rawValue), entity: entity.entity.name,
                    index: index.index.name)
            }
        }
        try CatalogStorage.change(in: &transaction, state: state) { document in
            for id in ids { document.builders[id] = nil }
            for entity in document.schema.entities.indices {
                for index in document.schema.entities[entity].indexes.indices
                where ids.contains(document.schema.entities[entity].indexes[index].id) {
                    document.schema.entities[entity].indexes[index].state = .ready
                }
            }
            try change(&document)
        }
    }

    private static func checkUniqueness(
        of index: IndexAccess, entity: EntityAccess, in transaction: borrowing WriteTransaction, state: WriterState
    ) throws {
        var check = SortedUniquenessCheck(index: index, entity: entity)
        let reader = IndexReader(shape: index.blockShape, databases: state.databases.blocks)
        try reader.scan(.all, reversed: false, in: transaction) { batch in
            for position in 0..<batch.count {
                let key = try batch.key(at: position)
                try key.withUnsafeBytes { key in
                    try check.add(key: key, rowID: batch.rowID(at: position)) {
                        try RowImage.read($0, of: entity, in: transaction)
                    }
                }
            }
            return true
        }
    }
}
