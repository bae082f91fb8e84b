package import LoamStorage

/// What leads a consumer from the state that it has to the newest: two states and the rows that differ between them,
/// however many rounds of upkeep lie between.
package struct LiveUpdate: Sendable {
    /// The state that the consumer has.
    package let old: ResultState
    package private(set) var new: ResultState
    private var changes: Changes
    /// Whether unsaved changes lie between the states, so that values may differ though both are of one save.
    package private(set) var hasUnsaved = false

    private enum Changes: Sendable {
        case reset
        /// The difference that one round made, with the rows that it looked at.
        case one(LiveDifference, [RowID: RowPassage])
        /// All rows whose places or values may differ after several rounds.
        case several([RowID: RowPassage])
        /// What is asked has changed, and the values of these rows may differ: which of them, or any where that is nil.
        case rearranged([RowID: FieldMask?])

        /// Nil where the keys of the rows do not tell where they stood and stand.
        var rows: [RowID: RowPassage]? {
            switch self {
            case .reset, .rearranged: nil
            case .one(_, let rows), .several(let rows): rows
            }
        }

        /// The rows whose values may differ, and in which fields; nil where they may be any.
        var touched: [RowID: FieldMask?]? {
            switch self {
            case .reset: nil
            case .one(_, let rows), .several(let rows): rows.mapValues(\.fields)
            case .rearranged(let fields): fields
            }
        }
    }

    /// The most rows that are told one by one. Beyond that, the consumer shows everything anew.
    package static let mostRows = 1 << 16

    /// - Parameter rows: those of the difference and of ``LiveDifference/updates``, or more; nil where they are too many.
    init(old: ResultState, new: ResultState, _ difference: LiveDifference, rows: [RowID: RowPassage]?) {
        (self.old, self.new) = (old, new)
        changes = rows.flatMap { $0.count > Self.mostRows ? nil : .one(difference, $0) } ?? .reset
    }

    /// An update after which anything may be different.
    ///
    /// - Parameter hasUnsaved: whether unsaved changes are shown in one of the states.
    package init(resetting old: ResultState, to new: ResultState, hasUnsaved: Bool = false) {
        (self.old, self.new, changes) = (old, new, .reset)
        self.hasUnsaved = hasUnsaved
    }

    /// An update to a state that others lay over the same rows, or over those that an update leads to.
    ///
    /// - Parameter rows: every row that may be placed differently, or shown.
    init(laying old: ResultState, to new: ResultState, rows: [RowID: RowPassage]) {
        (self.old, self.new) = (old, new)
        changes = rows.count > Self.mostRows ? .reset : .several(rows)
        hasUnsaved = true
    }

    /// An update to a state that cannot be compared row by row.
    ///
    /// - Parameters:
    ///   - touched: the rows whose values may differ, and in which fields; nil where they may be any.
    ///   - hasUnsaved: whether unsaved changes are shown in one of the states.
    init(
        rearranging old: ResultState, to new: ResultState, touched: [RowID: FieldMask?]?, hasUnsaved: Bool = true
    ) {
        (self.old, self.new) = (old, new)
        let touched = touched.flatMap { max(old.count, new.count, $0.count) > Self.mostRows ? nil : $0 }
        changes = touched.map(Changes.rearranged) ?? .reset
        self.hasUnsaved = hasUnsaved
    }

    /// Where the rows stood and stand that may be placed differently, or shown; nil where that is not known.
    var passages: [RowID: RowPassage]? { changes.rows }

    /// The rows whose values may differ, and in which fields; nil where they may be any.
    var touched: [RowID: FieldMask?]? { changes.touched }

    /// Whether some row may stand elsewhere, be new or gone: not where only values differ. O(rows).
    package var changesPlaces: Bool {
        switch changes {
        case .reset, .rearranged: true
        case .one(let difference, _): difference.changesPlaces
        case .several(let rows): rows.values.contains { $0.before != $0.after }
        }
    }

    /// The record that a row had before it was deleted; nil where it was not, or the record is not known. O(1).
    package func lastRecord(of rowID: RowID) -> [UInt8]? { changes.rows?[rowID]?.last }

    /// The rows that it names: not always all whose values may differ.
    package var namedRowIDs: [RowID] { changes.touched.map { Array($0.keys) } ?? [] }

    /// The rows whose values may differ, or that are in one of the states only; nil where that is not known.
    package var changedRowIDs: [RowID]? { changes.rows.map { Array($0.keys) } }

    /// The fields of a row, by their positions in the entity, whose values differ between the states, or did between;
    /// none where only a related row changed, nil where they may be any. O(1).
    package func changedFields(of rowID: RowID) -> FieldMask? {
        switch changes {
        case .reset: nil
        case .one(_, let rows), .several(let rows): rows[rowID].flatMap(\.fields)
        case .rearranged(let fields): fields[rowID, default: []]
        }
    }

    /// An update to the result of another query, at the same save.
    init(rearranging old: ResultState, to new: ResultState) {
        (self.old, self.new) = (old, new)
        changes = max(old.count, new.count) > Self.mostRows ? .reset : .rearranged([:])
    }

    package var isReset: Bool {
        if case .reset = changes { true } else { false }
    }

    /// Leads on to the end of an update that begins where this one ends. O(rows of both).
    package mutating func append(_ later: LiveUpdate) {
        new = later.new
        hasUnsaved = hasUnsaved || later.hasUnsaved
        guard let rows = changes.rows, let others = later.changes.rows else {
            guard let first = changes.touched, let second = later.changes.touched,
                max(old.count, new.count, first.count + second.count) <= Self.mostRows
            else {
                changes = .reset
                return
            }
            changes = .rearranged(first.merging(second) { $0.union($1) })
            return
        }
        let all = rows.merging(others) {
            RowPassage(
                before: $0.before, after: $1.after, fields: $0.fields.union($1.fields), last: $1.last)
        }
        changes = all.count > Self.mostRows ? .reset : .several(all)
    }

    /// Whether ``change()``, and telling what it gives, looks at more rows than so many. O(1).
    package func looksAt(moreThan limit: Int) -> Bool {
        switch changes {
        case .reset: false
        case .one(_, let rows): rows.count > limit
        case .rearranged: max(old.count, new.count) > limit
        case .several(let rows):
            rows.count > limit || (old.isWindow || new.isWindow) && max(old.count, new.count) > limit
        }
    }

    /// The difference between the two states: at once where one round made it, else O(rows · log n), and O(n) for a
    /// result with a limit or an offset; O(n log n) where another query was asked. It may be empty where several rounds have taken each other back.
    package func change() -> LiveChange {
        switch changes {
        case .reset: .reset
        case .one(let difference, _): .difference(difference)
        case .rearranged(let rows): .difference(LiveDifference(rearranging: old, to: new, touched: Set(rows.keys)))
        case .several(let rows): LiveDifference(between: old, and: new, rows: rows).map(LiveChange.difference) ?? .reset
        }
    }
}

extension LiveDifference {
    fileprivate var changesPlaces: Bool {
        !(deletedSections.isEmpty && insertedSections.isEmpty && deletions.isEmpty && insertions.isEmpty
            && moves.isEmpty)
    }

    /// Nil where a row cannot be found, because the store cannot be read.
    ///
    /// - Parameter rows: every row that may be placed differently, or shown.
    fileprivate init?(between old: ResultState, and new: ResultState, rows: [RowID: RowPassage]) {
        // Rows that cross an end of the window have no passage.
        guard !old.isWindow, !new.isWindow else {
            self.init(from: old, to: new, changed: Set(rows.keys))
            return
        }
        var (removed, inserted): ([PlacedRow], [PlacedRow]) = ([], [])
        for (rowID, passage) in rows where passage.before != passage.after {
            if let before = passage.before {
                guard let index = old.place(of: before) else { return nil }
                removed.append(PlacedRow(index: index, rowID: rowID))
            }
            if let after = passage.after {
                guard let index = new.place(of: after) else { return nil }
                inserted.append(PlacedRow(index: index, rowID: rowID))
            }
        }
        removed.sort { $0.index < $1.index }
        inserted.sort { $0.index < $1.index }
        self.init(
            WindowChanges(removed: removed, inserted: inserted, old: old, new: new), from: old, to: new,
            touched: rows.values.lazy.compactMap(\.after))
    }
}
