import LoamStorage

/// The values of some columns of the row that is being handed out, read where they lie.
///
/// Made for one execution, and used by it alone.
final class ColumnReading {
    private let fields: [FilterField]
    /// The fields keep no reference.
    private let paths: [FilterPath]
    private var run: FilterRun

    /// - Returns: nil where there is no column, or one that cannot be read so: a value behind a relationship, a
    ///   function, or a value with members or elements.
    init?(_ columns: [PropertyPath]) {
        guard !columns.isEmpty,
            columns.allSatisfy({ $0.related == nil && $0.call == nil && $0.type.isScalar })
        else { return nil }
        paths = columns.map(FilterPath.init)
        fields = paths.map(FilterField.init)
        run = FilterRun(registerCount: fields.count)
    }

    deinit { run.deallocate() }

    /// Of the row that was read last. Texts lie in the row, or in memory of this object.
    var values: UnsafeBufferPointer<UnboxedValue> {
        UnsafeBufferPointer(start: run.registers, count: fields.count)
    }

    func read<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws {
        run.end()
        for index in fields.indices { run.registers[index] = try row.unboxed(fields[index], in: &run) }
    }
}
