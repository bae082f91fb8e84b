package import LoamStorage

/// Results with changes that are not saved yet. Each is what a full scan over the merged rows gives.
extension Plan {
    /// Hands out what ``execute(in:work:pace:_:)`` does, for the stored rows as the overlay changes them. `isPending`
    /// says that a row comes from the overlay. It costs as much, and O(rows of the overlay) more.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what `body`
    ///   throws.
    package func execute(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        _ body: (_ rowID: RowID, _ values: [Value], _ isPending: Bool) throws -> Bool
    ) throws {
        let execution = try PlanExecution(self, in: snapshot, work: work, overlay: overlay)
        defer { work = execution.work }
        try execution.plan.execute(execution) { try body($0.rowID, $0.values, $0.isPending) }
    }

    /// Calls `body` with the rows of the result in its order, many at a time, and their records as they are stored, for
    /// the stored rows as the overlay changes them.
    ///
    /// There is no record for a row that comes from the overlay; the others are the file's, were not verified, and stay
    /// where they are as long as the snapshot. Long values are not among them. The query's columns do not matter, but
    /// for all columns (nil) the plan is made for reading records. Costs as much as ``execute(in:work:pace:_:)``, O(rows
    /// of the overlay) more, and reads each record.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, also for a row of
    ///   an index that has no record, and what `body` throws.
    package func readRecords(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        _ body: (
            _ rowIDs: UnsafeBufferPointer<RowID>, _ records: UnsafeBufferPointer<UnsafeRawBufferPointer?>
        ) throws -> Void
    ) throws {
        let execution = try PlanExecution(forRecords, in: snapshot, work: work, readsRecords: true, overlay: overlay)
        defer { work = execution.work }
        try withoutActuallyEscaping(body) { body in
            let batch = ResultBatch(ofRecords: body)
            if execution.plan.handsOutAtOnce(in: execution), execution.overlay == nil { execution.batch = batch }
            defer { execution.batch = nil }
            try execution.plan.execute(execution) { match in
                guard match.record != nil || match.isPending else {
                    throw Self.missing(match.rowID, entity: query.entity)
                }
                try batch.add(match.rowID, record: match.record)
                return true
            }
            try batch.flush()
        }
    }
}
