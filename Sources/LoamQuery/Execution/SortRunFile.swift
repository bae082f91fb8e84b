import LoamStorage

/// Sorted runs of rows in a temporary file.
///
/// A row is written as the bytes of its key and of its payload, its id (8 bytes each), the key, and the payload: what
/// cannot be read again for less. Values that came from the entries of an index are written, so that no record is read
/// for them; those that cannot be are left out, as are records, which lie in the file of the store: both are read again,
/// a portion of rows at a time, from the same snapshot. Rows of the overlay, and those that are seen through it, stay in
/// memory, where the overlay is; their number is written.
struct SortRunFile {
    /// The file, and rows that are not written: shared by copies, which only add to it.
    final class Contents {
        let file: TemporaryFile
        /// Rows that stay in memory, by the number that stands in their payload.
        fileprivate(set) var resident: [SortedRows.Kept] = []

        init(_ file: TemporaryFile) { self.file = file }
    }

    /// What a row's payload holds; the first byte of one that is not empty.
    enum Payload: UInt8 {
        case values = 1
        case resident = 2
    }

    static let headerBytes = 24

    private(set) var contents: Contents
    /// Where each run lies.
    private(set) var runs: [Range<Int>] = []
    /// Rows in all runs.
    private(set) var rowCount = 0
    /// Bytes that were written, those that were merged once more too.
    private(set) var writtenBytes = 0
    /// Runs that were written from memory, and their rows.
    private(set) var (writtenRuns, writtenRows) = (0, 0)
    /// Rows that were read to merge runs into longer ones.
    private(set) var mergedRows = 0
    /// The most bytes that merging runs into longer ones took in memory; 0 where that was not done.
    private(set) var mostBytes = 0
    let space: SortSpace
    let rowIDDirection: SortDirection

    /// Makes a temporary file.
    ///
    /// - Throws: `temporaryFile`.
    init(_ space: SortSpace, rowIDDirection: SortDirection) throws {
        (self.space, self.rowIDDirection) = (space, rowIDDirection)
        contents = Contents(try TemporaryFile(in: space.folder))
    }

    /// Writes a run from rows in memory, which come in order.
    mutating func append(_ body: (inout SortRunWriter) throws -> Void) throws {
        let before = rowCount
        try appendRun(to: contents, body)
        writtenRuns += 1
        writtenRows += rowCount - before
    }

    private mutating func appendRun(to contents: Contents, _ body: (inout SortRunWriter) throws -> Void) throws {
        let start = contents.file.count
        var writer = SortRunWriter(contents, bufferBytes: space.portionBytes)
        try body(&writer)
        try writer.finish()
        runs.append(start..<contents.file.count)
        rowCount += writer.rowCount
        writtenBytes += contents.file.count - start
    }

    /// Merges runs until they are few enough to be merged at once. Each pass writes all rows into another file, and the
    /// one before is closed.
    ///
    /// - Parameter limit: rows of the result that are wanted; nil for all.
    mutating func mergeToFew(limit: Int?) throws {
        while runs.count > space.mergedRuns {
            let (merged, source) = (runs, contents)
            let target = Contents(try TemporaryFile(in: space.folder))
            target.resident = source.resident
            (runs, rowCount) = ([], 0)
            for start in stride(from: 0, to: merged.count, by: space.mergedRuns) {
                let part = merged[start..<min(start + space.mergedRuns, merged.count)]
                let before = rowCount
                var merge = try SortRunMerge(part, of: source, space: space, rowIDDirection: rowIDDirection)
                try appendRun(to: target) { writer in
                    while let row = merge.first, writer.rowCount < limit ?? .max {
                        try writer.append(key: row.key, rowID: row.rowID, payload: row.payload)
                        try merge.advance()
                    }
                }
                mergedRows += rowCount - before
                mostBytes = max(mostBytes, merge.mostBytes + space.portionBytes)
            }
            contents = target
        }
    }

    /// A merge of all runs, which must be few enough.
    func merge() throws -> SortRunMerge {
        try SortRunMerge(runs[...], of: contents, space: space, rowIDDirection: rowIDDirection)
    }

    /// The row that a reader stands at.
    func match(_ row: SortRunReader) throws -> Match {
        let payload = row.payload
        guard let first = payload.first else { return Match(rowID: row.rowID) }
        let rest = UnsafeRawBufferPointer(rebasing: payload.dropFirst())
        switch Payload(rawValue: first) {
        case .values:
            guard case .array(let values) = try CompositeCodec.decode(Array(rest).span.bytes) else { break }
            return Match(rowID: row.rowID, values: values)
        case .resident:
            guard rest.count == 8, let number = Int(exactly: rest.loadUnaligned(as: UInt64.self)),
                contents.resident.indices.contains(number)
            else { break }
            let kept = contents.resident[number]
            return Match(
                rowID: row.rowID, values: kept.values, record: kept.record, isPending: kept.isPending,
                isComplete: kept.isComplete)
        case nil: break
        }
        throw contents.file.damage
    }
}

extension SortSpace {
    /// Runs that are merged at once.
    var mergedRuns: Int { max(2, min(64, memory / 2 / 4_096)) }
    /// Bytes of each of them that are read at a time.
    var readBytes: Int { max(64, min(1 << 18, memory / 2 / mergedRuns)) }
}

/// Writes one run, row by row.
struct SortRunWriter {
    private let contents: SortRunFile.Contents
    private let bufferBytes: Int
    private var buffer: [UInt8] = []
    private(set) var rowCount = 0

    init(_ contents: SortRunFile.Contents, bufferBytes: Int) {
        (self.contents, self.bufferBytes) = (contents, bufferBytes)
        buffer.reserveCapacity(bufferBytes)
    }

    /// - Throws: `temporaryFile`.
    mutating func append(_ item: SortedRows.Item, key: UnsafeRawBufferPointer, kept: SortedRows.Kept) throws {
        try payload(of: kept).withUnsafeBytes { try append(key: key, rowID: item.rowID, payload: $0) }
    }

    /// - Throws: `temporaryFile`.
    mutating func append(key: UnsafeRawBufferPointer, rowID: RowID, payload: UnsafeRawBufferPointer) throws {
        for number in [UInt64(key.count), UInt64(payload.count), rowID] {
            try withUnsafeBytes(of: number) { try append($0) }
        }
        try append(key)
        try append(payload)
        rowCount += 1
    }

    private func payload(of kept: SortedRows.Kept) -> [UInt8] {
        if kept.isComplete {
            contents.resident.append(kept)
            return [SortRunFile.Payload.resident.rawValue]
                + withUnsafeBytes(of: UInt64(contents.resident.count - 1)) { Array($0) }
        }
        // Values that have no bytes of their own, such as some results of functions, are made from the record again.
        guard !kept.values.isEmpty, let bytes = try? CompositeCodec.encode(.array(kept.values)) else { return [] }
        return [SortRunFile.Payload.values.rawValue] + bytes
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        if buffer.count + bytes.count > bufferBytes { try finish() }
        if bytes.count > bufferBytes { return try contents.file.append(bytes) }
        buffer.append(contentsOf: bytes)
    }

    /// Writes what is not written yet.
    mutating func finish() throws {
        try buffer.withUnsafeBytes { try contents.file.append($0) }
        buffer.removeAll(keepingCapacity: true)
    }
}
