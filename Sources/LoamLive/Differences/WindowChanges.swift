import LoamStorage

/// Which rows left the window of a result and which came in, where a row whose key changed has done both.
///
/// The rows that did neither stand in the same order before and after.
struct WindowChanges: Hashable {
    /// The rows that left the window, by their place in the old window, ascending.
    var removed: [PlacedRow] = []
    /// The rows that came into the window, by their place in the new window, ascending.
    var inserted: [PlacedRow] = []
}

extension WindowChanges {
    /// - Parameters:
    ///   - removed: rows taken out of the held ones, by their old position, ascending.
    ///   - inserted: rows put in among the held ones, by their new position, ascending.
    ///
    /// Other rows cross an end of the window because rows came or went before them. They are found by their rank
    /// among the rows that stayed. O(changes · log n).
    init(removed: [PlacedRow], inserted: [PlacedRow], old: ResultState, new: ResultState) {
        let (before, after) = (old.window, new.window)
        let (taken, put) = (removed.map(\.index), inserted.map(\.index))
        let ranksBefore = taken.rank(before.lowerBound)..<taken.rank(before.upperBound)
        let ranksAfter = put.rank(after.lowerBound)..<put.rank(after.upperBound)
        self.removed = removed.filter { before.contains($0.index) }
        self.inserted = inserted.filter { after.contains($0.index) }
        for rank in ranksBefore.subtracting(ranksAfter) {
            let position = taken.position(ofRank: rank)
            self.removed.append(PlacedRow(index: position, rowID: old.rowID(standingAt: position)))
        }
        for rank in ranksAfter.subtracting(ranksBefore) {
            let position = put.position(ofRank: rank)
            self.inserted.append(PlacedRow(index: position, rowID: new.rowID(standingAt: position)))
        }
        self.removed.rebase(to: before.lowerBound)
        self.inserted.rebase(to: after.lowerBound)
    }

    /// Finds the changes by merging the two windows. O(n), and what the two states share is passed over by leaves.
    init(from old: ResultState, to new: ResultState) {
        var (left, right) = (RowCursor(old.held, in: old.window), RowCursor(new.held, in: new.window))
        while !left.isAtEnd, !right.isAtEnd {
            if left.skipShared(with: &right) { continue }
            let side = left.compare(&right)
            if side == 0, left.rowID == right.rowID {
                left.next()
                right.next()
            } else if side < 0 || side == 0 && new.order.precedes(left.rowID, right.rowID) {
                removed.append(left.take())
            } else {
                inserted.append(right.take())
            }
        }
        while !left.isAtEnd { removed.append(left.take()) }
        while !right.isAtEnd { inserted.append(right.take()) }
    }
}

extension Range<Int> {
    /// The elements that are not in another range.
    fileprivate func subtracting(_ other: Range<Int>) -> [Int] {
        guard overlaps(other) else { return Array(self) }
        return Array(lowerBound..<Swift.max(lowerBound, other.lowerBound))
            + Array(Swift.min(upperBound, other.upperBound)..<upperBound)
    }
}

extension [PlacedRow] {
    fileprivate mutating func rebase(to start: Int) {
        for position in indices { self[position].index -= start }
        sort { $0.index < $1.index }
    }
}
