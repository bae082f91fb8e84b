package import LoamStorage

extension LiveDifference {
    /// What leads from one state to another of the same query, by merging the two: O(n), and O(n log n) where one of them
    /// holds no rows.
    ///
    /// - Parameter changed: rows whose values differ, whether or not their keys do.
    package init(from old: ResultState, to new: ResultState, changed: Set<RowID>) {
        guard old.virtual == nil, new.virtual == nil else {
            self.init(rearranging: old, to: new, touched: changed)
            return
        }
        let touched = new.held.find(Array(changed)).map(\.row)
        self.init(WindowChanges(from: old, to: new), from: old, to: new, touched: touched)
    }

    /// - Parameter touched: the rows of the new state whose values differ. They may be among the changes, too.
    init(_ changes: WindowChanges, from old: ResultState, to new: ResultState, touched: some Sequence<ResultRow>) {
        let listed = Set(changes.inserted.map(\.rowID))
        let updated = touched.compactMap { row -> PlacedRow? in
            guard !listed.contains(row.rowID), let index = new.index(of: row) else { return nil }
            return PlacedRow(index: index, rowID: row.rowID)
        }
        self.init(changes, from: old, to: new, updated: updated)
    }

    /// - Parameter updated: the rows of the new state whose values differ and that are not among the changes, by their
    ///   places in it, in no order.
    init(_ changes: WindowChanges, from old: ResultState, to new: ResultState, updated: [PlacedRow]) {
        compareSections(changes, old: old, new: new)
        let matches = RowMatches(changes, old: old, new: new)
        deletions = matches.deleted.map { old.position(at: $0.index) }
        insertions = matches.inserted.map { Insertion(position: new.position(at: $0.index), rowID: $0.rowID) }
        moves = matches.moved.map {
            Move(from: old.position(at: $0.from), to: new.position(at: $0.to), rowID: $0.rowID)
        }
        updates = (matches.updated + updated).sorted { $0.index < $1.index }.map {
            Update(position: new.position(at: $0.index), rowID: $0.rowID)
        }
    }

    /// A section can only go with a row that goes, and come with a row that comes.
    private mutating func compareSections(_ changes: WindowChanges, old: ResultState, new: ResultState) {
        guard new.isSectioned, !(changes.removed.isEmpty && changes.inserted.isEmpty) else { return }
        let left = Set(changes.removed.map { old.position(at: $0.index).section })
        deletedSections = left.filter { new.visibleSection(withKey: old.sectionKey(at: $0)) == nil }.sorted()
        let entered = Set(changes.inserted.map { new.position(at: $0.index).section })
        insertedSections = entered.filter { old.visibleSection(withKey: new.sectionKey(at: $0)) == nil }.sorted().map {
            SectionInsertion(section: $0, identifier: new.section(at: $0).identifier)
        }
    }
}

/// The rows that were taken out and put in again, apart from those that only went or came.
private struct RowMatches {
    var deleted: [PlacedRow] = []
    var inserted: [PlacedRow] = []
    var moved: [(rowID: RowID, from: Int, to: Int)] = []
    /// The new places of rows that kept their place among the others.
    var updated: [PlacedRow] = []

    init(_ changes: WindowChanges, old: ResultState, new: ResultState) {
        var ranks: [RowID: (rank: Int, index: Int)] = [:]
        for (number, row) in changes.removed.enumerated() { ranks[row.rowID] = (row.index - number, row.index) }
        // Rows that stay put must not overtake each other: the old place of each is behind that of the one before it.
        var last = -1
        for (number, row) in changes.inserted.enumerated() {
            guard let source = ranks.removeValue(forKey: row.rowID) else {
                inserted.append(row)
                continue
            }
            let isInPlace = source.rank == row.index - number && source.index > last
            if isInPlace, Self.haveOneSection(source.index, old: old, after: row.index, new: new) {
                last = source.index
                updated.append(row)
            } else {
                moved.append((row.rowID, source.index, row.index))
            }
        }
        deleted = changes.removed.filter { ranks[$0.rowID] != nil }
    }

    private static func haveOneSection(_ before: Int, old: ResultState, after: Int, new: ResultState) -> Bool {
        guard new.isSectioned else { return true }
        return old.sectionKey(at: old.position(at: before).section)
            == new.sectionKey(at: new.position(at: after).section)
    }
}
