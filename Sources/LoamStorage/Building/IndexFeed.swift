import LMDB

/// Puts sorted entries into an index that nobody reads yet, in transactions of bounded size between which saves go on.
///
/// While no save has happened since the entries were made, they are right as they are. After a save, each entry is made
/// again from its row's record as it is then: the number of the save that last changed a row does not tell, since a row
/// that a placing save renumbers keeps it. What the save has put in itself is put in once more, which does nothing.
///
/// Of trigrams it does tell: renumbering changes no text. Only texts that were saved since are taken apart again, each
/// once (``TrigramsSince``).
struct IndexFeed: ~Copyable {
    private let store: Store
    private let index: IndexID
    private let baseSave: UInt64?
    private let stepBytes: Int
    private var pending: [IndexChange] = []
    private var pendingBytes = 0
    private let trigrams: TrigramsSince
    /// How often a text was taken apart again, in all steps.
    var textsTakenApart: Int { trigrams.textsTakenApart }

    /// - Parameters:
    ///   - baseSave: the last save in the state that the entries were made from; nil where nobody else knows the entity.
    ///   - stepBytes: bytes of entries per transaction; blocks take about half of it.
    init(_ store: Store, index: IndexID, baseSave: UInt64?, stepBytes: Int) {
        self.store = store
        self.index = index
        self.baseSave = baseSave
        self.stepBytes = stepBytes
        trigrams = TrigramsSince(baseSave ?? 0)
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
        // Nobody else has it, and this waits for the job.
        nonisolated(unsafe) let trigrams = trigrams
        try store.run(
            WriterJob { transaction, state in
                guard let (entity, access) = state.catalog.access(index: index) else {
                    throw StorageError(.unknownIndex, index: "#\(index)")
                }
                var current = changes
                if let baseSave, baseSave != state.counters.lastSave {
                    current =
                        access.hasTrigrams
                        ? try trigrams.stillThere(changes, index: access, of: entity, in: transaction)
                        : try Self.renewed(changes, index: access, of: entity, in: transaction)
                }
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
        var renewed = try changes.compactMap { change in
            try RowImage.read(change.entry.rowID, of: entity, in: transaction)
                .map { IndexChange(.insert, entry: try index.entry(of: $0)) }
        }
        renewed.sortForIndex(invertsRowID: index.blockShape.invertsRowID)
        return renewed
    }
}
