import LMDB

/// What saves since some save have left of the trigrams that rows had then, for one index that is built in steps.
///
/// The entries of a long text are spread over all steps. So the trigrams of a text that was saved since are kept from
/// step to step, in bounded memory, until its row is saved again. Those for which there is no room are made in each step
/// that has one of their entries.
///
/// One thread at a time.
final class TrigramsSince {
    /// Trigrams that are kept at most, of 8 bytes each.
    static let mostKept = 1 << 20

    private struct Text {
        /// The save that last changed the row.
        var save: UInt64
        var trigrams: TrigramSet
    }

    private let save: UInt64
    private let mostKept: Int
    private var kept: [RowID: Text] = [:]
    private var keptCount = 0
    private var scratch = TrigramSet()
    /// How often a text was taken apart.
    private(set) var textsTakenApart = 0

    /// - Parameter save: the last one in the state that the entries were made from.
    init(_ save: UInt64, mostKept: Int = mostKept) { (self.save, self.mostKept) = (save, mostKept) }

    /// The changes whose rows have the trigram by now, in the same order. Those that rows have got meanwhile the saves
    /// have put in.
    ///
    /// Cost: a look at the header of each row's record, and the trigrams of each text that was saved since it was looked
    /// at last.
    func stillThere(
        _ changes: [IndexChange], index: IndexAccess, of entity: EntityAccess,
        in transaction: borrowing WriteTransaction
    ) throws -> [IndexChange] {
        var isKept = Array(repeating: true, count: changes.count)
        var (row, trigrams) = (RowID?.none, TrigramSet?.none)
        for position in changes.indices.sorted(by: { changes[$0].entry.rowID < changes[$1].entry.rowID }) {
            let entry = changes[position].entry
            if row != entry.rowID {
                row = entry.rowID
                trigrams = try changedTrigrams(of: entry.rowID, index: index, of: entity, in: transaction)
            }
            guard let trigrams else { continue }
            isKept[position] = TrigramSet.trigram(of: entry.key).map { trigrams.contains($0) } ?? false
        }
        return zip(changes, isKept).compactMap { $1 ? $0 : nil }
    }

    /// The trigrams of a row that was saved since, none of one that is gone; nil where the row is as it was.
    private func changedTrigrams(
        of row: RowID, index: IndexAccess, of entity: EntityAccess, in transaction: borrowing WriteTransaction
    ) throws -> TrigramSet? {
        guard let saved = try lastSave(of: row, in: entity, transaction) else {
            forget(row)
            return TrigramSet()
        }
        guard saved > save else { return nil }
        if let known = kept[row], known.save == saved { return known.trigrams }
        forget(row)
        scratch.removeAll()
        guard let image = try RowImage.read(row, of: entity, in: transaction) else { return TrigramSet() }
        try index.takeTrigrams(of: image, into: &scratch)
        textsTakenApart += 1
        let trigrams = TrigramSet(distinct: scratch.trigrams)
        keep(Text(save: saved, trigrams: trigrams), of: row)
        return trigrams
    }

    private func keep(_ text: Text, of row: RowID) {
        let count = keptCount + text.trigrams.trigrams.count
        guard count <= mostKept else { return }
        kept[row] = text
        keptCount = count
    }

    private func forget(_ row: RowID) {
        if let text = kept.removeValue(forKey: row) { keptCount -= text.trigrams.trigrams.count }
    }

    /// The save that last changed a row, but for renumbering it; nil where the row is gone.
    private func lastSave(
        of row: RowID, in entity: EntityAccess, _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard let record = try transaction.value(for: row, in: entity.records) else { return nil }
        return try RecordHeader.read(record).save
    }
}
