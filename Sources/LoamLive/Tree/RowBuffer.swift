import LoamStorage

/// Rows with their whole keys, in order, on their way into leaves.
struct RowBuffer: ~Copyable {
    private var rowIDs: [RowID] = []
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    var count: Int { rowIDs.count }

    /// Appends a row; zeros at the end of its key are left out.
    mutating func append(_ rowID: RowID, key: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes += key
        end(rowID, from: start)
    }

    /// Appends the rows of a leaf.
    mutating func append(_ storage: RowStorage) {
        rowIDs.reserveCapacity(count + storage.header.count)
        for position in 0..<storage.header.count {
            let start = bytes.count
            storage.appendKey(position, to: &bytes)
            end(storage.rowID(position), from: start)
        }
    }

    private mutating func end(_ rowID: RowID, from start: Int) {
        bytes.trimZeros(after: start)
        rowIDs.append(rowID)
        ends.append(bytes.count)
    }

    mutating func removeAll() {
        rowIDs.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    borrowing func withKey<R>(
        _ number: Int, _ body: (RowID, UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let range = (number == 0 ? 0 : ends[number - 1])..<ends[number]
        return try bytes.withUnsafeBytes { try body(rowIDs[number], UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// What the keys of a range begin with in common: what the first and the last one do, since they are in order.
    borrowing func prefix(of range: Range<Int>) -> [UInt8] {
        guard let first = range.first, let last = range.last else { return [] }
        return withKey(first) { _, first in
            withKey(last) { _, last in
                let (longer, shorter) = first.count < last.count ? (last, first) : (first, last)
                return Array(longer.prefix(longer.commonCount(paddedWith: shorter)))
            }
        }
    }
}

extension [UInt8] {
    /// Leaves out the zeros at the end, but none before a position.
    mutating func trimZeros(after start: Int) {
        var end = count
        while end > start, self[end - 1] == 0 { end -= 1 }
        removeLast(count - end)
    }

    /// How many of the bytes others begin with, which zeros follow without end.
    func commonCount(paddedWith other: UnsafeRawBufferPointer) -> Int {
        withUnsafeBytes { $0.commonCount(paddedWith: other) }
    }
}

extension UnsafeRawBufferPointer {
    /// How many of the bytes others begin with, which zeros follow without end.
    func commonCount(paddedWith other: UnsafeRawBufferPointer) -> Int {
        for position in 0..<count where self[position] != other.byte(position) { return position }
        return count
    }

    /// A byte of bytes that zeros follow without end.
    private func byte(_ position: Int) -> UInt8 { position < count ? self[position] : 0 }

    /// Eight bytes of a key behind so many, as a number that orders as they do.
    func remainder(behind start: Int) -> UInt64 {
        if start + 8 <= count { return UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        var number: UInt64 = 0
        for position in start..<start + 8 { number = number << 8 | UInt64(byte(position)) }
        return number
    }

    /// What a key has behind so many bytes and the remainder.
    func tail(behind start: Int) -> UnsafeRawBufferPointer {
        start + 8 < count
            ? UnsafeRawBufferPointer(rebasing: self[(start + 8)...]) : UnsafeRawBufferPointer(start: nil, count: 0)
    }
}
