import LoamStorage

/// A row that is being encoded. Properties go by their position in the entity; those that are not set are nil.
public struct RowWriter {
    let pointer: UnsafeMutablePointer<RecordWriter>

    /// A Bool property.
    public func set(_ value: Bool, at position: Int) throws { try pointer.pointee.set(bool: value, at: position) }

    /// An integer property.
    public func set(_ value: Int64, at position: Int) throws { try pointer.pointee.set(int: value, at: position) }

    /// A Double property, or a date by its seconds since 2001.
    public func set(_ value: Double, at position: Int) throws { try pointer.pointee.set(double: value, at: position) }

    /// A string property.
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

    /// Whether the property is nil.
    public func isNull(_ position: Int) throws -> Bool { try row.isNull(position) }

    /// A Bool; false where the property is nil.
    public func bool(_ position: Int) throws -> Bool { try row.view.bool(slot(position)) }

    /// An integer; 0 where the property is nil.
    public func int(_ position: Int) throws -> Int64 { try row.view.int64(slot(position)) }

    /// A Double, or a date as its seconds since 2001.
    public func double(_ position: Int) throws -> Double { try row.view.double(slot(position)) }

    /// A string; empty where the property is nil.
    public func string(_ position: Int) throws -> String {
        guard case .inline(let bytes, _) = try row.view.field(slot(position)) else { return "" }
        return bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @inline(__always)
    private func slot(_ position: Int) throws -> Int {
        guard let slot = row.slot(position) else { throw StorageError(.unknownProperty) }
        return slot
    }
}
