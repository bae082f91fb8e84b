package import LoamStorage

/// What leads from one state of a result to the next.
///
/// To be applied in this order: rows that were deleted or moved are taken out at their old positions, sections that
/// were deleted are taken out (they are empty by then), new ones put in, and rows that were inserted or moved are put in
/// at their new positions, ascending. Every row is listed once at the most; those of a deleted or new section too.
package struct LiveDifference: Hashable, Sendable {
    package struct SectionInsertion: Hashable, Sendable {
        package var section: Int
        package var identifier: Value
    }

    package struct Insertion: Hashable, Sendable {
        package var position: ResultPosition
        package var rowID: RowID
    }

    /// A row that changed, and stands elsewhere for it.
    package struct Move: Hashable, Sendable {
        package var from: ResultPosition
        package var to: ResultPosition
        package var rowID: RowID
    }

    /// Old sections that are gone, ascending.
    package var deletedSections: [Int] = []
    /// Sections that were not there, by their new number, ascending.
    package var insertedSections: [SectionInsertion] = []
    /// Old positions of rows that are gone, ascending.
    package var deletions: [ResultPosition] = []
    /// New positions of rows that were not there, ascending.
    package var insertions: [Insertion] = []
    /// By new position, ascending.
    package var moves: [Move] = []
    /// New positions of rows that changed and did not move, ascending.
    package var updates: [ResultPosition] = []

    package init() {}

    package var isEmpty: Bool { self == LiveDifference() }
}

/// What a delivery says beside the new state.
package enum LiveChange: Hashable, Sendable {
    /// Anything may be different: whoever shows the result starts over.
    case reset
    case difference(LiveDifference)
}
