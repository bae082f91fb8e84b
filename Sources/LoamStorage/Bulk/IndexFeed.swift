import LMDB

/// Puts sorted entries into an index that nobody reads yet, in transactions of bounded size between which saves go on.
///
/// While no save has happened since the entries were made, they are right as they are. After a save, an entry is put in
/// only when its row still has the record that it was made from; the save itself has put in the others.
struct IndexFeed: ~Copyable {
    private let store: Store
    private let index: IndexID
    private let baseSave: UInt64
    private let stepBytes: Int
    private var pending: [IndexChange] = []
    private var pendingBytes = 0

    /// - Parameters:
    ///   - baseSave: the last save in the state that the entries were made from.
    ///   - stepBytes: bytes of entries per transaction; blocks take about half of it.
    init(_ store: Store, index: IndexID, baseSave: UInt64, stepBytes: Int) {
        self.store = store
        self.index = index
        self.baseSave = baseSave
        self.stepBytes = stepBytes
    }

    mutating func add(_ entry: IndexEntry) throws {
        pending.append(IndexChange(.insert, entry))
        pendingBytes += entry.key.count + 16 + entry.included.reduce(0) { $0 + ($1?.count ?? 0) }
        if pendingBytes >= stepBytes { try flush() }
    }

    mutating func flush() throws {
        guard !pending.isEmpty else { return }
        let (changes, index, baseSave) = (pending, index, baseSave)
        pending = []
        pendingBytes = 0
        try store.run(
            WriterJob { transaction, state in
                guard let (entity, access) = state.catalog.access(index: index) else {
                    throw StorageError(.unknownIndex, index: "#\(index)")
                }
                let current =
                    state.counters.lastSave == baseSave
                    ? changes : try Self.current(changes, entity: entity, baseSave: baseSave, transaction)
                state.hasWritten = true
                try IndexWriter.apply(
                    current, shape: access.blockShape, isTolerant: true, in: &transaction,
                    databases: state.databases.blocks)
            })
    }

    /// The entries whose rows were not saved since.
    private static func current(
        _ changes: [IndexChange], entity: EntityAccess, baseSave: UInt64, _ transaction: borrowing WriteTransaction
    ) throws -> [IndexChange] {
        try changes.filter { change in
            guard let record = try transaction.value(for: change.entry.rowID, in: entity.records) else { return false }
            return try RecordHeader.read(record).save <= baseSave
        }
    }
}
