package import LoamQuery
import LoamStorage

/// A saved result with unsaved changes laid over it.
///
/// Only the rows that the changes concern are looked at: O(log n) for each of a result whose rows are virtual or all
/// held, and O(limit) for one with a limit. A held row that somebody else has just saved is searched for, O(n).
package struct LaidState: Sendable {
    /// A row that unsaved changes concern.
    struct Row: Hashable {
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
    package internal(set) var state: ResultState
    /// The rows that the changes concern, also those that are not in the result.
    private(set) var rows: [RowID: Row] = [:]
    /// The number of ``rows`` that are in the result, with the changes or without.
    private var concerned = 0
    /// The fields of each row that the changes change; nil where they may be any.
    var fields: [RowID: FieldMask?] = [:]
    /// Whether the state is the saved one with some rows taken out and put in.
    private(set) var isEdited = true
    /// The unsaved rows that were looked at, one by one, since the first of the states that led here: work that tests
    /// count.
    package internal(set) var looks = 0

    /// A result that no unsaved changes concern.
    package init(_ saved: ResultState) { (self.saved, state) = (saved, saved) }

    var isWindowed: Bool { saved.limit != nil || saved.offset > 0 }

    /// Whether the result is shown as it is saved.
    package var isPlain: Bool { rows.isEmpty || isEdited && concerned == 0 }

    /// - Parameter former: what was laid over the same saved result before, so that its rows need not be found again.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package init(
        _ overlay: Overlay, over saved: ResultState, by finder: RowFinder, former: LaidState? = nil
    ) throws {
        self.init(saved)
        let (rule, store) = (finder.rule, finder.store)
        let formerRows = former.flatMap { $0.isEdited ? $0.rows : nil } ?? [:]
        looks = former?.looks ?? 0
        try store.read { snapshot in
            let pending = try rule.pendingPlaces(under: overlay, in: snapshot)
            looks += pending.count
            guard !pending.isEmpty else { return }
            // What is shown stays what was handed out, until the saved result is another.
            if let former, former.rows.mapValues(\.pending) == pending { return self = former }
            if isWindowed {
                // Rows beside the window may be others by now: nobody tells of them.
                try readAnew(pending, rule, in: snapshot)
            } else if let virtual = saved.virtual {
                if try !lay(pending, over: virtual, rule) { try readAnew(pending, rule, in: snapshot) }
            } else {
                try edit(pending, rule, in: snapshot, former: formerRows)
            }
            findFields(rule, in: snapshot, former: former)
        }
    }

    /// Notes what unsaved changes make of a row; nil where it is as it is saved.
    mutating func setRow(_ rowID: RowID, _ row: Row?) {
        if rows[rowID]?.isConcerned == true { concerned -= 1 }
        rows[rowID] = row
        if row?.isConcerned == true { concerned += 1 }
    }

    // MARK: Rows that are held

    private mutating func edit(
        _ pending: [RowID: PendingPlace], _ rule: PlacementRule, in snapshot: Snapshot, former: [RowID: Row]
    ) throws {
        var known: [RowID: ResultRow] = [:]
        var unknown: [RowID] = []
        for (rowID, row) in pending {
            if let former = former[rowID] {
                known[rowID] = former.before
            } else {
                let found = try heldRow(rowID, row, rule, in: snapshot)
                if found.isKnown { known[rowID] = found.row } else { unknown.append(rowID) }
            }
        }
        for (_, row) in unknown.isEmpty ? [] : saved.held.find(unknown) { known[row.rowID] = row }
        for row in known.values { state.remove(row) }
        for (rowID, row) in pending {
            if let place = row.place { state.insert(rowID, at: place) }
            show(rowID, row, before: known[rowID])
        }
    }

    /// The row as it is held, by where it is stored; not known where others may have saved something of it that the saved
    /// result does not show yet.
    func heldRow(
        _ rowID: RowID, _ pending: PendingPlace, _ rule: PlacementRule, in snapshot: Snapshot
    ) throws -> (row: ResultRow?, isKnown: Bool) {
        guard pending.isStored else { return (nil, true) }
        let stored = try rule.storedPlace(of: rowID, in: snapshot)
        guard let place = stored.place else { return (nil, stored.since <= saved.save) }
        let row = ResultRow(rowID: rowID, key: place.key)
        return saved.held.index(of: row, saved.order) == nil ? (nil, false) : (row, true)
    }

    /// Notes that a row is shown as the changes have it.
    private mutating func show(_ rowID: RowID, _ pending: PendingPlace, before: ResultRow?) {
        let after = pending.place.map { ResultRow(rowID: rowID, key: $0.key) }
        setRow(rowID, Row(before: before, pending: pending, after: after))
    }

    // MARK: Virtual rows

    /// False where the rows are in no snapshot any more, so that nothing can be found among them by its key.
    private mutating func lay(
        _ pending: [RowID: PendingPlace], over virtual: VirtualRows, _ rule: PlacementRule
    ) throws -> Bool {
        var changes: [LaidPlaces.Change] = []
        var before: [RowID: ResultRow] = [:]
        for (rowID, row) in pending {
            let found = try PendingFinder.change(of: rowID, row, over: virtual, rule, order: saved.order)
            guard let found else { return false }
            changes.append(found.change)
            before[rowID] = found.before
        }
        for row in before.values { state.takeFromSection(row) }
        for (rowID, row) in pending {
            if let place = row.place { state.addToSection(place) }
            show(rowID, row, before: before[rowID])
        }
        state.virtual?.laid = LaidPlaces(changes, order: saved.order)
        return true
    }

    // MARK: Reading

    /// Reads the result with the changes in view, as its rows cannot be told from the saved ones.
    private mutating func readAnew(
        _ pending: [RowID: PendingPlace], _ rule: PlacementRule, in snapshot: Snapshot
    ) throws {
        let wanted = saved.wanted
        let read = try rule.rows(under: pending, limit: wanted, in: snapshot)
        for (rowID, row) in pending { setRow(rowID, Row(pending: row)) }
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

    /// A row's unsaved changes, and the fields that they change.
    typealias Unsaved = (pending: PendingPlace?, fields: FieldMask??)

    private func unsaved(_ rowID: RowID) -> Unsaved { (rows[rowID]?.pending, fields[rowID]) }

    /// The fields of a row whose values differ between two shown results, or may.
    ///
    /// - Parameter update: what leads from the saved result of the one to that of the other.
    static func changedFields(
        of rowID: RowID, from former: Unsaved, to latter: Unsaved, by update: LiveUpdate?, _ finder: RowFinder?
    ) -> FieldMask? {
        // What was unsaved is saved, or taken back.
        if let before = former.pending?.values,
            let after = latter.pending?.values ?? (latter.pending == nil ? finder?.storedValues(of: rowID) : nil),
            before.count == after.count
        {
            return FieldMask(before.indices.filter { before[$0] != after[$0] })
        }
        var fields: FieldMask? = []
        if let update { fields = update.touched.flatMap { $0[rowID, default: []] } }
        for own in [former.fields, latter.fields] { if let own { fields.formUnion(own) } }
        return fields
    }

    /// Whether a row that the changes concern may be in the result.
    func isShown(_ rowID: RowID) -> Bool { rows[rowID].map { !isEdited || $0.isConcerned } ?? false }

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
                rows?.updateValue(
                    changedFields(
                        of: rowID, from: old.unsaved(rowID), to: new.unsaved(rowID), by: update, finder), forKey: rowID)
            }
            return LiveUpdate(rearranging: old.state, to: new.state, touched: rows)
        }
        for rowID in changed {
            let (former, latter) = (old.rows[rowID], new.rows[rowID])
            let saved = passages[rowID]
            let before = former.map(\.after) ?? saved.map(\.before) ?? latter?.before
            let after = latter.map(\.after) ?? saved.map(\.after) ?? former?.before
            let fields = changedFields(
                of: rowID, from: old.unsaved(rowID), to: new.unsaved(rowID), by: update, finder)
            passages[rowID] = RowPassage(before: before, after: after, fields: fields, last: saved?.last)
        }
        return LiveUpdate(laying: old.state, to: new.state, rows: passages)
    }
}
