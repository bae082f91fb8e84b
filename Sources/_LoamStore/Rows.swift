import LoamStorage

/// A row that is being encoded. Properties go by their position in the entity; those that are not set are nil.
public struct RowWriter {
    let pointer: UnsafeMutablePointer<RecordWriter>

    /// Sets a Bool property.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func set(_ value: Bool, at position: Int) throws { try pointer.pointee.set(bool: value, at: position) }

    /// Sets an integer property.
    ///
    /// - Throws: an error that names the property, where it is of another type or cannot hold the number.
    public func set(_ value: Int64, at position: Int) throws { try pointer.pointee.set(int: value, at: position) }

    /// Sets a Double property, or a date by its seconds since 2001.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func set(_ value: Double, at position: Int) throws { try pointer.pointee.set(double: value, at: position) }

    /// Sets a string property.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func set(_ value: String, at position: Int) throws { try pointer.pointee.set(string: value, at: position) }
}

/// A stored row, for as long as the closure runs that it is handed to. Properties go by their position in the entity.
public struct RowReader: ~Escapable {
    let row: StoredRow

    @_lifetime(copy row)
    init(_ row: StoredRow) {
        self.row = row
    }

    /// The row's id.
    public var rowID: UInt64 { row.rowID }

    /// The value of a Bool property; nil where it is nil.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func bool(_ position: Int) throws -> Bool? { try row.bool(position) }

    /// The value of an integer property; nil where it is nil.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func int(_ position: Int) throws -> Int64? { try row.int64(position) }

    /// The value of a Double property, or a date as its seconds since 2001; nil where it is nil.
    ///
    /// - Throws: an error that names the property, where it is of another type.
    public func double(_ position: Int) throws -> Double? { try row.double(position) }

    /// The value of a string property; nil where it is nil.
    ///
    /// - Throws: an error that names the property, where it is of another type, or where a long string is damaged.
    public func string(_ position: Int) throws -> String? { try row.string(position) }
}
