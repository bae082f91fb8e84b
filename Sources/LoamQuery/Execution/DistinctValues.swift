import LoamStorage

/// The different values of an index's leading component: a look-up finds the first entry of a value, and the next one
/// begins behind all of that value.
struct DistinctValues {
    private let entity: Entity
    private let scan: IndexScan
    private let column: PropertyPath
    private let component: KeyComponent
    /// Whether values come by the first row that has each, and not in their own order.
    private let isByRow: Bool

    /// Look-ups that cost half as much as reading all entries one by one: after these the rest is read so.
    private let mostJumps: Int

    /// Values that are looked up by the first row that has each where only some are wanted: all have to be found before
    /// the first is handed out.
    private static let mostUnwanted = 128.0

    /// - Parameter isLimited: whether only some of the values are wanted.
    /// - Returns: nil where the values of the plan's columns are not one component of an index that answers the whole
    ///   predicate, or where their order follows from other values.
    init?(_ query: ResolvedQuery, isLimited: Bool = false, in snapshot: Snapshot) throws {
        guard query.result == .rows, query.columns.count == 1, query.section == nil,
            query.limit == nil, query.offset == 0, let column = query.columns.first, column.type.isOrdered,
            query.order.first.map({ $0.path == column && $0.form == .exact }) ?? (query.rowIDDirection == .ascending)
        else { return nil }
        let isByRow = query.order.isEmpty
        var best: IndexScan?
        for index in query.entity.indexes where index.isReadable {
            guard let scan = try Self.scan(index, of: column, query, isByRow: isByRow, in: snapshot) else { continue }
            if best.map({ scan.entryCount < $0.entryCount }) ?? true { best = scan }
        }
        guard var scan = best, let leading = scan.index.components.first else { return nil }
        if isByRow, isLimited, try Self.estimate(scan, in: snapshot) > Self.mostUnwanted { return nil }
        scan.isReversed = query.order.first.map { $0.direction != leading.direction } ?? false
        (entity, self.scan, self.column, self.isByRow) = (query.entity, scan, column, isByRow)
        component = try KeyComponent(leading)
        mostJumps = Int(Double(scan.entryCount) * Cost.coveredEntry / Cost.range / 2)
    }

    /// About how many different values the entries of a scan have: those of the whole index at most.
    private static func estimate(_ scan: IndexScan, in snapshot: Snapshot) throws -> Double {
        let entries = Double(scan.entryCount)
        if let values = try snapshot.distribution(of: scan.index)?.distinct.first {
            return min(entries, Double(values))
        }
        // Each entry stands for a share of its value.
        let sample = try snapshot.leadingKeys(of: scan.index, count: 32)
        return sample.runs.isEmpty ? entries : entries * sample.valuesPerKey
    }

    private static func scan(
        _ index: Index, of column: PropertyPath, _ query: ResolvedQuery, isByRow: Bool, in snapshot: Snapshot
    ) throws -> IndexScan? {
        guard let leading = index.components.first, leading.isValue(of: column), leading.form == .exact else {
            return nil
        }
        // Only there the first entry of a value is that of its first row.
        guard !isByRow || index.components.count == 1 && leading.direction == .ascending else { return nil }
        let conjuncts = query.predicate.conjuncts
        let outline = try ScanOutline(index, paths: conjuncts.map(\.onlyPath))
        let built = try BuiltScan(outline, answering: conjuncts, statistics: snapshot, precision: .exact)
        guard !built.scan.isInexact, Set(built.answered).count == conjuncts.count else { return nil }
        return built.scan
    }

    /// The plan, as it is explained.
    func plan(instead plan: Plan) throws -> Plan {
        var plan = plan
        plan.accessPath = .index(scan)
        plan.residual = []
        plan.arrangement = isByRow ? .byRowID : .served
        plan.covering = try Covering([column], in: scan.index)
        plan.estimate = Estimate(
            candidates: scan.entryCount, entries: min(scan.entryCount, mostJumps), records: 0, rows: scan.entryCount,
            cost: Double(min(scan.entryCount, mostJumps)) * Cost.range)
        return plan
    }

    /// Calls the closure with each value once, in order, until it returns false. O(log n) for each value, or O(entries)
    /// where there are many, and a record for each value that a key does not give back: by rows those are read one behind
    /// the other, and none that is not asked for.
    func forEach(in snapshot: Snapshot, work: inout Work, _ body: (Value) throws -> Bool) throws {
        guard isByRow else {
            return try forEachEntry(in: snapshot, work: &work) { value, rowID, work in
                try body(value ?? self.value(ofRow: rowID, snapshot, &work))
            }
        }
        var found: [(rowID: RowID, value: Value?)] = []
        try forEachEntry(in: snapshot, work: &work) { value, rowID, _ in
            found.append((rowID, value))
            return true
        }
        found.sort { $0.rowID < $1.rowID }
        for (rowID, value) in found {
            guard try body(value ?? self.value(ofRow: rowID, snapshot, &work)) else { return }
        }
    }

    /// The first entry of each value; without the value where the key does not tell it.
    private func forEachEntry(
        in snapshot: Snapshot, work: inout Work, _ body: (Value?, RowID, _ work: inout Work) throws -> Bool
    ) throws {
        var (last, jumps, isStopped): ([UInt8]?, Int, Bool) = (nil, 0, false)
        for range in scan.isReversed ? scan.ranges.reversed() : scan.ranges where !isStopped {
            var rest = range
            while !isStopped, !rest.isEmpty {
                let reads = jumps < mostJumps ? 1 : Int.max
                var next: KeyRange?
                work.ranges += 1
                jumps += 1
                try forEachLeadingKey(in: rest, atMost: reads, snapshot, &work) { key, rowID, work in
                    next = self.rest(of: range, behind: key)
                    guard key != last else { return true }
                    last = key
                    var offset = 0
                    isStopped = try !body(component.decode(key.span.bytes, at: &offset), rowID, &work)
                    return !isStopped
                }
                guard reads == 1, let next else { break }
                rest = next
            }
        }
    }

    /// What is left of a range behind all entries that begin with a key.
    private func rest(of range: KeyRange, behind key: [UInt8]) -> KeyRange {
        if scan.isReversed { return range.intersection(KeyRange(lower: [], upper: key)) }
        return KeyRange.successor(of: key).map { range.intersection(KeyRange(lower: $0)) } ?? .none
    }

    private func forEachLeadingKey(
        in range: KeyRange, atMost most: Int, _ snapshot: Snapshot, _ work: inout Work,
        _ body: (_ key: [UInt8], _ rowID: RowID, _ work: inout Work) throws -> Bool
    ) throws {
        var last: [UInt8] = []
        try snapshot.scanIndex(scan.index, range: range, reversed: scan.isReversed) { batch in
            work.blocks += 1
            for position in 0..<min(batch.count, most) {
                work.entries += 1
                let key = try batch.key(at: position)
                let end = try component.skip(key, from: 0)
                let isLast = key.withUnsafeBytes { bytes in
                    end == last.count && bytes[..<end].elementsEqual(last)
                }
                if isLast { continue }
                last = key.withUnsafeBytes { Array($0[..<end]) }
                guard try body(last, batch.rowID(at: position), &work) else { return false }
            }
            return most == .max
        }
    }

    private func value(ofRow rowID: RowID, _ snapshot: Snapshot, _ work: inout Work) throws -> Value {
        work.records += 1
        guard let value = try snapshot.withRow(rowID, of: entity, { try $0.value(of: column) }) else {
            throw StorageError(
                .inconsistent("an index leads to a row that does not exist"), entity: entity.name,
                index: scan.index.name)
        }
        return value
    }
}
