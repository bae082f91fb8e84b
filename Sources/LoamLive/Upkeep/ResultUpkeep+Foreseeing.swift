import LoamQuery
import LoamStorage

/// What a commit makes of a result: worked out after it was announced, and good where it is made and comes next.
struct ForeseenUpdate: Sendable {
    let announcement: UInt64
    /// Of the catalog that it was worked out with.
    let generation: UInt64
    /// The last save of the commit.
    let save: UInt64
    /// Nil where no row of the window changes.
    let update: LiveUpdate?
    /// The rows that were placed.
    let placed: Int
}

/// Most changes of rows leave them where they stand. What these come to is known from the records that are to be written
/// and the entries as they are, so that it is worked out while the disk is waited for.
extension ResultUpkeep {
    /// Works out what an announced commit makes of the result, where all its rows keep their places.
    ///
    /// - Parameters:
    ///   - places: the rows of the entity that can concern the result; nil where they are not known.
    ///   - known: the last save that was handed out.
    mutating func foresee(
        _ set: ChangeSet, places: [LiveRoutes.RowPlace]?, after known: UInt64, in store: Store
    ) {
        // What is made, and waits to be followed, is worth more.
        if let foreseen, foreseen.save <= known { return }
        // What cannot be read now is told when the commit is followed.
        foreseen = try? workOut(set, places: places, in: store)
    }

    private func workOut(
        _ set: ChangeSet, places: [LiveRoutes.RowPlace]?, in store: Store
    ) throws -> ForeseenUpdate? {
        guard !mustRead, !isElsewhere, !wantsSnapshot, !order.readsRelations, !showsOthers, state.save < set.last,
            set.generation == generation
        else { return nil }
        var changes = RowChanges()
        changes.add(set, after: state.save, interest: interest, places: places)
        guard changes.count > 0, !changes.isUnknown, !changes.concernsOthers, changes.keepPlaces(of: interest),
            let (kept, passages) = try keptPlaces(changes, in: store)
        else { return nil }
        let difference = state.difference(keeping: kept, passages).difference
        var new = state
        new.save = set.last
        return ForeseenUpdate(
            announcement: set.announcement ?? 0, generation: generation, save: set.last,
            update: difference.isEmpty ? nil : LiveUpdate(old: state, new: new, difference, rows: passages),
            placed: changes.count)
    }

    /// Where changed rows stand that keep their places; nil where that cannot be told before the commit.
    private func keptPlaces(
        _ changes: RowChanges, in store: Store
    ) throws -> (kept: [PlacedRow], passages: [RowID: RowPassage])? {
        if let rows = state.virtual {
            return VirtualPlacing(
                keeping: changes, of: rows, by: order, interest: interest, generation: generation
            ).map { ($0.kept, $0.passages) }
        }
        return try store.read { snapshot in
            guard snapshot.catalog.generation == generation else { return nil }
            var (kept, passages): ([PlacedRow], [RowID: RowPassage]) = ([], [:])
            for (rowID, change) in changes.rows {
                guard let place = try order.placement(of: rowID, after: change, in: snapshot).place else { continue }
                let row = ResultRow(rowID: rowID, key: place.key)
                guard let index = state.held.index(of: row, state.order) else { return nil }
                passages[rowID] = RowPassage(before: row, after: row, fields: change.fields, last: change.last)
                kept.append(PlacedRow(index: index, rowID: rowID))
            }
            return (kept, passages)
        }
    }

    /// Brings the state up to a commit by what was worked out, where it is all that came since: nothing is read. Nil where
    /// that is not so, and where virtual rows are to go on to a newer snapshot.
    ///
    /// - Parameter sets: the commits that may concern the result and were handed out since the state's save, and others.
    mutating func followForeseen(_ sets: [ChangeSet]) -> LiveFollowed.News? {
        let later = sets.filter { $0.last > state.save }
        guard let foreseen, let set = later.first, later.count == 1, set.announcement == foreseen.announcement,
            !set.hasGap, isUsable(foreseen), state.virtual.map({ leases.isCurrent($0.standing) }) ?? true
        else { return nil }
        self.foreseen = nil
        return LiveFollowed.News(update: take(foreseen))
    }

    /// Takes what was worked out, where it is of the one commit that a round brings. Nil where that is not so.
    ///
    /// - Parameter isAllowed: whether the round's commits are all that was saved since the state's.
    mutating func takeForeseen(in round: LiveRound, where isAllowed: Bool) throws -> LiveFollowed.News? {
        guard let foreseen = foreseen.take(), isAllowed, isUsable(foreseen),
            try round.brings(only: foreseen.announcement, to: owner, after: state.save)
        else { return nil }
        return LiveFollowed.News(update: take(foreseen))
    }

    private func isUsable(_ foreseen: ForeseenUpdate) -> Bool {
        foreseen.generation == generation && !mustRead && !isElsewhere && !wantsSnapshot
    }

    private mutating func take(_ foreseen: ForeseenUpdate) -> LiveUpdate? {
        trace.rounds += 1
        trace.placed += foreseen.placed
        foreseenRounds += 1
        state.save = foreseen.save
        return foreseen.update
    }
}
