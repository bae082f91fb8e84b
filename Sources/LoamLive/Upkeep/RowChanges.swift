import LoamStorage

/// The rows of an entity that saves have changed since a state of a result, each once however often it was changed.
struct RowChanges {
    /// What a row was before the first of its changes.
    enum Former {
        /// There was no such row.
        case absent
        /// Its record.
        case record([UInt8])
        /// Its record is not known: another process has changed it.
        case unknown
    }

    struct Row {
        /// What it was before the first of its changes.
        var former: Former
        /// The record after the last change of this process that concerns the result; nil where the row was deleted by
        /// it, and where the record is not known.
        var latter: [UInt8]?
        /// Its record before the change of this process that deleted it; nil where none did.
        var last: [UInt8]?
        /// The fields that changed; nil where it came or went meanwhile.
        var fields: FieldMask?
    }

    private(set) var rows: [RowID: Row] = [:]
    /// Whether some changes are not known, so that the result has to be read again.
    var isUnknown = false
    /// Whether something that the places depend on changed outside of the entity's rows.
    var concernsOthers = false
    /// What lay along relationships before.
    private(set) var former = FormerRelations()

    var count: Int { rows.count }

    /// Whether every changed row stands where it stood, or is out of the result as it was, as far as the changes tell.
    func keepPlaces(of interest: ResultInterest) -> Bool { rows.values.allSatisfy { interest.keepsPlace($0.fields) } }

    /// The record of a row before it was deleted; nil where it was not, or another process did it.
    func last(of rowID: RowID) -> [UInt8]? { rows[rowID]?.last }

    /// The fields of a row that changed; nil where they may be any, none where the row was not changed itself.
    func fields(of rowID: RowID) -> FieldMask? { if let row = rows[rowID] { row.fields } else { [] } }
}

extension RowChanges {
    /// Adds the changes of a commit.
    ///
    /// - Parameter places: the rows of the entity that can concern the result; nil where they are not known.
    mutating func add(
        _ changes: ChangeSet, after save: UInt64, interest: ResultInterest, places: [LiveRoutes.RowPlace]?
    ) {
        guard changes.last > save else { return }
        // Commits that were routed past the result are many where many results are open.
        let readsOthers = !interest.others.isEmpty || !interest.links.isEmpty
        if !readsOthers, places?.isEmpty == true, changes.rewritten.isEmpty { return }
        if changes.rewritten.contains(interest.entity) { isUnknown = true }
        if concernsOthers(changes, interest: interest) { concernsOthers = true }
        if readsOthers {
            if interest.others.keys.contains(where: changes.rewritten.contains) { former.giveUp() }
            for result in changes.results where result.save > save { former.add(result, interest: interest) }
        }
        guard changes.entities[interest.entity] != nil else { return }
        if let places {
            for place in places {
                let result = changes.results[Int(place.save)]
                if result.save > save { add(result.rows[Int(place.row)], interest: interest) }
            }
            return
        }
        for result in changes.results where result.save > save {
            for row in result.rows where row.entity == interest.entity { add(row, interest: interest) }
        }
    }

    private mutating func add(_ row: SaveResult.Row, interest: ResultInterest) {
        let isWhole = row.old == nil || row.new == nil
        guard isWhole || interest.concerns(row.changed) else { return }
        let fields = isWhole ? nil : FieldMask(row.changed)
        if rows[row.rowID] == nil {
            rows[row.rowID] = Row(
                former: row.old.map(Former.record) ?? .absent, latter: row.new,
                last: row.new == nil ? row.old : nil, fields: fields)
        } else {
            rows[row.rowID]?.fields.formUnion(fields)
            rows[row.rowID]?.latter = row.new
            rows[row.rowID]?.last = row.new == nil ? row.old : nil
        }
    }

    private func concernsOthers(_ changes: ChangeSet, interest: ResultInterest) -> Bool {
        for (entity, fields) in interest.others {
            if changes.rewritten.contains(entity) { return true }
            guard let extent = changes.entities[entity] else { continue }
            if extent.insertsOrDeletes || !extent.fields.isDisjoint(with: fields) { return true }
        }
        return interest.entities.contains { entity in
            changes.entities[entity].map { !$0.relationships.isDisjoint(with: interest.links) } ?? false
        }
    }

    /// Something has changed along the relationships, and the history does not tell what it was.
    private mutating func concernOthers() {
        concernsOthers = true
        former.giveUp()
    }

    /// Adds the changes of another process's save, as the history has it.
    mutating func add(_ entry: HistoryEntry, interest: ResultInterest) {
        if entry.rewritten.contains(interest.entity) { isUnknown = true }
        if entry.rewritten.contains(where: { interest.others[$0] != nil }) { concernOthers() }
        if entry.links.contains(where: { interest.links.contains($0.relationship) }) { concernOthers() }
        for row in entry.rows {
            if interest.others[row.entity] != nil { concernOthers() }
            guard row.entity == interest.entity else { continue }
            let fields = row.changed.compactMap { interest.properties.firstIndex(of: $0) }
            // What a change of this process says of the row may be what the other one had made of it.
            let former = rows[row.rowID]
            if row.kind != .update || interest.concerns(fields) || former != nil {
                var changed = row.kind == .update ? FieldMask(fields) : nil
                if let former { changed.formUnion(former.fields) }
                rows[row.rowID] = Row(former: .unknown, fields: changed)
            }
        }
    }
}

extension FieldMask? {
    /// Adds fields; any where either may be any.
    mutating func formUnion(_ other: FieldMask?) {
        guard let other else { return self = nil }
        self?.formUnion(other)
    }

    func union(_ other: FieldMask?) -> FieldMask? {
        var union = self
        union.formUnion(other)
        return union
    }
}
