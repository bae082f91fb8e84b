package import LoamStorage

/// Results with changes that are not saved yet. Each is what a full scan over the merged rows gives.
extension Plan {
    /// As ``execute(in:work:_:)``, over the stored rows as the overlay changes them. `isPending` says that a row comes
    /// from the overlay.
    package func execute(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        _ body: (_ rowID: RowID, _ values: [Value], _ isPending: Bool) throws -> Bool
    ) throws {
        let run = try PlanRun(self, in: snapshot, work, overlay: overlay)
        defer { work = run.work }
        try run.plan.execute(run) { try body($0.rowID, $0.values, $0.isPending) }
    }

    /// As ``forEachRecord(in:work:_:)``, over the stored rows as the overlay changes them. There is no record for a row
    /// that comes from the overlay.
    package func forEachRecord(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work,
        _ body: (_ rowID: RowID, _ record: UnsafeRawBufferPointer?) throws -> Bool
    ) throws {
        let run = try PlanRun(forRecords, in: snapshot, work, readsRecords: true, overlay: overlay)
        defer { work = run.work }
        try run.plan.execute(run) { match in
            guard match.record != nil || match.isPending else { throw Self.missing(match.rowID, query.entity) }
            return try body(match.rowID, match.record)
        }
    }
}
