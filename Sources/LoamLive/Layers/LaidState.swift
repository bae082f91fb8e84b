package import LoamQuery
import LoamStorage

/// A saved result with unsaved changes laid over it.
///
/// Only the rows that the changes concern are looked at: O(log n) for each of a result whose rows are virtual or all
/// held, and O(limit) for one with a limit. A held row that somebody else has just saved is searched for, O(n).
package struct LaidState: Sendable {
    /// A row that unsaved changes concern.
    private struct Row: Hashable {
        /// Where it stands in the saved result.
        var before: ResultRow?
        var pending: PendingPlace
        /// Where it is shown.
        var after: ResultRow?

        /// Whether it is in the result, with the changes or without.
        var isConcerned: Bool { before != nil || after != nil }
    }

    /// The result as it is saved.
    package let saved: ResultState
    /// The result as it is shown.
    package private(set) var state: ResultState
    /// The rows that the changes concern, also those that are not in the result.
    private var rows: [RowID: Row] = [:]
    /// The fields of each row that the changes change; nil where they may be any.
    private var fields: [RowID: FieldMask?] = [:]
    /// Whether the state is the saved one with some rows taken out and put in.
    private var isEdited = true

    /// A result that no unsaved changes concern.
    package init(_ saved: ResultState) { (self.saved, state) = (saved, saved) }

    /// Whether the result is shown as it is saved.
    package private(set) var isPlain = true

    /// - Parameter former: what was laid over the same saved result before, so that its rows need not be found again.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package init(
        _ overlay: Overlay, over saved: ResultState, by finder: RowFinder, former: LaidState? = nil
    ) throws {
        self.init(saved)
        let (rule, store) = (finder.rule, finder.store)
        let formerRows = former.flatMap { $0.isEdited ? $0.rows : nil } ?? [:]
        try store.read { snapshot in
            let pending = try rule.pendingPlaces(under: overlay, in: snapshot)
            guard !pending.isEmpty else { return }
            // What is shown stays what was handed out, until the saved result is another.
            if let former, former.rows.mapValues(\.pending) == pending { return self = former }
            if saved.limit != nil || saved.offset > 0 {
                // Rows beside the window may be others by now: nobody tells of them.
                try readAnew(pending, rule, in: snapshot)
            } else if let virtual = saved.virtual {
                if try !lay(pending, over: virtual, rule) { try readAnew(pending, rule, in: snapshot) }
            } else {
                try edit(pending, rule, in: snapshot, former: formerRows)
            }
            findFields(rule, in: snapshot, former: former)
            isPlain = isEdited && !rows.values.contains(where: \.isConcerned)
        }
    }

    // MARK: Rows that are held

    private mutating func edit(
        _ pending: [RowID: PendingPlace], _ rule: PlacementRule, in snapshot: Snapshot, former: [RowID: Row]
    ) throws {
        var unknown: [RowID] = []
        for (rowID, row) in pending {
            var before = former[rowID]?.before
            if row.isStored, former[rowID] == nil {
                let stored = try rule.storedPlace(of: rowID, in: snapshot)
                before = stored.place.map { ResultRow(rowID: rowID, key: $0.key) }
                // Others may have saved something of it that the saved result does not show yet.
                let isFound = before.map { saved.held.index(of: $0, saved.order) != nil }
                if !(isFound ?? (stored.since <= saved.save)) {
                    before = nil
                    unknown.append(rowID)
                }
            }
            rows[rowID] = Row(before: before, pending: row)
        }
        for (_, row) in unknown.isEmpty ? [] : saved.held.find(unknown) { rows[row.rowID]?.before = row }
        for row in rows.values { if let before = row.before { state.remove(before) } }
        for (rowID, place) in showPending() { state.insert(rowID, at: place) }
    }

    /// The rows that are shown as the changes have them, which are noted as such.
    private mutating func showPending() -> [(rowID: RowID, place: PlacementRule.Placement)] {
        rows.compactMap { rowID, row in row.pending.place.map { (rowID, $0) } }.map { rowID, place in
            rows[rowID]?.after = ResultRow(rowID: rowID, key: place.key)
            return (rowID, place)
        }
    }

    // MARK: Virtual rows

    /// False where the rows are in no snapshot any more, so that nothing can be found among them by its key.
    private mutating func lay(
        _ pending: [RowID: PendingPlace], over virtual: VirtualRows, _ rule: PlacementRule
    ) throws -> Bool {
        var removed: [PlacedRow] = []
        var inserted: [(row: ResultRow, before: Int)] = []
        for (rowID, row) in pending {
            // Others wait meanwhile: for one row at a time.
            let found = try virtual.standing.leases.read(virtual.standing) { source in
                try PendingFinder(virtual.standing, source, rule, order: saved.order)?.find(rowID, row)
            }
            guard let found else { return false }
            rows[rowID] = Row(before: found.former?.row, pending: row, after: found.after?.row)
            if let former = found.former { removed.append(PlacedRow(index: former.index, rowID: rowID)) }
            if let after = found.after { inserted.append((after.row, after.index)) }
        }
        inserted.sort { saved.order.precedes($0.row, $1.row) }
        for row in rows.values { if let before = row.before { state.takeFromSection(before) } }
        for (_, place) in showPending() { state.addToSection(place) }
        state.virtual?.laid = LaidPlaces(
            removed: removed, inserted: inserted.map { PlacedRow(index: $0.before, rowID: $0.row.rowID) })
        return true
    }

    // MARK: Reading

    /// Reads the result with the changes in view, as its rows cannot be told from the saved ones.
    private mutating func readAnew(
        _ pending: [RowID: PendingPlace], _ rule: PlacementRule, in snapshot: Snapshot
    ) throws {
        let wanted = saved.wanted
        let read = try rule.rows(under: pending, limit: wanted, in: snapshot)
        rows = pending.mapValues { Row(pending: $0) }
        state = ResultState(
            placed: read, isSectioned: saved.isSectioned, order: saved.order, offset: saved.offset, limit: saved.limit)
        state.save = saved.save
        isEdited = false
    }

    // MARK: Updates

    /// Finds the fields that differ from the stored rows. O(rows that have changed since they were laid before).
    private mutating func findFields(_ rule: PlacementRule, in snapshot: Snapshot, former: LaidState?) {
        for (rowID, row) in rows {
            if let former, former.rows[rowID]?.pending == row.pending, let known = former.fields[rowID] {
                fields.updateValue(known, forKey: rowID)
            } else {
                // A value that is damaged and that the place does not need keeps nothing from being shown.
                fields.updateValue(try? rule.changedFields(of: rowID, row.pending, in: snapshot), forKey: rowID)
            }
        }
    }

    /// The fields of a row whose values differ between two shown results, or may.
    ///
    /// - Parameter update: what leads from the saved result of the one to that of the other.
    private static func changedFields(
        of rowID: RowID, from old: LaidState, to new: LaidState, by update: LiveUpdate?, _ finder: RowFinder?
    ) -> FieldMask? {
        let latter = new.rows[rowID]?.pending
        // What was unsaved is saved, or taken back.
        if let before = old.rows[rowID]?.pending.values,
            let after = latter?.values ?? (latter == nil ? finder?.storedValues(of: rowID) : nil),
            before.count == after.count
        {
            return FieldMask(before.indices.filter { before[$0] != after[$0] })
        }
        var fields: FieldMask? = []
        if let update { fields = update.touched.flatMap { $0[rowID, default: []] } }
        for laid in [old, new] { if let own = laid.fields[rowID] { fields.formUnion(own) } }
        return fields
    }

    /// Whether a row that the changes concern may be in the result.
    private func isShown(_ rowID: RowID) -> Bool { rows[rowID].map { !isEdited || $0.isConcerned } ?? false }

    /// What leads from one shown result to the next; nil where nothing is to be shown anew.
    ///
    /// - Parameters:
    ///   - update: what leads from the saved result of the one to that of the other; nil where it is the same.
    ///   - finder: of the new result. A record is read for each row that unsaved changes concern no more.
    package static func update(
        from old: LaidState, to new: LaidState, by update: LiveUpdate?, _ finder: RowFinder?
    ) -> LiveUpdate? {
        if old.isPlain, new.isPlain { return update }
        let touched = update?.touched
        let changed = old.rows.merging(new.rows) { first, _ in first }.keys.filter { rowID in
            // What somebody else has saved of the row may be shown, too.
            guard old.isShown(rowID) || new.isShown(rowID) else { return false }
            return old.rows[rowID] != new.rows[rowID] || touched?[rowID] != nil
        }
        if update == nil, changed.isEmpty { return nil }
        guard old.isEdited, new.isEdited, var passages = update.map({ $0.passages }) ?? [:] else {
            var rows = update == nil ? [:] : touched
            for rowID in changed {
                rows?.updateValue(changedFields(of: rowID, from: old, to: new, by: update, finder), forKey: rowID)
            }
            return LiveUpdate(rearranging: old.state, to: new.state, touched: rows)
        }
        for rowID in changed {
            let (former, latter) = (old.rows[rowID], new.rows[rowID])
            let saved = passages[rowID]
            let before = former.map(\.after) ?? saved.map(\.before) ?? latter?.before
            let after = latter.map(\.after) ?? saved.map(\.after) ?? former?.before
            let fields = changedFields(of: rowID, from: old, to: new, by: update, finder)
            passages[rowID] = RowPassage(before: before, after: after, fields: fields, last: saved?.last)
        }
        return LiveUpdate(laying: old.state, to: new.state, rows: passages)
    }
}

/// Finds a row that unsaved changes concern among virtual ones.
private struct PendingFinder {
    typealias Found = (index: Int, row: ResultRow)

    private let standing: RowStanding
    private let source: RowSource
    private let snapshot: Snapshot
    private let rule: PlacementRule
    private let order: ResultOrder

    /// Nil where the rows are in no snapshot.
    init?(_ standing: RowStanding, _ source: RowSource, _ rule: PlacementRule, order: ResultOrder) {
        guard case .entries(let entries) = source else { return nil }
        (self.standing, self.source, self.rule, self.order) = (standing, source, rule, order)
        snapshot = entries.snapshot
    }

    /// Where the row stands among the saved ones, and the number of saved rows before its new place. O(log² n).
    func find(_ rowID: RowID, _ pending: PendingPlace) throws -> (former: Found?, after: Found?) {
        var former: Found?
        if pending.isStored, let place = try rule.placement(of: rowID, in: snapshot) {
            guard let index = try source.place(of: rowID) else { throw missing }
            former = (index, ResultRow(rowID: rowID, key: place.key))
        }
        guard let place = pending.place else { return (former, nil) }
        let row = ResultRow(rowID: rowID, key: place.key)
        return (former, (try rank(of: row), row))
    }

    /// The number of saved rows before a place.
    private func rank(of row: ResultRow) throws -> Int {
        var range = 0..<standing.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            guard let rowID = try source.rowID(at: middle),
                let place = try rule.placement(of: rowID, in: snapshot)
            else { throw missing }
            if order.precedes(ResultRow(rowID: rowID, key: place.key), row) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private var missing: StorageError {
        StorageError(.inconsistent("an index has other entries than its rows"), index: standing.span.index.name)
    }
}
