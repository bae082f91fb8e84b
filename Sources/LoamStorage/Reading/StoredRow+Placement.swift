/// Keys straight from a record's bytes.
extension StoredRow {
    /// Appends a component of a key, where it is a field that lies in the record; a few nanoseconds for a number.
    ///
    /// - Returns: false where nothing was appended: the component takes a value, which ``value(_:)`` may give.
    /// - Throws: `damagedRecord` where the bytes are not a value of the type.
    package func append(_ number: Int, of program: PlacementProgram, to key: inout KeyBuffer) throws -> Bool {
        guard let slot = slot(program.field(number)) else { return false }
        return try program.append(number, slot: slot, of: view, to: &key) != nil
    }

    /// The first bytes of the row's key, where they tell enough to be asked for beforehand; see ``KeyPrefix``.
    ///
    /// - Throws: `damagedRecord` where the bytes are not a value of the type.
    package func prefix(of program: PlacementProgram) throws -> KeyPrefix? {
        guard program.count > 0, let slot = slot(program.field(0)) else { return nil }
        return try program.prefix(slot: slot, of: view)
    }
}
