package import LoamStorage

/// What leads from one state of a result to the next.
///
/// It is applied in this order: rows that were deleted or moved are taken out at their old positions; sections that
/// were deleted are taken out, which are empty by then; new sections are put in; rows that were inserted or moved are
/// put in at their new positions, ascending. Every row is listed at most once, also a row of a deleted or new section.
package struct LiveDifference: Hashable, Sendable {
    package struct SectionInsertion: Hashable, Sendable {
        package var section: Int
        package var identifier: Value
    }

    package struct Insertion: Hashable, Sendable {
        package var position: ResultPosition
        package var rowID: RowID
    }

    /// A row that changed and therefore stands at another place.
    package struct Move: Hashable, Sendable {
        package var from: ResultPosition
        package var to: ResultPosition
        package var rowID: RowID
    }

    /// A row that changed and did not move.
    package struct Update: Hashable, Sendable {
        package var position: ResultPosition
        package var rowID: RowID

        package init(position: ResultPosition, rowID: RowID) {
            (self.position, self.rowID) = (position, rowID)
        }
    }

    /// The old numbers of sections that are gone, ascending.
    package var deletedSections: [Int] = []
    /// The sections that were not there before, by their new number, ascending.
    package var insertedSections: [SectionInsertion] = []
    /// The old positions of rows that are gone, ascending.
    package var deletions: [ResultPosition] = []
    /// The new positions of rows that were not there before, ascending.
    package var insertions: [Insertion] = []
    /// The rows that moved, by their new position, ascending.
    package var moves: [Move] = []
    /// The rows that changed and did not move, by their new position, ascending.
    package var updates: [Update] = []

    package init() {}

    package var isEmpty: Bool { self == LiveDifference() }
}

/// What a delivery says beside the new state.
package enum LiveChange: Hashable, Sendable {
    /// Anything may be different. Whoever shows the result shows all of it anew.
    case reset
    case difference(LiveDifference)
}
