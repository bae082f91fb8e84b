import LoamStorage

/// Takes the rows that a search comes by into groups, in place of handing them out.
///
/// Groups whose keys' hashes lie beyond a window are left to a later pass over the rows, once those that are known take
/// more memory than there is. So it holds any number of groups, a window at a time.
final class GroupTally {
    let keys: [PropertyPath]
    let accumulators: [GroupAccumulator]
    private let placer: RowPlacer
    private let memory: Int
    private var table = GroupTable()
    /// The values of the keys of all groups, one group after another.
    private var titles: [Value] = []
    /// The hashes of the groups of this pass.
    private(set) var window: ClosedRange<UInt64> = 0...UInt64.max
    private(set) var rowCount = 0

    /// Rows of the overlay in the order of their ids, of which some are not taken in yet.
    private var pending: ArraySlice<PlainRow> = []
    private var pendingRelated: (any RelatedRows)?

    /// - Parameter memory: bytes for the groups of a pass; a single group may take more.
    init(keys: [PropertyPath], _ aggregates: [TypedGroupAggregate], memory: Int) throws {
        self.keys = keys
        self.memory = memory
        accumulators = try aggregates.map(GroupAccumulator.init)
        placer = RowPlacer(try SortKeys(keys.ascending))
        // Without keys all rows are one group, also where there is none.
        if keys.isEmpty { _ = group(of: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    /// Begins a pass over the rows.
    func begin(pending: [PlainRow], related: (any RelatedRows)?) {
        self.pending = pending[...]
        pendingRelated = related
    }

    /// Takes a row in that has its keys' bytes with a placer. Pending rows with lower ids are taken in before it.
    func add<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, key: Range<Int>, with placer: RowPlacer?, related: (any RelatedRows)?
    ) throws {
        while let next = pending.first, next.rowID < row.rowID { try addPending() }
        try add(row, to: group(of: Match(rowID: row.rowID, key: key), in: placer), related: related)
    }

    /// What takes many rows into the only group at once; nil where there are several groups, pending rows, or an
    /// aggregate that looks at each row by itself.
    func makeBatch() -> ResultBatch? {
        guard keys.isEmpty, pending.isEmpty, accumulators.allSatisfy(\.takesBatches) else { return nil }
        let paths = accumulators.compactMap(\.aggregate.path)
        var next = 0
        let columns = accumulators.map { accumulator -> Int? in
            guard accumulator.aggregate.path != nil else { return nil }
            defer { next += 1 }
            return next
        }
        return ResultBatch(paths) { [unowned self] rowIDs, values in
            rowCount += rowIDs.count
            for (accumulator, column) in zip(accumulators, columns) {
                accumulator.add(values, of: rowIDs.count, column: column, to: 0)
            }
        }
    }

    /// Takes in the pending rows that are left.
    func finishPending() throws { while !pending.isEmpty { try addPending() } }

    private func addPending() throws {
        guard let row = pending.popFirst() else { return }
        placer.clear()
        let match = Match(rowID: row.rowID, key: try placer.place(row, related: pendingRelated))
        try add(row, to: group(of: match, in: placer), related: pendingRelated)
    }

    private func add<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, to group: (number: Int?, isNew: Bool), related: (any RelatedRows)?
    ) throws {
        guard let number = group.number else { return }
        rowCount += 1
        if group.isNew { for path in keys { titles.append(try row.value(of: path, related).titled) } }
        for accumulator in accumulators { try accumulator.add(row, to: number, related: related) }
        if group.isNew, usedMemory > memory { narrow() }
    }

    private func group(of match: Match, in placer: RowPlacer?) -> (number: Int?, isNew: Bool) {
        guard !keys.isEmpty, let placer else { return (0, false) }
        return placer.withKey(of: match) { group(of: $0) }
    }

    /// The number of the group with a key; nil for one of a later pass.
    private func group(of key: UnsafeRawBufferPointer) -> (number: Int?, isNew: Bool) {
        let hash = GroupTable.hash(of: key)
        guard window.contains(hash) else { return (nil, false) }
        let (number, isNew) = table.group(of: key, hash: hash)
        if isNew { for accumulator in accumulators { accumulator.addGroup() } }
        return (number, isNew)
    }

    private var usedMemory: Int {
        let perGroup = keys.count * 64 + accumulators.count * GroupAccumulator.groupBytes
        return table.byteCount + table.count * perGroup + accumulators.reduce(0) { $0 + $1.keyBytes }
    }

    /// Leaves the upper half of the window to a later pass.
    private func narrow() {
        guard window.lowerBound < window.upperBound else { return }
        window = window.lowerBound...(window.lowerBound + (window.upperBound - window.lowerBound) / 2)
        let kept = (0..<table.count).filter { window.contains(table.hash($0)) }
        titles = kept.flatMap { titles[$0 * keys.count..<($0 + 1) * keys.count] }
        for accumulator in accumulators { accumulator.keep(kept) }
        table.keep(kept)
    }

    /// Calls the closure with each group of the pass: the bytes of its key, the values of its keys, and the aggregates
    /// with its number among them.
    func forEachGroup(
        _ body: (ArraySlice<UInt8>, ArraySlice<Value>, [GroupAccumulator], _ number: Int) throws -> Void
    ) rethrows {
        for number in 0..<table.count {
            try body(
                table.key(number), titles[number * keys.count..<(number + 1) * keys.count], accumulators, number)
        }
    }

    /// Hands out the groups of the pass, and forgets them.
    ///
    /// - Parameter body: takes the bytes of a group's key, and its values: those of the keys, then the aggregates.
    /// - Returns: whether groups are left for another pass.
    func finish(_ body: (_ key: ArraySlice<UInt8>, _ values: [Value]) throws -> Void) throws -> Bool {
        for number in 0..<table.count {
            var values = Array(titles[number * keys.count..<(number + 1) * keys.count])
            for accumulator in accumulators { values.append(try accumulator.result(of: number)) }
            try body(table.key(number), values)
        }
        guard window.upperBound < .max, !keys.isEmpty else { return false }
        window = (window.upperBound + 1)...UInt64.max
        table = GroupTable()
        titles = []
        for accumulator in accumulators { accumulator.keep([]) }
        return true
    }
}

extension [PropertyPath] {
    var ascending: [ResolvedSortKey] {
        map { ResolvedSortKey(path: $0, direction: .ascending, form: .exact) }
    }
}

extension Value {
    /// The value that stands for all that are equal to it, whichever row comes first: text in normal form C, and no
    /// zero with a sign.
    var titled: Value {
        switch self {
        case .string(let text) where !text.utf8.allSatisfy({ $0 < 0x80 }): .string(text.inForm(.exact))
        case .double(let value): .double(value + 0)
        case .float(let value): .float(value + 0)
        default: self
        }
    }
}
