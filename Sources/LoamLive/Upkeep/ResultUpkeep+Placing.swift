import LoamQuery
import LoamStorage

extension ResultUpkeep {
    /// A difference, and the rows that it is about. The rows may be more; nil where they are too many to be told.
    typealias Followed = (difference: LiveDifference, rows: [RowID: RowPassage]?)

    /// The number of changed rows up to which they are placed one by one, however small the result is.
    private static let fewRows = 64

    /// The number of rows up to which they are placed one by one.
    var mostPlaced: Int { max(Self.fewRows, state.held.count / 10) }

    /// - Parameter touched: the rows that the changes touch along relationships too; nil where they are not known.
    mutating func follow(
        _ changes: RowChanges, touching touched: [ChangedRow]?, in round: LiveRound
    ) throws -> Followed? {
        guard changes.count > 0 || changes.concernsOthers else { return nil }
        let snapshot = round.snapshot
        let followed: Followed
        if state.virtual != nil {
            followed = try placeVirtually(changes, in: round)
        } else if let touched {
            followed = try place(touched, in: snapshot)
        } else if changes.concernsOthers || changes.count > mostPlaced {
            followed = try merge(changes, in: snapshot)
        } else {
            followed = try place(changedRows(changes, in: snapshot), in: snapshot)
        }
        return followed.difference.isEmpty ? nil : followed
    }

    /// Finds the changed rows in the index, before and after. O(log n) for each.
    private mutating func placeVirtually(_ changes: RowChanges, in round: LiveRound) throws -> Followed {
        guard let rows = state.virtual else { return (LiveDifference(), [:]) }
        let old = state
        if let placing = VirtualPlacing(
            keeping: changes, of: rows, by: order, interest: interest, generation: round.snapshot.catalog.generation)
        {
            trace.placed += changes.count
            return old.difference(keeping: placing.kept, placing.passages)
        }
        let span = rows.standing.span
        let count = try span.count(in: round.snapshot)
        let now = try SpanEntries(
            span, of: order.query.entity, count: count, nils: rows.standing.nils, in: round.snapshot)
        let placing = try VirtualPlacing(changes, of: rows, by: order, interest: interest, in: round, now: now)
        trace.placed += changes.count
        guard rows.count - placing.removed.count + placing.inserted.count == count else {
            throw StorageError(.inconsistent("an index has other entries than its rows"), index: span.index.name)
        }
        if placing.removed.isEmpty, placing.inserted.isEmpty {
            return old.difference(keeping: placing.kept, placing.passages)
        }
        let standing = RowStanding(
            span, of: order.query, count: count, leases: leases, owner: owner,
            place: round.lease.map(RowStanding.Place.leased) ?? .listed(ListedRows([])))
        if round.lease == nil { standing.place = .listed(try standing.list(in: round.snapshot)) }
        for row in placing.left { state.takeFromSection(row) }
        for place in placing.entered { state.addToSection(place) }
        state.virtual = VirtualRows(standing: standing)
        let window = WindowChanges(
            removed: placing.removed, inserted: placing.inserted, old: old, new: state)
        // Those that came into the window by the changes of others are named there.
        let listed = Set(window.inserted.map(\.rowID))
        let updated = state.inWindow(placing.kept).filter { !listed.contains($0.rowID) }
        return (LiveDifference(window, from: old, to: state, updated: updated), placing.passages)
    }

    /// Reads the result again and compares it with the state. O(n).
    private mutating func merge(_ changes: RowChanges, in snapshot: Snapshot) throws -> Followed {
        let old = state
        state = try Self.read(order, in: snapshot)
        trace.reads += 1
        let window = WindowChanges(from: old, to: state)
        let touched = state.held.find(Array(changes.rows.keys)).map(\.row)
        let difference = LiveDifference(window, from: old, to: state, touched: touched)
        guard window.removed.count + window.inserted.count <= 2 * LiveUpdate.mostRows else { return (difference, nil) }
        var rows: [RowID: RowPassage] = [:]
        for row in touched {
            rows[row.rowID] = RowPassage(before: row, after: row, fields: changes.fields(of: row.rowID))
        }
        for row in window.inserted {
            let after = state.held[state.window.lowerBound + row.index]
            rows[row.rowID] = RowPassage(before: nil, after: after, fields: changes.fields(of: row.rowID))
        }
        for row in window.removed {
            let before = old.held[old.window.lowerBound + row.index]
            rows[row.rowID] = RowPassage(
                before: before, after: rows[row.rowID]?.after, fields: changes.fields(of: row.rowID),
                last: changes.last(of: row.rowID))
        }
        return (difference, rows)
    }

    /// Places the changed rows one by one.
    private mutating func place(_ rows: [ChangedRow], in snapshot: Snapshot) throws -> Followed {
        let old = state
        trace.placed += rows.count
        var held = state.apply(rows)
        if state.isShort {
            let (rows, isComplete) = try Self.rows(order, wanted: state.wanted, in: snapshot)
            state.extend(by: rows, isComplete: isComplete, &held)
        }
        let difference = LiveDifference(
            WindowChanges(removed: held.removed, inserted: held.inserted, old: old, new: state), from: old, to: state,
            touched: held.passages.values.lazy.compactMap(\.after))
        state.trim()
        return (difference, held.passages)
    }

    /// Where the changed rows stand among the held ones, and their places now. O(log n) for each row whose old record
    /// tells where it stood, or that has not moved; the held rows are searched once for all the others.
    private mutating func changedRows(_ changes: RowChanges, in snapshot: Snapshot) throws -> [ChangedRow] {
        var rows: [ChangedRow] = []
        var unknown: [RowID: Int] = [:]
        for (rowID, change) in changes.rows {
            let place = try order.placement(of: rowID, after: change, in: snapshot).place
            if !order.readsRelations, interest.keepsPlace(change.fields) {
                let held = place.map { ResultRow(rowID: rowID, key: $0.key) }
                let before = held.flatMap { state.held.index(of: $0, state.order) == nil ? nil : $0 }
                rows.append(ChangedRow(rowID: rowID, before: before))
            } else if try !findFormer(rowID, change.former, in: snapshot, &rows) {
                unknown[rowID] = rows.count
                rows.append(ChangedRow(rowID: rowID))
            }
            rows[rows.count - 1].place = place
            rows[rows.count - 1].fields = change.fields
            rows[rows.count - 1].last = change.last
        }
        if !unknown.isEmpty { trace.searches += 1 }
        for (_, row) in state.held.find(Array(unknown.keys)) {
            if let number = unknown[row.rowID] { rows[number].before = row }
        }
        return rows
    }

    /// Appends a row where its old record tells where it stood; returns whether it does.
    private func findFormer(
        _ rowID: RowID, _ former: RowChanges.Former, in snapshot: Snapshot, _ rows: inout [ChangedRow]
    ) throws -> Bool {
        var before: ResultRow?
        if case .unknown = former { return false }
        if case .record(let record) = former {
            switch try order.placement(of: rowID, record: record, in: snapshot) {
            case .unknown: return false
            case .elsewhere: break
            case .place(let place):
                let row = ResultRow(rowID: rowID, key: place.key)
                if state.held.index(of: row, state.order) != nil { before = row }
            }
        }
        rows.append(ChangedRow(rowID: rowID, before: before))
        return true
    }
}

extension ResultState {
    /// The difference where all changed rows stand where they stood.
    ///
    /// - Parameters:
    ///   - kept: the rows by their places among all.
    ///   - passages: where they stand.
    func difference(keeping kept: [PlacedRow], _ passages: [RowID: RowPassage]) -> ResultUpkeep.Followed {
        (LiveDifference(WindowChanges(), from: self, to: self, updated: inWindow(kept)), passages)
    }
}
