import LoamStorage

/// Reads one run, row by row. What it gives is good until it goes on.
final class SortRunReader {
    private let file: TemporaryFile
    /// What of the run was not read yet.
    private var rest: Range<Int>
    private var buffer: UnsafeMutableRawBufferPointer
    /// The bytes in the buffer that belong to rows behind this one.
    private var ahead = 0..<0
    private var keyBytes = 0..<0
    private var payloadBytes = 0..<0
    private(set) var rowID: RowID = 0
    /// The first eight bytes of the key.
    private(set) var prefix: UInt64 = 0

    init(_ run: Range<Int>, of file: TemporaryFile, bufferBytes: Int) {
        (self.file, rest) = (file, run)
        buffer = .allocate(byteCount: max(bufferBytes, SortRunFile.headerBytes), alignment: 8)
    }

    deinit { buffer.deallocate() }

    /// What reading takes in memory.
    var byteCount: Int { buffer.count }

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[keyBytes]) }

    var payload: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[payloadBytes]) }

    /// Goes on to the next row; false where there is none.
    ///
    /// - Throws: `temporaryFile`.
    func advance() throws -> Bool {
        if ahead.isEmpty, rest.isEmpty { return false }
        let header = SortRunFile.headerBytes
        try fill(header)
        let start = ahead.lowerBound
        func number(_ position: Int) -> UInt64 {
            buffer.loadUnaligned(fromByteOffset: start + 8 * position, as: UInt64.self)
        }
        let most = UInt64(ahead.count + rest.count - header)
        guard number(0) <= most, number(1) <= most - number(0) else { throw file.damage }
        let (keyCount, payloadCount) = (Int(number(0)), Int(number(1)))
        rowID = number(2)
        try fill(header + keyCount + payloadCount)
        let keyStart = ahead.lowerBound + header
        keyBytes = keyStart..<keyStart + keyCount
        payloadBytes = keyBytes.upperBound..<keyBytes.upperBound + payloadCount
        ahead = payloadBytes.upperBound..<ahead.upperBound
        prefix = SortedKey.prefix(of: key)
        return true
    }

    /// Makes so many bytes lie ahead in the buffer.
    private func fill(_ count: Int) throws {
        guard ahead.count < count else { return }
        guard count <= ahead.count + rest.count else { throw file.damage }
        let kept = UnsafeRawBufferPointer(rebasing: buffer[ahead])
        if count > buffer.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
            larger.copyMemory(from: kept)
            buffer.deallocate()
            buffer = larger
        } else {
            buffer.copyMemory(from: kept)
        }
        ahead = 0..<ahead.count
        let read = min(buffer.count - ahead.count, rest.count)
        try file.read(
            at: rest.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: buffer[ahead.count...].prefix(read)))
        ahead = 0..<ahead.count + read
        rest = rest.dropFirst(read)
    }
}

/// Merges sorted runs: a heap of their readers, with the least row on top. O(log runs) for each row.
struct SortRunMerge {
    private var readers: [SortRunReader] = []
    private let rowIDDirection: SortDirection
    /// What the readers take in memory.
    private(set) var byteCount = 0
    /// The most that they took at a time.
    private(set) var mostBytes = 0

    /// - Throws: `temporaryFile`.
    init(
        _ runs: ArraySlice<Range<Int>>, of contents: SortRunFile.Contents, space: SortSpace,
        rowIDDirection: SortDirection
    ) throws {
        self.rowIDDirection = rowIDDirection
        for run in runs {
            let reader = SortRunReader(run, of: contents.file, bufferBytes: space.readBytes)
            if try reader.advance() { readers.append(reader) }
        }
        readers.makeHeap { Self.precedes($0, right: $1, rowIDDirection: rowIDDirection) }
        byteCount = readers.reduce(0) { $0 + $1.byteCount }
        mostBytes = byteCount
    }

    /// Stands at the least row; nil behind the last one.
    var first: SortRunReader? { readers.first }

    /// Goes on to the next row.
    ///
    /// - Throws: `temporaryFile`.
    mutating func advance() throws {
        guard let first else { return }
        let bytes = first.byteCount
        let isAtRow = try first.advance()
        byteCount += first.byteCount - bytes
        mostBytes = max(mostBytes, byteCount)
        if !isAtRow {
            byteCount -= first.byteCount
            let last = readers.removeLast()
            if !readers.isEmpty { readers[0] = last }
        }
        let direction = rowIDDirection
        readers.siftDown(0) { Self.precedes($0, right: $1, rowIDDirection: direction) }
    }

    private static func precedes(
        _ left: SortRunReader, right: SortRunReader, rowIDDirection: SortDirection
    ) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = SortedKey.compareRest(left.key, right.key)
        return order != 0 ? order < 0 : rowIDDirection.precedes(left.rowID, right.rowID)
    }
}
