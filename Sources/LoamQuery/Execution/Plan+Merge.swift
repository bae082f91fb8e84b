import LoamStorage

extension Plan {
    /// Hands out stored rows, which come in the order of the result, with the overlay's among them. Returns their number.
    func emitMerged(_ execution: PlanExecution, _ body: PlanExecution.Body) throws -> Int {
        var (passed, emitted) = (0, 0)
        func emit(_ match: Match) throws -> Bool {
            if passed < query.offset {
                passed += 1
                return true
            }
            emitted += 1
            execution.work.returned += 1
            return try body(match) && emitted != query.limit
        }
        let placer = try execution.placer ?? RowPlacer(SortKeys(query.openOrder))
        var pending = try OrderedMatches(
            execution.pendingMatches(placer.keys.paths + query.columns, first: wanted), by: placer,
            rowIDDirection: query.rowIDDirection)
        var hidden = try hiddenBeforeOffset(execution, pendingCount: pending.count, by: placer)
        execution.placer = pending.isEmpty && hidden == nil ? nil : placer
        var isStopped = false
        try execution.forEachMatch(query.columns) { match in
            execution.watch?.noteMatch()
            if hidden != nil {
                let count = placer.withKey(of: match) { hidden?.popAll(before: match.rowID, key: $0) ?? 0 }
                passed += execution.skipped + execution.hiddenCount - count
                hidden = nil
            }
            while !pending.isEmpty,
                let next = placer.withKey(of: match, { pending.popFirst(before: match.rowID, key: $0) })
            {
                isStopped = try !emit(next)
                if isStopped { return false }
            }
            isStopped = try !emit(match)
            return !isStopped
        }
        if let hidden { passed += execution.skipped + execution.hiddenCount - hidden.count }
        isStopped = isStopped || execution.watch?.successor != nil
        while !isStopped, let next = pending.popFirst() { isStopped = try !emit(next) }
        return emitted
    }

    /// Lets the execution pass over stored rows by position, as many as come before the offset wherever the overlay's
    /// rows stand, and gives those among all stored ones that the overlay hides; nil where rows are passed over one by
    /// one.
    ///
    /// Which of the hidden ones were passed over is known when the first other row comes. They are read, so there must
    /// be few.
    private func hiddenBeforeOffset(
        _ execution: PlanExecution, pendingCount: Int, by placer: RowPlacer
    ) throws -> OrderedMatches? {
        let hiddenCount = execution.overlay?.hiddenCount ?? 0
        guard skipsByPosition, query.offset - pendingCount > 2 * hiddenCount else { return nil }
        execution.skippable = query.offset - pendingCount
        return try OrderedMatches(
            execution.hiddenMatches(placer.keys.paths), by: placer, rowIDDirection: query.rowIDDirection)
    }
}

extension OrderedMatches {
    /// Takes those away that come before a row with this key, and returns their number.
    fileprivate mutating func popAll(before rowID: RowID, key: UnsafeRawBufferPointer) -> Int {
        var count = 0
        while popFirst(before: rowID, key: key) != nil { count += 1 }
        return count
    }
}
