import LoamStorage

/// Rows of a result on their way out, many at a time: their ids, and their values or their records where they lie.
///
/// Handing out a row by itself costs more than reading a number of it: several calls through closures, and references
/// that are counted on the way. Made for one execution, and used by it alone.
final class ResultBatch {
    /// Takes rows; their values are one row after another. What it is given is good until it returns.
    typealias Body = (_ rowIDs: UnsafeBufferPointer<RowID>, _ values: UnsafeBufferPointer<UnboxedValue>) throws -> Void
    /// Takes rows with their records, which stay where they are as long as the snapshot; nil for pending rows.
    typealias RecordBody = (
        _ rowIDs: UnsafeBufferPointer<RowID>, _ records: UnsafeBufferPointer<UnsafeRawBufferPointer?>
    ) throws -> Void

    private static let capacity = 256

    /// Nil where the result has no columns.
    private let reading: ColumnReading?
    private let rowIDs: UnsafeMutablePointer<RowID>
    /// Nil where nobody asks for records.
    private let records: UnsafeMutablePointer<UnsafeRawBufferPointer?>?
    private let body: Body
    private let recordBody: RecordBody?
    private var count = 0
    /// Whether every row that matches is wanted and nobody else has to hear of it: whoever meets one calls ``take(_:)``.
    private(set) var takesAll = false
    /// How many rows were taken so.
    private(set) var takenCount = 0

    /// - Returns: nil for columns that cannot be read where they lie (``ColumnReading``).
    init?(_ columns: [PropertyPath], _ body: @escaping Body) {
        if columns.isEmpty {
            reading = nil
        } else {
            guard let made = ColumnReading(columns, rowCount: Self.capacity) else { return nil }
            reading = made
        }
        rowIDs = .allocate(capacity: Self.capacity)
        self.body = body
        (records, recordBody) = (nil, nil)
    }

    /// A batch of records, without values.
    init(ofRecords body: @escaping RecordBody) {
        reading = nil
        rowIDs = .allocate(capacity: Self.capacity)
        records = .allocate(capacity: Self.capacity)
        recordBody = body
        self.body = { _, _ in }
    }

    deinit {
        rowIDs.deallocate()
        records?.deallocate()
    }

    /// Calls a closure in which whoever meets a row that matches may take it.
    ///
    /// - Returns: how many were taken.
    func takingAll(_ body: () throws -> Void) rethrows -> Int {
        let before = takenCount
        takesAll = true
        defer { takesAll = false }
        try body()
        return takenCount - before
    }

    /// Takes a row that matches: reads its values, and adds it.
    @inline(__always)
    func take<Row: RowValues & ~Escapable>(_ row: borrowing Row, record: UnsafeRawBufferPointer? = nil) throws {
        try read(row)
        takenCount += 1
        try add(row.rowID, record: record)
    }

    /// Takes rows of a result without columns.
    func take(_ rowIDs: borrowing Span<RowID>) throws {
        try flush()
        takenCount += rowIDs.count
        try rowIDs.withUnsafeBufferPointer { try body($0, UnsafeBufferPointer(start: nil, count: 0)) }
    }

    /// Reads the values of the row that may be added next.
    @inline(__always)
    func read<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws { try reading?.read(row, at: count) }

    /// Adds the row whose values were read last.
    @inline(__always)
    func add(_ rowID: RowID, record: UnsafeRawBufferPointer? = nil) throws {
        rowIDs[count] = rowID
        records?[count] = record
        count += 1
        if count == Self.capacity || reading?.isFull == true { try flush() }
    }

    /// Hands out the rows that were added.
    func flush() throws {
        guard count > 0 else { return }
        let rows = UnsafeBufferPointer(start: rowIDs, count: count)
        defer { count = 0 }
        if let records, let recordBody {
            return try recordBody(rows, UnsafeBufferPointer(start: records, count: count))
        }
        try body(rows, reading?.values(ofFirst: count) ?? UnsafeBufferPointer(start: nil, count: 0))
    }
}
