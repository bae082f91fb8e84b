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

    /// Hands out what ``forEachRecord(in:work:_:)`` does, for the stored rows as the overlay changes them. There is
    /// no record for a row that comes from the overlay. It costs as much, and O(rows of the overlay) more.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, also for a row of
    ///   an index that has no record, and what `body` throws.
    package func forEachRecord(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        _ body: (_ rowID: RowID, _ record: UnsafeRawBufferPointer?) throws -> Bool
    ) throws {
        let execution = try PlanExecution(forRecords, in: snapshot, work: work, readsRecords: true, overlay: overlay)
        defer { work = execution.work }
        try execution.plan.execute(execution) { match in
            guard match.record != nil || match.isPending else { throw Self.missing(match.rowID, entity: query.entity) }
            return try body(match.rowID, match.record)
        }
    }
}
