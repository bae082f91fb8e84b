import LoamStorage

/// The overlay in an execution: which stored rows it hides, and which rows stand in for them.
extension PlanExecution {
    /// The rows of the overlay that match, with the values of `paths`, in no order.
    ///
    /// - Parameter wanted: where only so many are wanted, the first in the order of the result; more may come.
    func pendingMatches(_ paths: [PropertyPath], first wanted: Int? = nil) throws -> [Match] {
        guard let overlay else { return [] }
        measurement?.enter(.pending, at: work)
        defer { measurement?.leave(work) }
        let test = PendingTest(
            self, overlay: overlay, filter: try FilterProgram(Filter(plan.query.predicate)), paths: paths)
        for row in overlay.touchedRows { try test.add(row.values, record: row.record) }
        guard let entity = overlay.entity else { return test.matches }
        let candidates = try entity.candidates(of: plan.query.predicate)
        if let wanted, try addFirst(wanted, of: entity, candidateCount: candidates.count, to: test) {
            return test.matches
        }
        try entity.forEachRow(of: candidates) { try test.add($0) }
        return test.matches
    }

    /// Adds the first so many pending rows that match. False, and nothing is added, where that takes more tests than
    /// there are candidates.
    private func addFirst(
        _ wanted: Int, of entity: OverlaidEntity, candidateCount: Int, to test: PendingTest
    ) throws -> Bool {
        guard candidateCount > max(wanted, OverlaidEntity.fewRows),
            let order = try entity.ordered(by: plan.query.openOrder, rowIDs: plan.query.rowIDDirection)
        else { return false }
        let before = test.matches.count
        var testsLeft = candidateCount
        var isCutShort = false
        try order.forEachRow(in: order.ranges(of: plan.query.predicate.conjuncts)) { rowID in
            isCutShort = testsLeft == 0
            guard !isCutShort else { return false }
            testsLeft -= 1
            if let row = entity.rows[rowID] { try test.add(row) }
            return test.matches.count < before + wanted
        }
        if isCutShort { test.matches.removeSubrange(before...) }
        return !isCutShort
    }

    /// The stored rows that match and are hidden, with the values of `paths`, by id.
    func hiddenMatches(_ paths: [PropertyPath]) throws -> [Match] {
        guard let overlay, overlay.hiddenCount > 0 else { return [] }
        measurement?.enter(.pending, at: work)
        defer { measurement?.leave(work) }
        let filter = try FilterProgram(Filter(plan.query.predicate))
        var matches: [Match] = []
        try snapshot.visitRows(overlay.hidden, of: entity) { _, row in
            work.records += 1
            if try filter.matches(row, related: related) { matches.append(try match(row, paths: paths)) }
            return true
        }
        return matches
    }
}

/// Tests rows of the overlay in an execution, and keeps what matches.
private final class PendingTest {
    var matches: [Match] = []
    private let execution: PlanExecution
    private let overlay: OverlaidRows
    private let filter: FilterProgram
    private let paths: [PropertyPath]

    init(_ execution: PlanExecution, overlay: OverlaidRows, filter: FilterProgram, paths: [PropertyPath]) {
        (self.execution, self.overlay, self.filter, self.paths) = (execution, overlay, filter, paths)
    }

    /// - Parameter record: the stored one; nil for a row of the overlay.
    func add(_ row: PlainRow, record: UnsafeRawBufferPointer? = nil) throws {
        execution.work.pending += 1
        guard try filter.matches(row, related: overlay.related) else { return }
        matches.append(
            Match(
                rowID: row.rowID, values: try PlanExecution.values(of: paths, in: row, overlay.related), record: record,
                isPending: record == nil, isComplete: true))
    }
}

/// Matches in the order of a result, given out one by one as far as they precede another one.
struct OrderedMatches {
    private let rowIDDirection: SortDirection
    private let items: [(key: [UInt8], match: Match)]
    private var next = 0

    /// - Parameter matches: each with the values of the order's keys first; these are taken away.
    init(_ matches: [Match], by placer: RowPlacer, rowIDDirection: SortDirection) throws {
        self.rowIDDirection = rowIDDirection
        let keyCount = placer.keys.order.count
        var items: [(key: [UInt8], match: Match)] = []
        for match in matches {
            let key = try placer.key(of: match.values.prefix(keyCount))
            items.append((key, match.withoutValues(keyCount)))
        }
        self.items = items.sorted { left, right in
            right.key.withUnsafeBytes {
                Self.precedes(
                    left.key, leftID: left.match.rowID, right: $0, rightID: right.match.rowID,
                    rowIDDirection: rowIDDirection)
            }
        }
    }

    var isEmpty: Bool { next == items.count }
    /// Those that were not given out.
    var count: Int { items.count - next }

    /// The next one, if it comes before a row with this key.
    mutating func popFirst(before rowID: RowID, key: UnsafeRawBufferPointer) -> Match? {
        guard next < items.count,
            Self.precedes(
                items[next].key, leftID: items[next].match.rowID, right: key, rightID: rowID,
                rowIDDirection: rowIDDirection)
        else { return nil }
        return popFirst()
    }

    mutating func popFirst() -> Match? {
        guard next < items.count else { return nil }
        defer { next += 1 }
        return items[next].match
    }

    private static func precedes(
        _ left: [UInt8], leftID: RowID, right: UnsafeRawBufferPointer, rightID: RowID,
        rowIDDirection: SortDirection
    ) -> Bool {
        if !left.elementsEqual(right) { return left.lexicographicallyPrecedes(right) }
        return rowIDDirection == .ascending ? leftID < rightID : leftID > rightID
    }
}
