import LoamLive
import LoamStorage

/// One change on the way from a state of a result to the next. Done one after the other, the steps of a difference lead
/// from the one to the other: each says where a row or a section is at its turn.
struct WatchStep: Hashable {
    /// The steps come in this order, but for `insert` and `moveTo`, which are mixed.
    enum Kind: String {
        /// The row at an old position is gone.
        case delete
        /// The row at an old position is taken out, to be put in again by ``moveTo``.
        case moveFrom
        /// The section with an old number, which is empty by now, is gone.
        case deleteSection
        /// A section is put in, without rows, at its new number.
        case insertSection
        /// A row is put in at its new position.
        case insert
        /// A row that was taken out is put in at its new position.
        case moveTo
        /// The values of the row at a new position are others.
        case update
    }

    /// What a step is about.
    enum Subject: Hashable {
        case section(Int, Value)
        case row(RowID, at: ResultPosition)
    }

    let kind: Kind
    let subject: Subject
    /// The old position of a row that moves.
    var from: ResultPosition?

    /// The row whose values the step shows.
    var shownRow: RowID? {
        switch (kind, subject) {
        case (.insert, .row(let rowID, _)), (.moveTo, .row(let rowID, _)), (.update, .row(let rowID, _)): rowID
        default: nil
        }
    }

    /// The row that is not in the result any more.
    var goneRow: RowID? {
        if case (.delete, .row(let rowID, _)) = (kind, subject) { rowID } else { nil }
    }

    /// The steps of a difference. O(rows of the difference · log(rows of the result)).
    static func steps(_ difference: LiveDifference, from old: ResultState, to new: ResultState) -> [WatchStep] {
        leaving(difference, old) + sections(difference, old) + entering(difference)
            + difference.updates.map { WatchStep(kind: .update, subject: .row($0.rowID, at: $0.position)) }
    }

    /// Rows that are taken out, the last one first, so that the others keep their old positions.
    private static func leaving(_ difference: LiveDifference, _ old: ResultState) -> [WatchStep] {
        let deleted = difference.deletions.map { (position: $0, kind: Kind.delete) }
        let moved = difference.moves.map { (position: $0.from, kind: Kind.moveFrom) }
        return (deleted + moved).sorted { $0.position > $1.position }.compactMap { position, kind in
            old.index(at: position).map { WatchStep(kind: kind, subject: .row(old[$0], at: position)) }
        }
    }

    private static func sections(_ difference: LiveDifference, _ old: ResultState) -> [WatchStep] {
        difference.deletedSections.reversed().map {
            WatchStep(kind: .deleteSection, subject: .section($0, old.section(at: $0).identifier))
        }
            + difference.insertedSections.map {
                WatchStep(kind: .insertSection, subject: .section($0.section, $0.identifier))
            }
    }

    /// Rows that are put in, the first one first: then all of those before it are in place.
    private static func entering(_ difference: LiveDifference) -> [WatchStep] {
        let inserted = difference.insertions.map {
            (position: $0.position, step: WatchStep(kind: .insert, subject: .row($0.rowID, at: $0.position)))
        }
        let moved = difference.moves.map {
            (position: $0.to, step: WatchStep(kind: .moveTo, subject: .row($0.rowID, at: $0.to), from: $0.from))
        }
        return (inserted + moved).sorted { $0.position < $1.position }.map(\.step)
    }
}
