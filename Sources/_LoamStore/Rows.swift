import LoamStorage

/// A row that is being encoded. Properties go by their position in the entity; those that are not set are nil.
public struct RowWriter {
    let pointer: UnsafeMutablePointer<RecordWriter>

    /// A Bool property.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func set(_ value: Bool, at position: Int) throws { try pointer.pointee.set(bool: value, at: position) }

    /// An integer property.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func set(_ value: Int64, at position: Int) throws { try pointer.pointee.set(int: value, at: position) }

    /// A Double property, or a date by its seconds since 2001.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func set(_ value: Double, at position: Int) throws { try pointer.pointee.set(double: value, at: position) }

    /// A string property.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
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

    /// A Bool; nil where the property is.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func bool(_ position: Int) throws -> Bool? { try row.bool(position) }

    /// An integer; nil where the property is.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func int(_ position: Int) throws -> Int64? { try row.int64(position) }

    /// A Double, or a date as its seconds since 2001; nil where the property is.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func double(_ position: Int) throws -> Double? { try row.double(position) }

    /// A string; nil where the property is.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func string(_ position: Int) throws -> String? { try row.string(position) }
}
