import LMDB

/// Puts sorted entries into an index that nobody reads yet, in transactions of bounded size between which saves go on.
///
/// While no save has happened since the entries were made, they are right as they are. After a save, each entry is made
/// again from its row's record as it is then: the number of the save that last changed a row does not tell, since a row
/// that a placing save renumbers keeps it. What the save has put in itself is put in once more, which does nothing.
struct IndexFeed: ~Copyable {
    private let store: Store
    private let index: IndexID
    private let baseSave: UInt64?
    private let stepBytes: Int
    private var pending: [IndexChange] = []
    private var pendingBytes = 0

    /// - Parameters:
    ///   - baseSave: the last save in the state that the entries were made from; nil where nobody else knows the entity.
    ///   - stepBytes: bytes of entries per transaction; blocks take about half of it.
    init(_ store: Store, index: IndexID, baseSave: UInt64?, stepBytes: Int) {
        self.store = store
        self.index = index
        self.baseSave = baseSave
        self.stepBytes = stepBytes
    }

    mutating func add(_ entry: IndexEntry) throws {
        pending.append(IndexChange(.insert, entry: entry))
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
                let isCurrent = baseSave == nil || baseSave == state.counters.lastSave
                let current =
                    isCurrent ? changes : try Self.renewed(changes, index: access, of: entity, in: transaction)
                state.hasWritten = true
                try IndexWriter.apply(
                    current, shape: access.blockShape, isTolerant: true, in: &transaction,
                    databases: state.databases.blocks)
            })
    }

    /// The entries of the same rows as the records are now, without those of rows that are gone.
    private static func renewed(
        _ changes: [IndexChange], index: IndexAccess, of entity: EntityAccess,
        in transaction: borrowing WriteTransaction
    ) throws -> [IndexChange] {
        if index.hasTrigrams { return try stillThere(changes, index: index, of: entity, in: transaction) }
        var renewed = try changes.compactMap { change in
            try RowImage.read(change.entry.rowID, of: entity, in: transaction)
                .map { IndexChange(.insert, entry: try index.entry(of: $0)) }
        }
        renewed.sortForIndex(invertsRowID: index.blockShape.invertsRowID)
        return renewed
    }

    /// The entries of trigrams that their rows have by now. Those that rows have got meanwhile the saves have put in.
    private static func stillThere(
        _ changes: [IndexChange], index: IndexAccess, of entity: EntityAccess,
        in transaction: borrowing WriteTransaction
    ) throws -> [IndexChange] {
        var set = TrigramSet()
        return try changes.filter { change in
            guard let image = try RowImage.read(change.entry.rowID, of: entity, in: transaction) else { return false }
            try index.takeTrigrams(of: image, into: &set)
            return TrigramSet.trigram(of: change.entry.key).map { set.contains($0) } ?? false
        }
    }
}
