import LoamLive
import LoamStorage

/// What a delegate hears of one object.
struct ObjectChange: Hashable {
    let type: FetchedResultsChangeType
    let rowID: RowID
    /// Where it was before the change.
    let from: ResultPosition?
    /// Where it is after the change.
    let to: ResultPosition?
}

extension ObjectChange {
    /// All that a difference says of objects, in the order in which a delegate hears it. O(changes · log n).
    ///
    /// A move from a section that goes, or to one that comes, is a deletion and an insertion.
    static func all(in difference: LiveDifference, from old: ResultState, to new: ResultState) -> [ObjectChange] {
        let deleted = Set(difference.deletedSections)
        let inserted = Set(difference.insertedSections.map(\.section))
        var (gone, come, moved): ([ObjectChange], [ObjectChange], [ObjectChange]) = ([], [], [])
        for position in difference.deletions {
            guard let index = old.index(at: position) else { continue }
            gone.append(ObjectChange(type: .delete, rowID: old[index], from: position, to: nil))
        }
        for row in difference.insertions {
            come.append(ObjectChange(type: .insert, rowID: row.rowID, from: nil, to: row.position))
        }
        for move in difference.moves {
            if deleted.contains(move.from.section) || inserted.contains(move.to.section) {
                gone.append(ObjectChange(type: .delete, rowID: move.rowID, from: move.from, to: nil))
                come.append(ObjectChange(type: .insert, rowID: move.rowID, from: nil, to: move.to))
            } else {
                moved.append(ObjectChange(type: .move, rowID: move.rowID, from: move.from, to: move.to))
            }
        }
        // Positions of one list, so that no two are equal.
        gone.sort { left, right in right.from.isBefore(left.from) }
        come.sort { $0.to.isBefore($1.to) }
        return gone + come + moved + updates(in: difference, from: old, to: new)
    }

    /// Rows that did not move stand in one order before and after: each is found among those by its rank.
    private static func updates(
        in difference: LiveDifference, from old: ResultState, to new: ResultState
    ) -> [ObjectChange] {
        let left = (difference.deletions + difference.moves.map(\.from)).compactMap { old.index(at: $0) }.sorted()
        let arrived = (difference.insertions.map(\.position) + difference.moves.map(\.to))
            .compactMap { new.index(at: $0) }.sorted()
        var (passed, before) = (0, 0)
        return difference.updates.compactMap { update in
            guard let index = new.index(at: update.position) else { return nil }
            while passed < arrived.count, arrived[passed] < index { passed += 1 }
            while before < left.count, left[before] - before <= index - passed { before += 1 }
            return ObjectChange(
                type: .update, rowID: update.rowID, from: old.position(at: index - passed + before),
                to: update.position)
        }
    }
}

extension ResultPosition? {
    fileprivate func isBefore(_ other: ResultPosition?) -> Bool {
        guard let self, let other else { return false }
        return self < other
    }
}
