import LoamQuery
import LoamStorage

/// The rows of a query on their way to a reader that may be slow, such as a pager.
///
/// As long as the reader keeps up, the rows are those of one snapshot. Where it does not, what is left of the result is
/// noted, by id, and the snapshot is given up; the rest is copied out in batches, each from a snapshot of its own that is
/// never held while the reader is waited for. So no row comes twice, none is missing that was there and matched
/// throughout, and rows keep the order of the first snapshot. Each is as its own batch's snapshot has it.
struct PacedRows {
    /// The saves that the rows show.
    struct Saves: Hashable {
        var first: UInt64
        var last: UInt64

        /// What to say of rows that are not of one state; nil where they are.
        var note: String? {
            first == last
                ? nil
                : "the output was read slowly: its rows span saves \(first) to \(last); --snapshot keeps to one save"
        }
    }

    /// How long a snapshot is kept for a reader that does not take what there is.
    static let patience = Duration.milliseconds(500)
    /// Rows that are read by id between two looks at the output.
    private static let batchSize = 1_024

    let store: Store
    let query: Query
    /// Whether all rows are to be of one snapshot, however long it is held.
    var keepsSnapshot = false

    /// What the rows so far have shown.
    private struct Shown {
        var columns: [OutputColumn] = []
        var saves = Saves(first: 0, last: 0)
    }

    /// What the first snapshot leaves to the others.
    private enum Rest {
        case nothing
        case ids(RowIDQueue)
        case rows(RemainingRows)
    }

    /// Writes all rows. The writer's last words are the caller's, who may have something to add.
    ///
    /// - Parameters:
    ///   - output: where the writer's stream goes.
    ///   - makeWriter: takes the columns of the result.
    func write(
        to output: any PacedOutput, _ makeWriter: ([OutputColumn]) throws -> any RowWriter
    ) throws -> (writer: any RowWriter, saves: Saves) {
        var shown = Shown()
        var (rest, writer) = try store.read { try begin(in: $0, output, &shown, makeWriter) }
        while true {
            switch rest {
            case .nothing: return (writer, shown.saves)
            case .ids(let queue):
                let ids = try queue.next(Self.batchSize)
                guard !ids.isEmpty else { return (writer, shown.saves) }
                try writeAll(.rowIDs(ids), output, &writer, &shown)
            case .rows(let rows):
                try writeAll(rows, output, &writer, &shown)
                rest = .nothing
            }
        }
    }

    private static func columns(of plan: Plan) -> [OutputColumn] {
        plan.query.columns.map { OutputColumn(name: $0.names.joined(separator: "."), type: $0.type) }
    }

    /// The first snapshot: writes what the reader takes in time, notes the rest.
    private func begin(
        in snapshot: Snapshot, _ output: any PacedOutput, _ shown: inout Shown,
        _ makeWriter: ([OutputColumn]) throws -> any RowWriter
    ) throws -> (Rest, any RowWriter) {
        let deadline = ContinuousClock.now + Self.patience
        let plan = try Planner.plan(query, in: snapshot)
        let save = try snapshot.lastSave()
        shown.columns = Self.columns(of: plan)
        shown.saves = Saves(first: save, last: save)
        var writer = try makeWriter(shown.columns)
        var rest = Rest.nothing
        var work = Work()
        try plan.execute(in: snapshot, work: &work) { rowID, values in
            if case .ids(let queue) = rest {
                try queue.append(rowID)
                return true
            }
            try writer.append(values)
            if keepsSnapshot {
                while try !output.hasRoom(until: .now + .seconds(60)) {}
                return true
            }
            guard try !output.hasRoom(until: deadline) else { return true }
            if let rows = plan.remainingRows(after: rowID) {
                rest = .rows(rows)
                return false
            }
            rest = .ids(RowIDQueue())
            return true
        }
        return (rest, writer)
    }

    /// Writes the rows that are left, in as many snapshots as it takes.
    private func writeAll(
        _ rows: RemainingRows, _ output: any PacedOutput, _ writer: inout any RowWriter, _ shown: inout Shown
    ) throws {
        var next: RemainingRows? = rows
        while let rows = next {
            try output.waitUntilTaken()
            next = try store.read { try continueWriting(rows, in: $0, output, &writer, &shown) }
        }
    }

    /// One more snapshot; returns what it leaves to the next one.
    private func continueWriting(
        _ rows: RemainingRows, in snapshot: Snapshot, _ output: any PacedOutput, _ writer: inout any RowWriter,
        _ shown: inout Shown
    ) throws -> RemainingRows? {
        let deadline = ContinuousClock.now + Self.patience
        let plan = try Planner.plan(query, for: rows, in: snapshot)
        guard Self.columns(of: plan) == shown.columns else { throw ArgumentError(.schemaChanged(query.entity)) }
        let save = try snapshot.lastSave()
        var rest: RemainingRows?
        var work = Work()
        // Rows that are gone by now are missing from what is shown, too.
        shown.saves.last = save
        try plan.execute(in: snapshot, work: &work) { rowID, values in
            try writer.append(values)
            guard try !output.hasRoom(until: deadline) else { return true }
            rest = rows.rest(after: rowID) ?? plan.remainingRows(after: rowID)
            return false
        }
        return rest
    }
}

extension RemainingRows {
    /// Of a list of ids what comes behind one of them; nil for a range.
    fileprivate func rest(after rowID: RowID) -> RemainingRows? {
        guard case .rowIDs(let ids) = self else { return nil }
        return .rowIDs(Array(ids.drop { $0 != rowID }.dropFirst()))
    }
}
