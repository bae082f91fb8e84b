public import Foundation
package import LoamStorage

/// A type whose values a record keeps as they are: numbers, strings, dates and the like, and optionals of them.
///
/// Other `Codable` types are kept as structures. Part of the surface that generated code calls; nothing outside the
/// package can conform usefully.
public protocol _Attribute: Codable {
    /// How values of the type are stored.
    static var _attributeType: _AttributeType { get }
    /// The field's value; nil where the record holds nil for a property that is not optional.
    static func _read(_ field: _StoredField) throws -> Self?
    /// Hands the value to the encoder as the property with this ordinal.
    func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws
    /// What a model reads whose record is gone.
    static var _zero: Self { get }
}

/// How an attribute's values are stored.
public struct _AttributeType: Sendable {
    package var type: ValueType
    package var isOptional: Bool

    package init(_ type: ValueType, isOptional: Bool = false) {
        self.type = type
        self.isOptional = isOptional
    }
}

/// A field of a stored record.
public struct _StoredField {
    package let record: DetachedRecord
    package let position: Int

    package init(record: DetachedRecord, position: Int) {
        self.record = record
        self.position = position
    }
}

/// Integers, by the widest type of their kind.
package protocol SignedAttribute: _Attribute, FixedWidthInteger {}
package protocol UnsignedAttribute: _Attribute, FixedWidthInteger {}

extension SignedAttribute {
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Self? {
        try field.record.int64(field.position).flatMap { Self(exactly: $0) }
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(int: Int64(self), ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Self { 0 }
}

extension UnsignedAttribute {
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Self? {
        try field.record.uint64(field.position).flatMap { Self(exactly: $0) }
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(uint: UInt64(self), ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Self { 0 }
}

extension Int: SignedAttribute {
    /// Stored as int64.
    public static var _attributeType: _AttributeType { .init(.int64) }
}

extension Int64: SignedAttribute {
    /// Stored as int64.
    public static var _attributeType: _AttributeType { .init(.int64) }
}

extension Int32: SignedAttribute {
    /// Stored as int32.
    public static var _attributeType: _AttributeType { .init(.int32) }
}

extension Int16: SignedAttribute {
    /// Stored as int16.
    public static var _attributeType: _AttributeType { .init(.int16) }
}

extension Int8: SignedAttribute {
    /// Stored as int8.
    public static var _attributeType: _AttributeType { .init(.int8) }
}

extension UInt: UnsignedAttribute {
    /// Stored as uint64.
    public static var _attributeType: _AttributeType { .init(.uint64) }
}

extension UInt64: UnsignedAttribute {
    /// Stored as uint64.
    public static var _attributeType: _AttributeType { .init(.uint64) }
}

extension UInt32: UnsignedAttribute {
    /// Stored as uint32.
    public static var _attributeType: _AttributeType { .init(.uint32) }
}

extension UInt16: UnsignedAttribute {
    /// Stored as uint16.
    public static var _attributeType: _AttributeType { .init(.uint16) }
}

extension UInt8: UnsignedAttribute {
    /// Stored as uint8.
    public static var _attributeType: _AttributeType { .init(.uint8) }
}

extension Bool: _Attribute {
    /// Stored as bool.
    public static var _attributeType: _AttributeType { .init(.bool) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Bool? { try field.record.bool(field.position) }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(bool: self, ordinal) }
    /// Read where the record is gone: false.
    public static var _zero: Bool { false }
}

extension Double: _Attribute {
    /// Stored as double.
    public static var _attributeType: _AttributeType { .init(.double) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Double? { try field.record.double(field.position) }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(double: self, ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Double { 0 }
}

extension Float: _Attribute {
    /// Stored as float.
    public static var _attributeType: _AttributeType { .init(.float) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Float? { try field.record.float(field.position) }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(float: self, ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Float { 0 }
}

extension String: _Attribute {
    /// Stored as string.
    public static var _attributeType: _AttributeType { .init(.string) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> String? { try field.record.string(field.position) }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(string: self, ordinal)
    }
    /// Read where the record is gone: empty.
    public static var _zero: String { "" }
}

extension Date: _Attribute {
    /// Stored as date.
    public static var _attributeType: _AttributeType { .init(.date) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Date? {
        try field.record.double(field.position).map(Date.init(timeIntervalSinceReferenceDate:))
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(date: self, ordinal)
    }
    /// Read where the record is gone: the reference date, 2001-01-01.
    public static var _zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: _Attribute {
    /// Stored as uuid.
    public static var _attributeType: _AttributeType { .init(.uuid) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> UUID? {
        guard case .uuid(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(uuid: self, ordinal) }
    /// Read where the record is gone: all zeros.
    public static var _zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Decimal: _Attribute {
    /// Stored as decimal.
    public static var _attributeType: _AttributeType { .init(.decimal) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Decimal? {
        guard case .decimal(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .decimal(self), ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Decimal { 0 }
}

extension URL: _Attribute {
    /// Stored as url.
    public static var _attributeType: _AttributeType { .init(.url) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> URL? {
        guard case .url(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .url(self), ordinal)
    }
    /// Read where the record is gone: the root folder.
    public static var _zero: URL { URL(fileURLWithPath: "/") }
}

extension Data: _Attribute {
    /// Stored as data.
    public static var _attributeType: _AttributeType { .init(.data) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Data? {
        guard case .data(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .data(self), ordinal)
    }
    /// Read where the record is gone: empty.
    public static var _zero: Data { Data() }
}

extension Optional: _Attribute where Wrapped: _Attribute {
    /// Stored as the wrapped type, or as nil.
    public static var _attributeType: _AttributeType {
        .init(Wrapped._attributeType.type, isOptional: true)
    }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ field: _StoredField) throws -> Wrapped?? { .some(try Wrapped._read(field)) }
    /// Hands the value to the encoder.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        if let self { try self._write(to: &encoder, ordinal) } else { try encoder.setNull(ordinal) }
    }
    /// Read where the record is gone: nil.
    public static var _zero: Wrapped? { nil }
}
