import LMDB

/// Rows of a bulk load on their way into a transaction: sealed records one after another in one buffer.
struct PendingRows: Sendable {
    private struct Row: Sendable {
        let rowID: RowID
        let end: Int
    }

    private struct Long: Sendable {
        let rowID: RowID
        let property: PropertyID
        let bytes: [UInt8]
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    private var longValues: [Long] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row whose sealed record the closure appends.
    mutating func append(_ rowID: RowID, _ body: (inout [UInt8]) throws -> Void) throws {
        let start = bytes.count
        try body(&bytes)
        rows.append(Row(rowID: rowID, end: bytes.count))
        byteCount += bytes.count - start + 16
    }

    private var lastStart: Int { rows.dropLast().last?.end ?? 0 }

    func withLastRecord<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[lastStart...])) }
    }

    mutating func append(_ rowID: RowID, values: [LongValue], layout: RecordLayout) {
        for value in values {
            longValues.append(Long(rowID: rowID, property: layout.fields[value.slot].property, bytes: value.bytes))
            byteCount += value.bytes.count
        }
    }

    /// Puts the records, which come in the order of their ids, and the long values.
    func write(to access: EntityAccess, in transaction: inout WriteTransaction) throws {
        var start = 0
        for row in rows {
            let record = bytes.span.bytes.extracting(start..<row.end)
            try transaction.put(record, for: row.rowID, in: access.records)
            start = row.end
        }
        for value in longValues {
            try LongValues.write(
                value.bytes, row: value.rowID, property: value.property, in: access.longValues,
                transaction: &transaction)
        }
    }
}
