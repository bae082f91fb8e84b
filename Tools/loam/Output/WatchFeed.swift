import LoamLive
import LoamQuery
import LoamStorage

/// A live result on its way to the output.
///
/// Positions are those of the states that the result hands over; values are read when they are written, from the
/// newest save. So no snapshot is held while the reader of the output is waited for. A value that a later save has
/// changed meanwhile comes once more, with that save's difference.
struct WatchFeed {
    /// Says that the columns have changed since the state was begun.
    private struct ColumnsChanged: Error {}

    /// The number of rows that are read in one snapshot.
    static let batchSize = 1_024

    let store: Store
    let live: LiveResult
    let events: WatchEvents
    /// Whether the rows of states are written, and not only their number.
    let showsRows: Bool
    /// Whether to tell what was done to keep the result current.
    let explains: Bool
    private var writer: any WatchWriter
    private var columns: WatchedColumns
    /// What was told of already.
    private var trace: LiveTrace
    /// The values of the rows as they were written last, of a result that is read in one snapshot; nil for a larger one.
    private var written: [RowID: [Value]]?
    /// The state that the result has handed over last.
    private var taken: ResultState
    /// Whether what was written is not that state, since it could not be read, or not all of it.
    private var isBehind = true
    private var hasFailed = false

    /// Starts the result.
    ///
    /// - Throws: ``QueryError`` where the query cannot be run.
    init(
        _ live: LiveResult, in store: Store, events: WatchEvents, to writer: any WatchWriter, showsRows: Bool,
        explains: Bool
    ) throws {
        (self.live, self.store, self.events) = (live, store, events)
        (self.writer, self.showsRows, self.explains) = (writer, showsRows, explains)
        (trace, taken) = (live.trace, live.start())
        columns = try store.read { try Self.columns(of: live.query, in: $0) }
    }

    /// Writes the state at the start.
    mutating func begin() throws { try writeState(isReset: false) }

    /// Writes what has come since, if anything has. What the store does not allow is written, too, not thrown.
    ///
    /// - Throws: ``OutputError`` alone.
    mutating func goOn() throws {
        guard let delivery = live.take() else { return }
        do {
            if let update = delivery.update { try write(update) }
            if let error = delivery.error { throw error }
            // The store can be read again, and nothing of the result has changed.
            if hasFailed { try isBehind ? writeState(isReset: true) : end() }
        } catch let error as OutputError {
            throw error
        } catch {
            hasFailed = true
            try writer.fail(error, save: taken.save)
        }
    }

    private mutating func write(_ update: LiveUpdate) throws {
        let leadsOn = !isBehind
        (taken, isBehind) = (update.new, true)
        do {
            guard leadsOn, let difference = try difference(of: update) else { return try writeState(isReset: true) }
            isBehind = !difference.isEmpty
            if isBehind { try write(difference, from: update.old, to: update.new) }
        } catch is ColumnsChanged {
            try writeState(isReset: true)
        }
    }

    /// What an update changes; nil where anything may be different. Of a result that is read in one snapshot that is
    /// never so: its rows are compared with what was written.
    private func difference(of update: LiveUpdate) throws -> LiveDifference? {
        if case .difference(let difference) = update.change() { return difference }
        guard let written, update.new.count <= Self.batchSize else { return nil }
        let changed = try values(of: update.new.rowIDs).filter { written[$0] != nil && written[$0] != $1 }
        return LiveDifference(from: update.old, to: update.new, changed: Set(changed.keys))
    }

    private mutating func write(_ difference: LiveDifference, from old: ResultState, to new: ResultState) throws {
        let steps = WatchStep.steps(difference, from: old, to: new)
        let values = try values(of: steps.compactMap(\.shownRow))
        for step in steps { try writer.append(step, save: new.save, step.shownRow.flatMap { values[$0] }) }
        for rowID in steps.compactMap(\.goneRow) { written?[rowID] = nil }
        written?.merge(values) { $1 }
        if new.count > Self.batchSize { written = nil }
        try end()
    }

    private mutating func writeState(isReset: Bool) throws {
        do {
            try writeAll(isReset: isReset)
        } catch is ColumnsChanged {
            try writeState(isReset: true)
        }
    }

    private mutating func writeAll(isReset: Bool) throws {
        columns = try store.read { try Self.columns(of: live.query, in: $0) }
        let rowIDs = taken.rowIDs
        written = rowIDs.count > Self.batchSize ? nil : try values(of: rowIDs)
        try writer.begin(WatchedState(taken, isReset: isReset), columns)
        if showsRows {
            for start in stride(from: 0, to: rowIDs.count, by: Self.batchSize) {
                guard try events.goesOn() else { return }
                let batch = start..<min(start + Self.batchSize, rowIDs.count)
                let values = try written ?? values(of: Array(rowIDs[batch]))
                for index in batch {
                    try writer.append(rowIDs[index], at: taken.position(at: index), values[rowIDs[index]])
                }
            }
        }
        try end()
    }

    /// Writes that what was written is the state that was taken.
    private mutating func end() throws {
        let now = live.trace
        let work = WatchedWork(kind: live.kind, trace: now.since(trace))
        try writer.end(save: taken.save, count: taken.count, explains ? work : nil)
        (trace, isBehind, hasFailed) = (now, false, false)
    }

    /// The values of those rows that are still there.
    private func values(of rowIDs: [RowID]) throws -> [RowID: [Value]] {
        let query = Query(entity: live.query.entity, columns: live.query.columns)
        var (values, work): ([RowID: [Value]], Work) = ([:], Work())
        for start in stride(from: 0, to: rowIDs.count, by: Self.batchSize) {
            let batch = Array(rowIDs[start..<min(start + Self.batchSize, rowIDs.count)])
            try store.read { snapshot in
                guard try Self.columns(of: live.query, in: snapshot) == columns else { throw ColumnsChanged() }
                try Planner.plan(query, for: .rowIDs(batch), in: snapshot).execute(in: snapshot, work: &work) {
                    values[$0] = $1
                    return true
                }
            }
        }
        return values
    }

    private static func columns(of query: Query, in snapshot: Snapshot) throws -> WatchedColumns {
        let resolved = try Planner.plan(query, for: .rowIDs([]), in: snapshot).query
        return WatchedColumns(
            columns: resolved.columns.map { OutputColumn(name: $0.written, type: $0.type) },
            sectionType: resolved.section?.type)
    }
}
