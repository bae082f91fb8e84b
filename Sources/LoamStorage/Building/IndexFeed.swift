import LMDB

/// Puts sorted entries into an index that nobody reads yet, in transactions of bounded size between which saves go on.
///
/// While no save has happened since the entries were made, they are right as they are. After a save, each entry is made
/// again from its row's record as it is then: the number of the save that last changed a row does not tell, since a row
/// that a placing save renumbers keeps it. What the save has put in itself is put in once more, which does nothing.
///
/// Of trigrams it does tell: renumbering changes no text. Only rows that were saved since are taken apart again, each
/// once in a step.
struct IndexFeed: ~Copyable {
    private let store: Store
    private let index: IndexID
    private let baseSave: UInt64?
    private let stepBytes: Int
    private var pending: [IndexChange] = []
    private var pendingBytes = 0
    /// How often a text was taken apart again, in all steps.
    private(set) var textsTakenApart = 0

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
        let textsTakenApart = Box<Int>()
        try store.run(
            WriterJob { transaction, state in
                guard let (entity, access) = state.catalog.access(index: index) else {
                    throw StorageError(.unknownIndex, index: "#\(index)")
                }
                var current = changes
                if let baseSave, baseSave != state.counters.lastSave {
                    if access.hasTrigrams {
                        let kept = try TrigramsSince(baseSave, index: access, entity: entity)
                            .stillThere(changes, in: transaction)
                        current = kept.changes
                        textsTakenApart.value = kept.textsTakenApart
                    } else {
                        current = try Self.renewed(changes, index: access, of: entity, in: transaction)
                    }
                }
                state.hasWritten = true
                try IndexWriter.apply(
                    current, shape: access.blockShape, isTolerant: true, in: &transaction,
                    databases: state.databases.blocks)
            })
        self.textsTakenApart += textsTakenApart.value ?? 0
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

/// What saves since some save have left of the trigrams that rows had then.
private struct TrigramsSince {
    private let save: UInt64
    private let index: IndexAccess
    private let entity: EntityAccess

    init(_ save: UInt64, index: IndexAccess, entity: EntityAccess) {
        (self.save, self.index, self.entity) = (save, index, entity)
    }

    /// The changes whose rows have the trigram by now, in the same order, and how many texts were taken apart for that.
    /// Those that rows have got meanwhile the saves have put in.
    ///
    /// Cost: a look at the header of each row's record, and the trigrams of each text that was saved since.
    func stillThere(
        _ changes: [IndexChange], in transaction: borrowing WriteTransaction
    ) throws -> (changes: [IndexChange], textsTakenApart: Int) {
        var kept = Array(repeating: true, count: changes.count)
        var set = TrigramSet()
        var (row, isAsBefore, textsTakenApart) = (RowID?.none, true, 0)
        for position in changes.indices.sorted(by: { changes[$0].entry.rowID < changes[$1].entry.rowID }) {
            let entry = changes[position].entry
            if row != entry.rowID {
                row = entry.rowID
                isAsBefore = try lastSave(of: entry.rowID, in: transaction).map { $0 <= save } ?? false
                if !isAsBefore { textsTakenApart += try take(entry.rowID, into: &set, in: transaction) ? 1 : 0 }
            }
            guard !isAsBefore else { continue }
            kept[position] = TrigramSet.trigram(of: entry.key).map { set.contains($0) } ?? false
        }
        return (zip(changes, kept).compactMap { $1 ? $0 : nil }, textsTakenApart)
    }

    /// The save that last changed a row, but for renumbering it; nil where the row is gone.
    private func lastSave(of row: RowID, in transaction: borrowing WriteTransaction) throws -> UInt64? {
        guard let record = try transaction.value(for: row, in: entity.records) else { return nil }
        return try RecordHeader.read(record).save
    }

    /// The trigrams of a row's text as it is now. False where the row is gone, and has none.
    private func take(
        _ row: RowID, into set: inout TrigramSet, in transaction: borrowing WriteTransaction
    ) throws -> Bool {
        set.removeAll()
        guard let image = try RowImage.read(row, of: entity, in: transaction) else { return false }
        try index.takeTrigrams(of: image, into: &set)
        return true
    }
}
