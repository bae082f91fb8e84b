package import LoamQuery
package import LoamStorage

extension LaidState {
    /// What came of ``advance(_:under:by:)``.
    package enum Advance: Sendable {
        /// What leads to what is shown now; nil where nothing is to be shown anew.
        case done(LiveUpdate?)
        /// The rows alone do not tell: all unsaved changes have to be laid over the saved result.
        case unknown
    }

    /// A row whose unsaved changes are others than before.
    private struct Step {
        let rowID: RowID
        let old: Row?
        /// Nil where the row is as it is saved.
        let new: PendingPlace?
        var before: ResultRow?
        /// What becomes of it among virtual rows.
        var change: LaidPlaces.Change?
        var fields: FieldMask?
    }

    /// Goes on to what is unsaved now, over the same saved result: in place, O(log² n) for each of the rows, however many
    /// others have unsaved changes.
    ///
    /// - Parameters:
    ///   - changed: every row of the entity that may have other unsaved changes than before.
    ///   - overlay: what is unsaved of these.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage; it is as it was then.
    package mutating func advance(
        _ changed: [RowID], under overlay: Overlay, by finder: RowFinder
    ) throws -> Advance {
        guard isEdited, !isWindowed, !finder.rule.readsRelations else { return .unknown }
        guard let steps = try steps(changed, under: overlay, by: finder) else { return .unknown }
        let old = state
        var passages: [RowID: RowPassage] = [:]
        for step in steps {
            let former = (pending: rows[step.rowID]?.pending, fields: fields[step.rowID])
            let wasShown = isShown(step.rowID)
            apply(step)
            guard wasShown || isShown(step.rowID) else { continue }
            let latter = rows[step.rowID]
            passages[step.rowID] = RowPassage(
                before: step.old.map(\.after) ?? step.before, after: latter.map(\.after) ?? step.before,
                fields: Self.changedFields(
                    of: step.rowID, from: former, to: (latter?.pending, fields[step.rowID]), by: nil, finder))
        }
        return .done(passages.isEmpty ? nil : LiveUpdate(laying: old, to: state, rows: passages))
    }

    /// Finds the rows; nil where virtual ones are in no snapshot.
    private mutating func steps(
        _ changed: [RowID], under overlay: Overlay, by finder: RowFinder
    ) throws -> [Step]? {
        let rule = finder.rule
        looks += changed.count
        return try finder.store.read { snapshot in
            let pending = try rule.pendingPlaces(under: overlay, in: snapshot)
            var steps: [Step] = []
            for rowID in changed where rows[rowID]?.pending != pending[rowID] {
                var step = Step(rowID: rowID, old: rows[rowID], new: pending[rowID])
                step.before = step.old?.before
                if let new = step.new, let virtual = saved.virtual {
                    let found = try PendingFinder.change(of: rowID, new, over: virtual, rule, order: saved.order)
                    guard let found else { return nil }
                    (step.change, step.before) = (found.change, found.before)
                } else if let new = step.new, step.old == nil {
                    let found = try heldRow(rowID, new, rule, in: snapshot)
                    step.before = found.isKnown ? found.row : saved.held.find([rowID]).first?.row
                }
                if let new = step.new { step.fields = try? rule.changedFields(of: rowID, new, in: snapshot) }
                steps.append(step)
            }
            return steps
        }
    }

    private mutating func apply(_ step: Step) {
        let isVirtual = saved.virtual != nil
        if let shown = step.old.map({ $0.after }) ?? step.before {
            if isVirtual { state.takeFromSection(shown) } else { state.remove(shown) }
        }
        var after: ResultRow?
        if let place = step.new?.place {
            after = ResultRow(rowID: step.rowID, key: place.key)
            if isVirtual { state.addToSection(place) } else { state.insert(step.rowID, at: place) }
        } else if step.new == nil, let before = step.before {
            state.restore(before, from: saved)
        }
        if isVirtual {
            var laid = state.virtual?.laid ?? LaidPlaces(order: saved.order)
            if let change = step.change { laid.set(change) } else { laid.forget(step.rowID) }
            state.virtual?.laid = laid
        }
        setRow(step.rowID, step.new.map { Row(before: step.before, pending: $0, after: after) })
        if step.new == nil {
            fields[step.rowID] = nil
        } else {
            fields.updateValue(step.fields, forKey: step.rowID)
        }
    }
}
