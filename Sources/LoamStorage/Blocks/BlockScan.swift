/// The course of a scan: which block comes next, and which of its entries lie in the range.
///
/// The cursor runs one block ahead, for the next block's separator tells whether the range ends in this one without a
/// search in it.
///
/// Whoever makes one keeps the bounds of the range where they are until the scan is over.
struct BlockScan {
    /// The first key inside; empty for the start of the index.
    private let lower: UnsafeRawBufferPointer
    /// The first key beyond; nil for the end of the index.
    private let upper: UnsafeRawBufferPointer?
    let isReversed: Bool
    let shape: BlockShape
    /// The block to be handed out next.
    private var block: UnsafeRawBufferPointer?
    /// The separator of that block; used where the scan runs backwards.
    private var separator = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The entry of the first block at which the scan begins; nil when the range decides that.
    private var startEntry: Int?
    private var isFirst = true
    /// Entries to leave out, where no sums lead past them.
    private var skipping = 0

    init(
        from lower: UnsafeRawBufferPointer, to upper: UnsafeRawBufferPointer?, isReversed: Bool, shape: BlockShape
    ) {
        (self.lower, self.upper) = (lower, upper)
        self.isReversed = isReversed
        self.shape = shape
    }

    /// Moves to the first block; false when there is none.
    mutating func start(_ cursor: inout IndexCursor, skipping: Int, sums: IndexSums?) throws -> Bool {
        let isFound: Bool
        if skipping > 0, let sums {
            isFound = try skip(&cursor, count: skipping, sums: sums)
        } else {
            self.skipping = max(skipping, 0)
            isFound = try seekStart(&cursor)
        }
        guard isFound else { return false }
        block = cursor.block
        separator = cursor.separator
        return true
    }

    private func seekStart(_ cursor: inout IndexCursor) throws -> Bool {
        guard isReversed else { return try cursor.seek(containing: lower) }
        guard let upper else { return try cursor.moveToLast() }
        return try cursor.seek(containing: upper)
    }

    /// Moves past the first entries by their positions.
    private mutating func skip(_ cursor: inout IndexCursor, count: Int, sums: IndexSums) throws -> Bool {
        let (first, step) = isReversed ? (upper, -count - 1) : (lower, count)
        let edge = try first.map { try cursor.position(of: $0, shape: shape, sums: sums) } ?? sums.total.entries
        let (entry, isOverflow) = edge.addingReportingOverflow(step)
        guard !isOverflow, let index = try cursor.seek(toEntry: entry, sums) else { return false }
        startEntry = index
        return true
    }

    /// The next block and those of its entries that lie in the range, maybe none; nil at the end.
    mutating func next(_ cursor: inout IndexCursor) throws -> (BlockView, Range<Int>)? {
        guard let block else { return nil }
        let view = try BlockView(block, shape: shape)
        let entries = isReversed ? try backwards(view, cursor: &cursor) : try forwards(view, cursor: &cursor)
        isFirst = false
        guard skipping > 0 else { return (view, entries) }
        let skipped = min(skipping, entries.count)
        skipping -= skipped
        return (view, isReversed ? entries.dropLast(skipped) : entries.dropFirst(skipped))
    }

    private mutating func forwards(_ view: BlockView, cursor: inout IndexCursor) throws -> Range<Int> {
        var start = 0
        if isFirst { start = try startEntry ?? view.lowerBound(of: lower) }
        var end = view.count
        block = try cursor.next() ? cursor.block : nil
        if let upper, block == nil || !cursor.isBelow(upper) {
            end = try view.lowerBound(of: upper)
            block = nil
        }
        return start..<max(start, end)
    }

    private mutating func backwards(_ view: BlockView, cursor: inout IndexCursor) throws -> Range<Int> {
        var end = view.count
        if isFirst {
            if let startEntry {
                end = startEntry + 1
            } else if let upper {
                end = try view.lowerBound(of: upper)
            }
        }
        var start = 0
        let reachesLower = separator.isBelow(lower)
        if reachesLower {
            start = try view.lowerBound(of: lower)
            block = nil
        } else {
            block = try cursor.previous() ? cursor.block : nil
            if block != nil { separator = cursor.separator }
        }
        return min(start, end)..<end
    }
}
