import LoamStorage

/// One execution of a plan: walks the rows that match, and counts what it does.
final class PlanExecution {
    let plan: Plan
    let snapshot: Snapshot
    var work: Work
    /// Whether each row's record is wanted besides its values.
    let readsRecords: Bool
    let filter: FilterProgram
    let isUnfiltered: Bool
    /// Related rows as they are stored; nil where no test reads any.
    let related: SnapshotRelations?
    /// Told of the work of each operator; nil where nobody asks.
    let measurement: Measurement?
    let overlay: OverlaidRows?
    /// The changes that ``overlay`` is made of.
    let changes: Overlay?
    /// Asked now and then whether the search may go on.
    var pace: SearchPace?
    /// Whether a search may be left for another plan.
    var isWatched = true
    /// Whether a skip scan may be left for another plan.
    var leavesSkips = false
    /// Told of the rows that are looked at, while the search is watched.
    var watch: SearchWatch?
    /// Given where each match is to have its key in an order.
    var placer: RowPlacer?
    /// Takes matches in, in place of handing them out: those whose values are asked for.
    var tally: GroupTally?
    /// Reads the values of matches in place of ``Match/values``, where each is handed on before the next one is met.
    var columns: ColumnReading?
    /// Reads the values of matches in the same way, and keeps those of many.
    var batch: ResultBatch?
    /// Stored rows that ``forEachMatch(_:_:)`` may pass over by position.
    var skippable = 0
    /// Stored rows that it has passed over by position; hidden ones count.
    private(set) var skipped = 0
    /// Hidden rows that it has met.
    private(set) var hiddenCount = 0

    let entity: Entity

    init(
        _ plan: Plan, in snapshot: Snapshot, work: Work, readsRecords: Bool = false, overlay: Overlay? = nil,
        measurement: Measurement? = nil
    ) throws {
        self.measurement = measurement
        changes = overlay
        self.overlay = try OverlaidRows(overlay, of: plan.query, in: snapshot)
        self.plan = self.overlay == nil ? plan : try plan.forMerging(readsRecords: readsRecords)
        related = plan.query.readsRelations ? SnapshotRelations(snapshot) : nil
        self.snapshot = snapshot
        self.work = work
        self.readsRecords = readsRecords
        isUnfiltered = plan.residual.isEmpty
        filter = try isUnfiltered ? .matchingAll : FilterProgram(Filter(all: plan.residual))
        entity = plan.query.entity
        measurement?.begin(self.plan, isOverlaid: self.overlay != nil, at: work)
    }

    /// Tests a row by itself.
    var test: RowTest { RowTest(filter: filter, related: related, measurement: measurement) }

    typealias Body = (Match) throws -> Bool

    /// Calls `body` with every row that matches, and the values of `paths`, until it returns false. In the order of the
    /// result where the plan's access path serves it; by row id where it is ``Arrangement/byRowID``; else in any order.
    /// Rows that the overlay hides are left out, its own are not among them.
    func forEachMatch(_ paths: [PropertyPath], _ body: Body) throws {
        guard let overlay else { return try forEachStoredMatch(paths, body) }
        try forEachStoredMatch(paths) { match in
            guard overlay.hides(match.rowID) else { return try body(match) }
            hiddenCount += 1
            return true
        }
    }

    private func forEachStoredMatch(_ paths: [PropertyPath], _ body: Body) throws {
        guard let measurement else { return try reachMatches(paths, body) }
        let caller = measurement.current
        try measuring(plan.accessPath.operatorID) {
            try reachMatches(paths) { match in try measuring(caller) { try body(match) } }
        }
    }

    /// Runs a part of the execution as the work of an operator.
    func measuring<Result>(_ operator: OperatorID, _ body: () throws -> Result) rethrows -> Result {
        guard let measurement else { return try body() }
        measurement.enter(`operator`, at: work)
        defer { measurement.leave(work) }
        return try body()
    }

    private func reachMatches(_ paths: [PropertyPath], _ body: Body) throws {
        let isDescending = plan.query.rowIDDirection == .descending && plan.arrangement.followsRowIDs
        switch plan.accessPath {
        case .nothing: return
        case .rows(let rowIDs):
            try visit(isDescending ? rowIDs.reversed() : rowIDs, paths: paths, checksExistence: true, body)
        case .table(let from, let through):
            // What changes in this object is looked at once, not for every row: the runtime watches over each access.
            let (test, pace) = (test, pace)
            var records = 0
            defer { work.records += records }
            // Not where somebody hears of every row.
            let sieve = pace == nil && measurement == nil ? filter.sieve : nil
            if let batch, batch.takesAll {
                let (filter, related) = (filter, related)
                let keptBack = try snapshot.scanRows(
                    of: entity, from: from, through: through, reversed: isDescending, passing: sieve?.test
                ) { row in
                    records += 1
                    if try filter.matches(row, related: related, behind: sieve) {
                        try batch.take(row, record: record(of: row))
                    }
                    return true
                }
                records += keptBack
                return
            }
            let keptBack = try snapshot.scanRows(
                of: entity, from: from, through: through, reversed: isDescending, passing: sieve?.test
            ) { row in
                records += 1
                if try test.matches(row, behind: sieve),
                    try !handOut(row, paths: paths, record: record(of: row), body)
                {
                    return false
                }
                try pace?.note(row.rowID)
                return true
            }
            records += keptBack
        case .union(let scans):
            let rowIDs = try rows(ofAnyOf: scans)
            measurement?.note(rows: rowIDs.count, from: .combination)
            try visit(isDescending ? rowIDs.reversed() : rowIDs, paths: paths, body)
        case .join(let join):
            let rowIDs = try sources(of: join)
            measurement?.note(rows: rowIDs.count, from: .combination)
            try visit(
                sorted(Array(rowIDs), isDescending: isDescending), paths: paths,
                checksExistence: join.hop.reference == nil, body)
        case .intersection(let scans):
            let rowIDs = try common(to: scans)
            measurement?.note(rows: rowIDs.count, from: .combination)
            try visit(sorted(rowIDs, isDescending: isDescending), paths: paths, body)
        case .index(let scan): try visit(scan, paths: paths, isDescending: isDescending, body)
        case .skip(let skip): try visit(scan(of: skip), paths: paths, isDescending: isDescending, body)
        }
    }

    /// Whether every match is wanted, and nothing has to hear of each one.
    var takesAllMatches: Bool {
        watch == nil && pace == nil && measurement == nil && placer == nil && overlay == nil
            && plan.query.limit == nil && plan.query.offset == 0
    }

    /// Whether nothing is wanted of a record.
    func needsNoRecord(_ paths: [PropertyPath]) -> Bool {
        isUnfiltered && paths.isEmpty && !readsRecords && (placer?.keys.isEmpty ?? true)
    }

    private func visit(_ scan: IndexScan, paths: [PropertyPath], isDescending: Bool, _ body: Body) throws {
        if case .partial(let count) = plan.arrangement {
            try visitGroups(scan, keyCount: count, paths: paths, body)
        } else if needsNoRecord(paths),
            plan.arrangement == .served || plan.query.result != .rows || plan.query.isUnordered && tally == nil
        {
            if let batch, batch.takesAll, !scan.isMerged {
                return try forEachBatch(in: scan) { entries in
                    work.entries += entries.count
                    try batch.take(entries.rowIDs)
                    return true
                }
            }
            try forEachRowID(in: scan) { try body(Match(rowID: $0)) }
        } else if let covering = plan.covering, !readsRecords, tally != nil || !needsNoRecord(paths),
            covering.holds(paths + (placer?.keys.paths ?? []))
        {
            try visit(scan, covering: covering, paths: paths, body)
        } else if plan.arrangement == .served, plan.query.result == .rows {
            try visitInOrder(scan, paths: paths, body)
        } else {
            var rowIDs: [RowID] = []
            try collect(scan) { rowIDs.append($0) }
            try visit(sorted(rowIDs, isDescending: isDescending), paths: paths, body)
        }
    }

    private func sorted(_ rowIDs: [RowID], isDescending: Bool) -> [RowID] {
        isDescending ? rowIDs.sorted(by: >) : rowIDs.sorted()
    }

    /// Row ids of an index exist; those that somebody wrote into a query may not.
    private func visit(
        _ rowIDs: [RowID], paths: [PropertyPath], checksExistence: Bool = false, _ body: Body
    ) throws {
        for rowID in rowIDs {
            if checksExistence, needsNoRecord(paths) {
                work.records += 1
                guard try snapshot.withRow(rowID, of: entity, { _ in true }) ?? false else { continue }
            }
            guard try visit(rowID, paths: paths, body) else { return }
            try pace?.note(rowID)
        }
    }

    func visit(_ rowID: RowID, paths: [PropertyPath], _ body: Body) throws -> Bool {
        if needsNoRecord(paths) { return try body(Match(rowID: rowID)) }
        measurement?.enter(plan.accessPath.fetchingOperatorID, at: work)
        work.records += 1
        var goesOn = true
        try snapshot.visitRow(rowID, of: entity) { row in
            guard try test.matches(row) else { return }
            goesOn = try handOut(row, paths: paths, record: record(of: row), body)
        }
        measurement?.leave(work)
        return goesOn
    }

    /// Entries that hold all values are tested as they are; for the others the record is read.
    private func visit(
        _ scan: IndexScan, covering: Covering, paths: [PropertyPath], _ body: Body
    ) throws {
        let entry = try placer.map { try EntryKeys($0.keys, index: scan.index) }
        // A value is decoded where somebody reads it: of a plan that serves the order these are all that it covers.
        var covering = covering
        if placer != nil || plan.arrangement != .served {
            let read = Set((plan.residual.flatMap(\.paths) + paths).compactMap(\.own) + (entry?.paths ?? []))
            covering = covering.restricted(to: read)
        }
        var row = try CoveredRow(covering, index: scan.index, entity: entity)
        let (test, pace) = (test, pace)
        let taking = batch.flatMap { $0.takesAll ? $0 : nil }
        try forEachBatch(in: scan) { batch in
            var entries = 0
            defer { work.entries += entries }
            for index in 0..<batch.count {
                entries += 1
                try pace?.note(batch.rowIDs[index])
                if let watch, try !watch.note(examined: 1) { return false }
                guard try row.fill(from: batch, at: index), try entry?.fill(from: batch, at: index) ?? true else {
                    guard try visit(batch.rowIDs[index], paths: paths, body) else { return false }
                    continue
                }
                guard try test.matches(row) else { continue }
                if let taking {
                    try taking.take(row)
                    continue
                }
                guard try handOut(row, paths: paths, record: nil, from: entry, body) else { return false }
            }
            return true
        }
    }

    func collect(_ scan: IndexScan, _ body: (RowID) -> Void) throws {
        try forEachRowID(in: scan) {
            body($0)
            return true
        }
    }

    func forEachRowID(in scan: IndexScan, _ body: (RowID) throws -> Bool) throws {
        if scan.isMerged { return try forEachMergedRowID(in: scan, body) }
        try forEachBatch(in: scan) { batch in
            let rowIDs = batch.rowIDs
            for index in rowIDs.indices {
                guard try body(rowIDs[index]) else {
                    work.entries += index + 1
                    return false
                }
            }
            work.entries += rowIDs.count
            return true
        }
    }

    private func forEachMergedRowID(in scan: IndexScan, _ body: (RowID) throws -> Bool) throws {
        var merge = try RangeMerge(scan, wanted: plan.wanted)
        while let rowID = try merge.next(in: snapshot, work: &work) { guard try body(rowID) else { return } }
    }

    func forEachBatch(in scan: IndexScan, _ body: (borrowing IndexBatch) throws -> Bool) throws {
        var isStopped = false
        for range in scan.isReversed ? scan.ranges.reversed() : scan.ranges {
            guard !isStopped else { return }
            work.ranges += 1
            var toSkip = skippable - skipped
            if toSkip > 0 {
                work.sums += 1
                toSkip = min(toSkip, try snapshot.count(in: scan.index, range: range))
                skipped += toSkip
            }
            try snapshot.scanIndex(scan.index, range: range, skipping: toSkip, reversed: scan.isReversed) { batch in
                work.blocks += 1
                isStopped = try !body(batch)
                return !isStopped
            }
        }
    }

    func match(_ row: borrowing StoredRow, paths: [PropertyPath]) throws -> Match {
        Match(rowID: row.rowID, values: try Self.values(of: paths, in: row, related), record: record(of: row))
    }

    func record(of row: borrowing StoredRow) -> UnsafeRawBufferPointer? { readsRecords ? row.record : nil }

    /// Hands on a row that matches; one that whoever collects rows has no room for is passed over, and its values are
    /// not asked for.
    private func handOut<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, paths: [PropertyPath], record: UnsafeRawBufferPointer?, from entry: EntryKeys? = nil,
        _ body: Body
    ) throws -> Bool {
        if let batch {
            if batch.takesAll {
                try batch.take(row, record: record)
                return true
            }
            try batch.read(row)
            return try body(Match(rowID: row.rowID, record: record))
        }
        var key = 0..<0
        if let placer {
            measurement?.enter(placingOperatorID, at: work)
            defer { measurement?.leave(work) }
            if placer.isCollecting {
                if overlay?.hides(row.rowID) == true { return true }
                work.sorted += 1
                if try placer.isUnwanted(row) { return true }
            }
            placer.clear()
            key = try placer.place(row, from: entry, related: related)
            guard placer.isWanted(row.rowID, key: key) else { return true }
        }
        if let tally {
            measurement?.enter(.result, at: work)
            if overlay?.hides(row.rowID) != true { try tally.add(row, key: key, with: placer, related: related) }
            measurement?.leave(work)
            return true
        }
        if let columns {
            try columns.read(row)
            return try body(Match(rowID: row.rowID, record: record, key: key))
        }
        return try body(
            Match(rowID: row.rowID, values: Self.values(of: paths, in: row, related), record: record, key: key))
    }

    /// The operator that the keys of matches are made for.
    private var placingOperatorID: OperatorID {
        if placer?.isCollecting == true { return .sort }
        return tally == nil ? .pending : .result
    }

    static func values<Row: RowValues & ~Escapable>(
        of paths: [PropertyPath], in row: borrowing Row, _ related: (any RelatedRows)?
    ) throws -> [Value] {
        guard !paths.isEmpty else { return [] }
        var values: [Value] = []
        values.reserveCapacity(paths.count)
        for path in paths { values.append(try row.value(of: path, related)) }
        return values
    }
}

extension AccessPath {
    /// The operator that calls all others that reach rows.
    fileprivate var operatorID: OperatorID {
        switch self {
        case .nothing, .rows, .table, .index, .skip: .scan(0)
        case .union, .intersection, .join: .combination
        }
    }

    /// The operator that reads records by their ids.
    fileprivate var fetchingOperatorID: OperatorID {
        if case .rows = self { .scan(0) } else { .fetch }
    }
}

extension Arrangement {
    /// Whether rows come by row id alone, or are served so that row ids decide.
    fileprivate var followsRowIDs: Bool { self == .served || self == .byRowID }
}
