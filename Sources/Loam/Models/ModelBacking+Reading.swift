import LoamStorage

extension _ModelBacking {
    /// Reads a field of the record; nil where there is no record, or the record cannot be read.
    ///
    /// A getter cannot throw: what went wrong is kept by the context and thrown by its next `fetch` or `save`.
    func read<Value>(_ ordinal: Int, _ body: (_StoredField) throws -> Value?) -> Value? {
        guard let binding, binding.positions.indices.contains(ordinal), binding.positions[ordinal] >= 0 else {
            return nil
        }
        do {
            guard let record = try loadedRecord() else { return nil }
            do {
                return try body(_StoredField(record: record, position: binding.positions[ordinal]))
            } catch let error as StorageError where error.kind == .longValueNotLoaded {
                return try context?.longValue(of: self, binding.positions[ordinal]).flatMap(body)
            }
        } catch {
            context?.keep(error)
            return nil
        }
    }

    /// The record, read from the store at the first touch; nil where the row does not exist.
    func loadedRecord() throws -> DetachedRecord? {
        if let record { return record }
        guard state != .inserted, state != .free, let context, let binding else { return nil }
        record = try context.readRecord(rowID, of: binding)
        return record
    }

    /// The row id that a to-one relationship kept in the record leads to, pending changes included.
    func reference(_ ordinal: Int) throws -> RowID? {
        if let known = references[ordinal] { return known }
        let row: RowID? = read(ordinal) { try $0.record.uint64($0.position) }
        references[ordinal] = .some(row)
        return row
    }
}
