import LoamStorage

/// The values of some columns of rows that are being handed out, read where they lie.
///
/// Made for one execution, and used by it alone.
final class ColumnReading {
    private let fields: UnsafeMutableBufferPointer<FilterField>
    /// The fields keep no reference.
    private let paths: [FilterPath]
    /// Behind a pointer, so that the runtime does not watch over each access.
    private let run: UnsafeMutablePointer<FilterRun>

    /// - Parameter rowCount: how many rows' values it holds at a time.
    /// - Returns: nil where there is no column, or one that cannot be read so: a value behind a relationship, a
    ///   function, or a value with members or elements.
    init?(_ columns: [PropertyPath], rowCount: Int = 1) {
        guard !columns.isEmpty,
            columns.allSatisfy({ $0.related == nil && $0.call == nil && $0.type.isScalar })
        else { return nil }
        paths = columns.map(FilterPath.init)
        fields = .allocate(capacity: paths.count)
        _ = fields.initialize(from: paths.map(FilterField.init))
        run = .allocate(capacity: 1)
        run.initialize(to: FilterRun(registerCount: fields.count * rowCount))
    }

    deinit {
        run.pointee.deallocate()
        run.deinitialize(count: 1)
        run.deallocate()
        fields.deallocate()
    }

    /// Of the row that ``read(_:)`` read last. Texts lie in the row, or in memory of this object.
    var values: UnsafeBufferPointer<UnboxedValue> { values(ofFirst: 1) }

    /// Of the first rows, one row after another.
    func values(ofFirst count: Int) -> UnsafeBufferPointer<UnboxedValue> {
        UnsafeBufferPointer(start: run.pointee.registers, count: fields.count * count)
    }

    /// Reads the values of a row, and forgets those that were read before.
    func read<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws { try read(row, at: 0) }

    /// Reads the values of a row as those of the row at a position below the number of rows that are held. At the first
    /// position, what was read before is forgotten.
    @inline(__always)
    func read<Row: RowValues & ~Escapable>(_ row: borrowing Row, at position: Int) throws {
        if position == 0 { run.pointee.end() }
        let registers = run.pointee.registers + position * fields.count
        for index in fields.indices { registers[index] = try row.unboxed(fields[index], in: &run.pointee) }
    }

    /// Bytes of texts that do not lie in rows, from which on no further row's are taken in.
    private static let mostTextBytes = 1 << 16

    /// Whether texts that do not lie in rows, long ones and those of entries, take so much memory that they should be
    /// handed out.
    var isFull: Bool { run.pointee.textByteCount >= Self.mostTextBytes }
}
