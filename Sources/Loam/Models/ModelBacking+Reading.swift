import LoamStorage

extension _ModelBacking {
    /// Reads a field of the record; nil where there is no record, the field is nil, or the record cannot be read.
    ///
    /// A getter cannot throw: what went wrong is kept by the context and thrown by its next `fetch` or `save`. Inlined,
    /// so that each type of attribute has one function without generic code in it.
    ///
    /// - Parameters:
    ///   - body: takes the value from the record, by the position of the property in `entity.properties`. The record is
    ///     there until code outside of the library is called.
    ///   - decode: takes it from a value that lies outside the record, where values of the type can be so long.
    @inline(__always)
    func read<Value>(
        _ ordinal: Int, _ body: (_ record: DetachedRecord.Unretained, _ position: Int) throws -> Value?,
        decode: (LoamStorage.Value) throws -> Value? = { _ in nil }
    ) -> Value? {
        guard let position = position(ordinal) else { return nil }
        do {
            guard let record = try unretainedRecord ?? loadedRecord()?.unretained else { return nil }
            return try body(record, position)
        } catch {
            return recover(from: error, position, decode)
        }
    }

    @inline(__always)
    private func position(_ ordinal: Int) -> Int? { binding?.position(ordinal) }

    /// A value that lies outside the record; of any other error the context is told.
    @inline(never)
    private func recover<Value>(
        from error: any Error, _ position: Int, _ decode: (LoamStorage.Value) throws -> Value?
    ) -> Value? {
        do {
            guard let error = error as? StorageError, error.kind == .longValueNotLoaded else { throw error }
            return try context?.longValue(of: self, position).flatMap(decode)
        } catch {
            context?.keep(error)
            return nil
        }
    }

    /// The record, read from the store at the first touch; nil where the row does not exist.
    @inline(__always)
    func loadedRecord() throws -> DetachedRecord? {
        if let record { return record }
        return try load()
    }

    @inline(never)
    private func load() throws -> DetachedRecord? {
        guard state != .inserted, state != .free, let context, let binding else { return nil }
        record = try context.readRecord(rowID, of: binding)
        return record
    }

    /// The row id that a to-one relationship kept in the record leads to, pending changes included.
    func reference(_ ordinal: Int) throws -> RowID? {
        if let known = knownReference(ordinal) { return known }
        let row = read(ordinal) { try $0.uint64($1) }
        setReference(ordinal, to: row)
        return row
    }
}
