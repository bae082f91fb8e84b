import LoamQuery
import LoamStorage

/// The rows of a query on their way to a reader that may be slow, such as a pager, from a search that may be long.
///
/// As long as the search is short and the reader keeps up, the rows are those of one snapshot. Otherwise what is left
/// of the result, or of the rows that may belong to it, is noted, by id, and the snapshot is given up; the rest is
/// searched, sorted and copied out in steps, each in a snapshot of its own that is never held while the reader is
/// waited for. So no row comes twice, none is missing that was there and matched throughout, and each is as its own
/// step's snapshot has it. Rows keep the order of the first snapshot, or of the sort keys with which they were found.
/// An offset and a limit count the rows that matched when they were found.
struct PacedRows {
    /// The saves that the rows show.
    struct Saves: Hashable {
        var first: UInt64
        var last: UInt64

        /// The words about rows that are not of one state; nil where they are.
        var note: String? {
            first == last
                ? nil
                : "the search or the reader of the output took long: the rows span saves \(first) to \(last); "
                    + "--snapshot keeps to one save"
        }
    }

    /// How long a snapshot is kept for a reader that does not take what there is.
    static let patience = Duration.milliseconds(500)
    /// How long rows are searched in one snapshot.
    static let longestSearch = Duration.milliseconds(800)
    /// The number of rows that are read by id between two looks at the output.
    private static let batchSize = 1_024

    let store: Store
    let query: Query
    /// Whether all rows are to be of one snapshot, however long it is held.
    var keepsSnapshot = false
    /// The number of rows that are looked at between two looks at the time.
    var searchInterval = 1_024
    var now: () -> ContinuousClock.Instant = { .now }

    /// The rows that were shown so far, and how many of the next ones that match are passed over and wanted.
    private struct Shown {
        var columns: [OutputColumn] = []
        var saves = Saves(first: 0, last: 0)
        var offset = 0
        var limit: Int?
    }

    /// The rows that the first snapshot leaves to the others.
    private struct Rest {
        /// The rows of the result that come next.
        var noted = RowIDQueue()
        /// The rows behind the noted ones, which are still to be searched.
        var search: UnfinishedSearch?
    }

    /// Writes all rows. The caller ends the writer's output, since it may have something to add.
    ///
    /// - Parameters:
    ///   - output: where the writer's stream goes.
    ///   - makeWriter: takes the columns of the result.
    func write(
        to output: any PacedOutput, _ makeWriter: ([OutputColumn]) throws -> any RowWriter
    ) throws -> (writer: any RowWriter, saves: Saves) {
        var shown = Shown()
        var (rest, writer) = try store.read { try begin(in: $0, output, &shown, makeWriter) }
        while case let ids = try rest.noted.next(Self.batchSize), !ids.isEmpty {
            try writeAll(.rowIDs(ids), output, &writer, &shown)
        }
        switch rest.search {
        case nil: break
        case .found(let ids): try writeAll(.rowIDs(ids), output, &writer, &shown)
        case .served(let rows, let offset, let limit):
            (shown.offset, shown.limit) = (offset, limit)
            try writeAll(rows, output, &writer, &shown)
        case .unsorted(let rows, let sort):
            let ids: [RowID]
            do {
                ids = try find(rows, sort, output, &shown)
            } catch is GradualSort.SchemaChanged {
                throw ArgumentError(.schemaChanged(query.entity))
            }
            try writeAll(.rowIDs(ids), output, &writer, &shown)
        }
        return (writer, shown.saves)
    }

    private static func columns(of plan: Plan) -> [OutputColumn] {
        plan.query.columns.map { OutputColumn(name: $0.written, type: $0.type) }
    }

    private func makePace() -> SearchPace {
        let deadline = now() + Self.longestSearch
        return SearchPace(every: searchInterval) { [now] in now() >= deadline }
    }

    /// Reads the first snapshot: writes the rows that it finds and the reader takes in time, and notes the rest.
    private func begin(
        in snapshot: Snapshot, _ output: any PacedOutput, _ shown: inout Shown,
        _ makeWriter: ([OutputColumn]) throws -> any RowWriter
    ) throws -> (Rest, any RowWriter) {
        let (deadline, pace) = (now() + Self.patience, keepsSnapshot ? nil : makePace())
        let plan = try Planner.plan(query, in: snapshot)
        let save = try snapshot.lastSave()
        shown.columns = Self.columns(of: plan)
        shown.saves = Saves(first: save, last: save)
        var (writer, rest) = (try makeWriter(shown.columns), Rest())
        var (count, last, isNoting, isLeft) = (0, nil as RowID?, false, !keepsSnapshot && plan.sortsGradually)
        var work = Work()
        do {
            guard !isLeft else { throw SearchPace.Pause() }
            try plan.execute(in: snapshot, work: &work, pace: pace) { rowID, values in
                (count, last) = (count + 1, rowID)
                if isNoting {
                    try rest.noted.append(rowID)
                    return true
                }
                try writer.append(values)
                if keepsSnapshot {
                    while try !output.hasRoom(until: .now + .seconds(60)) {}
                    return true
                }
                guard try !output.hasRoom(until: deadline) else { return true }
                isLeft = pace?.isSorted == true || plan.remainingRows(after: rowID) != nil
                isNoting = !isLeft
                return !isLeft
            }
        } catch is SearchPace.Pause {
            isLeft = true
        }
        if isLeft { rest.search = try plan.unfinished(pace, after: count, last: last, in: snapshot) }
        return (rest, writer)
    }

    /// Finds the rows of a result, in as many snapshots as it takes, and sorts them.
    private func find(
        _ rows: RemainingRows, _ sort: GradualSort, _ output: any PacedOutput, _ shown: inout Shown
    ) throws -> [RowID] {
        for batch in rows.batches(of: Self.batchSize) {
            var next: RemainingRows? = batch
            while let rows = next {
                try output.waitUntilTaken()
                next = try store.read { snapshot in
                    shown.saves.last = try snapshot.lastSave()
                    return try sort.add(rows, of: query, in: snapshot, pace: makePace())
                }
            }
        }
        var work = Work()
        return try sort.rowIDs(work: &work)
    }

    /// Writes those of the given rows that match, in as many snapshots as it takes.
    private func writeAll(
        _ rows: RemainingRows, _ output: any PacedOutput, _ writer: inout any RowWriter, _ shown: inout Shown
    ) throws {
        for batch in rows.batches(of: Self.batchSize) {
            var next: RemainingRows? = batch
            while let rows = next, shown.limit != 0 {
                try output.waitUntilTaken()
                next = try store.read { try continueWriting(rows, in: $0, output, &writer, &shown) }
            }
        }
    }

    /// Reads one more snapshot; returns the rows that it leaves to the next one.
    private func continueWriting(
        _ rows: RemainingRows, in snapshot: Snapshot, _ output: any PacedOutput, _ writer: inout any RowWriter,
        _ shown: inout Shown
    ) throws -> RemainingRows? {
        let (deadline, pace) = (now() + Self.patience, makePace())
        let plan = try Planner.plan(query, for: rows, in: snapshot)
        guard Self.columns(of: plan) == shown.columns else { throw ArgumentError(.schemaChanged(query.entity)) }
        var (rest, work) = (nil as RemainingRows?, Work())
        // The rows that are gone are missing from what is shown, so this save is shown, too.
        shown.saves.last = try snapshot.lastSave()
        do {
            try plan.execute(in: snapshot, work: &work, pace: pace) { rowID, values in
                guard shown.offset == 0 else {
                    shown.offset -= 1
                    return true
                }
                try writer.append(values)
                if let limit = shown.limit { shown.limit = limit - 1 }
                guard shown.limit != 0 else { return false }
                guard try !output.hasRoom(until: deadline) else { return true }
                rest = plan.rest(of: rows, after: rowID)
                return false
            }
        } catch is SearchPace.Pause {
            rest = plan.rest(of: rows, after: pace)
        }
        return rest
    }
}

extension RemainingRows {
    /// The rows in parts: a list of ids is cut into lists of so many.
    fileprivate func batches(of count: Int) -> [RemainingRows] {
        guard case .rowIDs(let ids) = self else { return [self] }
        return stride(from: 0, to: ids.count, by: count).map { .rowIDs(Array(ids[$0..<min($0 + count, ids.count)])) }
    }
}
