/// Entries of one block, in the order of the scan that hands them out.
///
/// Everything that it gives out points into the file or into memory that the next batch uses again, so nothing of it
/// outlives the scan's closure. Row ids are there already; keys and included fields are taken apart when first asked
/// for.
package struct IndexBatch: ~Copyable {
    private let view: BlockView
    private let range: Range<Int>
    private let isReversed: Bool
    private let memory: BatchMemory

    init(_ view: BlockView, range: Range<Int>, reversed: Bool, memory: BatchMemory) {
        self.view = view
        self.range = range
        self.isReversed = reversed
        self.memory = memory
        memory.begin(view, range: range, reversed: reversed)
    }

    package var count: Int { range.count }

    /// The number of included fields of an entry.
    package var columnCount: Int { view.shape.includedCount }

    package var rowIDs: Span<RowID> {
        @_lifetime(borrow self)
        get {
            _overrideLifetime(
                Span(_unsafeStart: UnsafePointer(memory.rowIDs), count: range.count), borrowing: self)
        }
    }

    /// Whether any entry of the block is inexact; when false, ``isInexact(at:)`` is for all.
    package var mayBeInexact: Bool { view.inexactCount > 0 }

    package func isInexact(at index: Int) -> Bool { view.isInexact(at: entry(index)) }

    /// The component bytes of an entry, without the row id.
    ///
    /// - Throws: `damagedBlock`.
    @_lifetime(borrow self)
    package func key(at index: Int) throws(StorageError) -> RawSpan {
        let key = try memory.key(entry(index), in: view)
        return _overrideLifetime(RawSpan(_unsafeBytes: key), borrowing: self)
    }

    /// Component bytes and row id, copied.
    ///
    /// - Throws: `damagedBlock` where the keys of the block cannot be taken apart.
    package func fullKey(at index: Int) throws(StorageError) -> [UInt8] {
        let index = entry(index)
        var bytes = Array(try memory.key(index, in: view))
        bytes.appendRowID(view.rowID(at: index), inverted: view.shape.invertsRowID)
        return bytes
    }

    /// Appends component bytes and row id without the first so many bytes.
    ///
    /// - Throws: `damagedBlock` where the keys of the block cannot be taken apart.
    package func appendFullKey(
        at index: Int, behind prefixLength: Int, to bytes: inout [UInt8]
    ) throws(StorageError) {
        let index = entry(index)
        let key = try memory.key(index, in: view)
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: key[min(prefixLength, key.count)...]))
        bytes.appendRowID(view.rowID(at: index), inverted: view.shape.invertsRowID)
    }

    /// The included field of an entry in a column of the index; nil when it is null or left out.
    ///
    /// - Throws: `damagedBlock`.
    @_lifetime(borrow self)
    package func included(_ column: Int, at index: Int) throws(StorageError) -> RawSpan? {
        guard let field = try memory.included(column, index: entry(index), in: view) else { return nil }
        return _overrideLifetime(RawSpan(_unsafeBytes: field), borrowing: self)
    }

    /// Whether an included field is null, is there, or has to be read from the record.
    ///
    /// - Throws: `damagedBlock` where the columns of the block cannot be taken apart.
    package func includedState(_ column: Int, at index: Int) throws(StorageError) -> IncludedState {
        switch try memory.code(column, index: entry(index), in: view) {
        case BlockFormat.nullCode: .null
        case BlockFormat.leftOutCode: .leftOut
        default: .present
        }
    }

    /// The entry in the block that comes at `index` in the scan's order.
    @inline(__always)
    private func entry(_ index: Int) -> Int {
        precondition(index >= 0 && index < range.count, "An entry of a batch lies in 0..<count.")
        return isReversed ? range.upperBound - 1 - index : range.lowerBound + index
    }
}

/// The memory of a scan's batches, used again from block to block.
final class BatchMemory {
    /// Other memory of the same owner that nobody uses, while nobody uses this.
    var next: BatchMemory?
    private(set) var rowIDs: UnsafeMutablePointer<RowID>
    private var rowCapacity: Int
    private var keys = ByteBuffer(capacity: 16)
    private var ends: [Int] = []
    /// The entry whose key is the first one of `keys`; nil before they are asked for.
    private var firstKey: Int?
    private var range = 0..<0
    private var columns: [BlockView.Column] = []
    /// The offsets where the fields of mixed columns begin. All entries of one column stand before those of the next.
    private var fieldStarts: [Int] = []
    private var hasColumns = false

    init() {
        rowCapacity = 256
        rowIDs = .allocate(capacity: rowCapacity)
    }

    deinit { rowIDs.deallocate() }

    func begin(_ view: BlockView, range: Range<Int>, reversed: Bool) {
        if range.count > rowCapacity {
            rowIDs.deallocate()
            rowCapacity = max(range.count, rowCapacity * 2)
            rowIDs = .allocate(capacity: rowCapacity)
        }
        view.decodeRowIDs(range, reversed: reversed, into: rowIDs)
        self.range = range
        firstKey = nil
        hasColumns = false
    }

    /// - Parameter entry: one of the range. Of the block's keys no more are decoded than this takes.
    func key(_ entry: Int, in view: BlockView) throws(StorageError) -> UnsafeRawBufferPointer {
        let first = if let firstKey { firstKey } else { try view.decodeKeys(range, into: &keys, ends: &ends) }
        firstKey = first
        let index = entry - first
        if let stride = view.shape.stride {
            return UnsafeRawBufferPointer(start: keys.start + index * stride, count: stride)
        }
        let start = index == 0 ? 0 : ends[index - 1]
        return UnsafeRawBufferPointer(start: keys.start + start, count: ends[index] - start)
    }

    func code(_ column: Int, index: Int, in view: BlockView) throws(StorageError) -> UInt8 {
        try readColumns(view)
        guard column >= 0, column < columns.count else { return BlockFormat.leftOutCode }
        return view.code(at: index, in: columns[column])
    }

    func included(_ column: Int, index: Int, in view: BlockView) throws(StorageError) -> UnsafeRawBufferPointer? {
        let code = try code(column, index: index, in: view)
        guard code <= BlockFormat.maximumIncluded else { return nil }
        let outline = columns[column]
        let start =
            outline.uniformCode.map { outline.dataStart + index * Int($0) }
            ?? fieldStarts[column * view.count + index]
        return UnsafeRawBufferPointer(start: view.base + start, count: Int(code))
    }

    private func readColumns(_ view: BlockView) throws(StorageError) {
        guard !hasColumns else { return }
        try view.readColumns(into: &columns)
        fieldStarts.removeAll(keepingCapacity: true)
        var isMixed = false
        for number in columns.indices where columns[number].uniformCode == nil { isMixed = true }
        if isMixed {
            for number in columns.indices {
                let column = columns[number]
                var start = column.dataStart
                for index in 0..<view.count {
                    fieldStarts.append(start)
                    start += BlockView.Column.length(view.code(at: index, in: column))
                }
            }
        }
        hasColumns = true
    }
}
