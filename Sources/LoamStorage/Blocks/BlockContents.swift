/// The entries of one block, or of several on their way to become some, taken apart: what changes are made on.
///
/// Component bytes lie one after another, so do the included fields of each entry (a code for each field, then the
/// bytes, as in ``BlockFormat``). Kept and reused from block to block, it allocates nothing once it has grown.
struct BlockContents: ~Copyable {
    let shape: BlockShape
    private(set) var keys = ByteBuffer()
    /// The end of each entry's component bytes; empty when the shape has a stride.
    private(set) var ends: [Int] = []
    private(set) var rowIDs: [RowID] = []
    private(set) var inexact: [Bool] = []
    /// Whether some entry may be inexact. False when certainly none is.
    private(set) var hasInexact = false
    private(set) var included = ByteBuffer(capacity: 16)
    private(set) var includedEnds: [Int] = []
    /// How many component bytes each entry shares with the one before; filled by ``prepare()``.
    private(set) var shared: [Int] = []

    init(shape: BlockShape) {
        self.shape = shape
    }

    var count: Int { rowIDs.count }

    /// Bytes of memory that are kept when it is emptied.
    var byteCount: Int {
        let numbers = ends.capacity + rowIDs.capacity + includedEnds.capacity + shared.capacity
        return keys.capacity + included.capacity + inexact.capacity + numbers * MemoryLayout<Int>.stride
    }

    mutating func removeAll() {
        keys.removeAll()
        ends.removeAll(keepingCapacity: true)
        rowIDs.removeAll(keepingCapacity: true)
        inexact.removeAll(keepingCapacity: true)
        hasInexact = false
        included.removeAll()
        includedEnds.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    func keyStart(_ index: Int) -> Int {
        if let stride = shape.stride { return index * stride }
        return index == 0 ? 0 : ends[index - 1]
    }

    @inline(__always)
    func keyCount(_ index: Int) -> Int {
        if let stride = shape.stride { return stride }
        return index == 0 ? ends[0] : ends[index] - ends[index - 1]
    }

    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: keys.start + keyStart(index), count: keyCount(index))
    }

    @inline(__always)
    func includedStart(_ index: Int) -> Int { index == 0 || includedEnds.isEmpty ? 0 : includedEnds[index - 1] }

    /// The full key of an entry: component bytes and row id.
    func fullKey(_ index: Int) -> [UInt8] {
        var bytes = Array(key(index))
        bytes.appendRowID(rowIDs[index], inverted: shape.invertsRowID)
        return bytes
    }

    /// The first entry from `start` on whose full key is not below `bound`. O(log n).
    func lowerBound(of bound: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
        (start..<count).partitionPoint { isBelow($0, bound: bound) }
    }

    /// Whether the full key of an entry is below `bound`.
    func isBelow(_ index: Int, bound: UnsafeRawBufferPointer) -> Bool {
        guard let address = bound.baseAddress else { return false }
        let key = key(index)
        let order = (keys.start + keyStart(index)).compareConstant(address, count: min(key.count, bound.count))
        if order != 0 { return order < 0 }
        guard bound.count > key.count else { return false }
        let rest = UnsafeRawBufferPointer(start: address + key.count, count: bound.count - key.count)
        return RowIDOrder.isBelow(rowIDs[index], inverted: shape.invertsRowID, bound: rest)
    }

    /// Whether an entry has these component bytes and this row id.
    func holds(_ index: Int, entry: SortedEntry) -> Bool {
        let sought = entry.key
        guard index < count, rowIDs[index] == entry.rowID, keyCount(index) == sought.count else { return false }
        return sought.baseAddress.map {
            keys.start.advanced(by: keyStart(index)).compareConstant($0, count: sought.count) == 0
        }
            ?? true
    }
}

extension UnsafeMutableRawPointer {
    @inline(__always)
    func compareConstant(_ other: UnsafeRawPointer, count: Int) -> Int {
        UnsafeRawPointer(self).compare(other, count: count)
    }
}

// MARK: - Filling

extension BlockContents {
    /// Replaces the contents by a block's entries.
    ///
    /// - Throws: `damagedBlock`; the contents are then undefined but safe to empty.
    mutating func decode(_ block: BlockView) throws(StorageError) {
        removeAll()
        try block.decodeKeys(0..<block.count, into: &keys, ends: &ends)
        let count = block.count
        rowIDs.append(contentsOf: repeatElement(0, count: count))
        rowIDs.withUnsafeMutableBufferPointer { rows in
            if let output = rows.baseAddress { block.decodeRowIDs(0..<count, reversed: false, into: output) }
        }
        if block.inexactCount == 0 {
            inexact.append(contentsOf: repeatElement(false, count: count))
        } else {
            for index in 0..<count { inexact.append(block.isInexact(at: index)) }
            hasInexact = true
        }
        if shape.includedCount > 0 { try decodeIncluded(block) }
    }

    private mutating func decodeIncluded(_ block: BlockView) throws(StorageError) {
        var columns: [BlockView.Column] = []
        try block.readColumns(into: &columns)
        var offsets = columns.map(\.dataStart)
        for index in 0..<block.count {
            for column in columns { included.append(block.code(at: index, in: column)) }
            for (position, column) in columns.enumerated() {
                let length = BlockView.Column.length(block.code(at: index, in: column))
                included.append(block.base + offsets[position], byteCount: length)
                offsets[position] += length
            }
            includedEnds.append(included.count)
        }
    }

    /// Appends entries of another block's contents. O(bytes).
    mutating func append(_ other: borrowing BlockContents, range: Range<Int>) {
        guard !range.isEmpty else { return }
        let keyStart = other.keyStart(range.lowerBound)
        let keyEnd = other.keyStart(range.upperBound - 1) + other.keyCount(range.upperBound - 1)
        if shape.stride == nil {
            let shift = keys.count - keyStart
            for index in range { ends.append(other.ends[index] + shift) }
        }
        keys.append(other.keys.start + keyStart, byteCount: keyEnd - keyStart)
        rowIDs.append(contentsOf: other.rowIDs[range])
        inexact.append(contentsOf: other.inexact[range])
        hasInexact = hasInexact || other.hasInexact
        guard shape.includedCount > 0 else { return }
        let includedStart = other.includedStart(range.lowerBound)
        let shift = included.count - includedStart
        for index in range { includedEnds.append(other.includedEnds[index] + shift) }
        included.append(
            other.included.start + includedStart, byteCount: other.includedEnds[range.upperBound - 1] - includedStart)
    }

    /// Appends an entry above all others.
    ///
    /// - Throws: `damagedKey` when the key is longer than a key can be, or not as wide as the index's stride.
    mutating func append(_ entry: SortedEntry) throws(StorageError) {
        try append(key: entry.key, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included)
    }

    /// Appends an entry above all others, from borrowed bytes.
    ///
    /// - Throws: `damagedKey` when the key is longer than a key can be, or not as wide as the index's stride.
    mutating func append(
        key: UnsafeRawBufferPointer, rowID: RowID, isInexact: Bool, included fields: [[UInt8]?]
    ) throws(StorageError) {
        try check(keyCount: key.count)
        keys.append(key)
        appendRow(rowID, isInexact: isInexact)
        appendIncluded(fields)
    }

    @inline(__always)
    private func check(keyCount: Int) throws(StorageError) {
        guard keyCount <= BlockFormat.maximumKey, keyCount == shape.stride ?? keyCount else {
            throw StorageError(.damagedKey("its width is not the index's"))
        }
    }

    @inline(__always)
    private mutating func appendRow(_ rowID: RowID, isInexact: Bool) {
        if shape.stride == nil { ends.append(keys.count) }
        rowIDs.append(rowID)
        inexact.append(isInexact)
        if isInexact { hasInexact = true }
    }

    /// Missing fields count as null; one that would exceed the budget is left out, later and shorter ones may fit.
    private mutating func appendIncluded(_ fields: [[UInt8]?]) {
        guard shape.includedCount > 0 else { return }
        let codesStart = included.count
        for _ in 0..<shape.includedCount { included.append(BlockFormat.nullCode) }
        var budget = BlockFormat.maximumIncluded - shape.includedCount
        for (column, field) in fields.prefix(shape.includedCount).enumerated() {
            guard let field else { continue }
            let fits = field.count <= budget
            let code = fits ? UInt8(truncatingIfNeeded: field.count) : BlockFormat.leftOutCode
            included.start.storeBytes(of: code, toByteOffset: codesStart + column, as: UInt8.self)
            if fits {
                budget -= field.count
                field.withUnsafeBytes { included.append($0) }
            }
        }
        includedEnds.append(included.count)
    }

    /// Removes all entries but the last. O(bytes of that).
    mutating func keepLast() {
        let last = count - 1
        guard last > 0 else { return }
        let (start, length) = (keyStart(last), keyCount(last))
        let includedStart = includedStart(last)
        keys.keep(from: start)
        included.keep(from: includedStart)
        let (rowID, isInexact) = (rowIDs[last], inexact[last])
        rowIDs.removeAll(keepingCapacity: true)
        inexact.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        includedEnds.removeAll(keepingCapacity: true)
        rowIDs.append(rowID)
        inexact.append(isInexact)
        hasInexact = isInexact
        if shape.stride == nil { ends.append(length) }
        if shape.includedCount > 0 { includedEnds.append(included.count) }
    }

    /// - Throws: `inconsistent` when the last entry is not above the one before.
    func checkLastOrder() throws(StorageError) {
        guard count > 1 else { return }
        let (left, right) = (key(count - 2), key(count - 1))
        let order = (keys.start + keyStart(count - 2))
            .compareConstant(keys.start + keyStart(count - 1), count: min(left.count, right.count))
        let isAbove =
            order != 0 || left.count != right.count
            ? order < 0
            : (rowIDs[count - 2] < rowIDs[count - 1]) != shape.invertsRowID && rowIDs[count - 2] != rowIDs[count - 1]
        guard isAbove else { throw StorageError(.inconsistent("entries to be appended to an index are not in order")) }
    }

    /// How many component bytes two entries share.
    @inline(__always)
    func sharedCount(_ left: Int, _ right: Int, atMost limit: Int) -> Int {
        UnsafeRawPointer(keys.start + keyStart(left))
            .sharedCount(keys.start + keyStart(right), count: min(limit, keyCount(left), keyCount(right)))
    }

    /// Measures what each entry shares with the one before, for indexes whose keys vary in length. O(bytes).
    mutating func prepare() {
        guard shape.stride == nil else { return }
        shared.removeAll(keepingCapacity: true)
        shared.reserveCapacity(count)
        for index in 0..<count {
            guard index > 0 else {
                shared.append(0)
                continue
            }
            shared.append(sharedCount(index - 1, index, atMost: BlockFormat.maximumKey))
        }
    }
}
