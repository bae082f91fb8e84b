// The conformances below are documented once, in the protocol.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
package import LoamStorage

/// A type whose values a record keeps as they are: numbers, strings, dates and the like, and optionals of them.
///
/// Other `Codable` types are kept as structures. Part of the surface that generated code calls; nothing outside the
/// package can conform usefully.
public protocol _Attribute: Codable {
    static var _attributeType: _AttributeType { get }
    /// The field's value; nil where the record holds nil for a property that is not optional.
    static func _read(_ field: _StoredField) throws -> Self?
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
    public static func _read(_ field: _StoredField) throws -> Self? {
        try field.record.int64(field.position).flatMap { Self(exactly: $0) }
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(int: Int64(self), ordinal)
    }
    public static var _zero: Self { 0 }
}

extension UnsignedAttribute {
    public static func _read(_ field: _StoredField) throws -> Self? {
        try field.record.uint64(field.position).flatMap { Self(exactly: $0) }
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(uint: UInt64(self), ordinal)
    }
    public static var _zero: Self { 0 }
}

extension Int: SignedAttribute { public static var _attributeType: _AttributeType { .init(.int64) } }
extension Int64: SignedAttribute { public static var _attributeType: _AttributeType { .init(.int64) } }
extension Int32: SignedAttribute { public static var _attributeType: _AttributeType { .init(.int32) } }
extension Int16: SignedAttribute { public static var _attributeType: _AttributeType { .init(.int16) } }
extension Int8: SignedAttribute { public static var _attributeType: _AttributeType { .init(.int8) } }
extension UInt: UnsignedAttribute { public static var _attributeType: _AttributeType { .init(.uint64) } }
extension UInt64: UnsignedAttribute { public static var _attributeType: _AttributeType { .init(.uint64) } }
extension UInt32: UnsignedAttribute { public static var _attributeType: _AttributeType { .init(.uint32) } }
extension UInt16: UnsignedAttribute { public static var _attributeType: _AttributeType { .init(.uint16) } }
extension UInt8: UnsignedAttribute { public static var _attributeType: _AttributeType { .init(.uint8) } }

extension Bool: _Attribute {
    public static var _attributeType: _AttributeType { .init(.bool) }
    public static func _read(_ field: _StoredField) throws -> Bool? { try field.record.bool(field.position) }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(bool: self, ordinal) }
    public static var _zero: Bool { false }
}

extension Double: _Attribute {
    public static var _attributeType: _AttributeType { .init(.double) }
    public static func _read(_ field: _StoredField) throws -> Double? { try field.record.double(field.position) }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(double: self, ordinal)
    }
    public static var _zero: Double { 0 }
}

extension Float: _Attribute {
    public static var _attributeType: _AttributeType { .init(.float) }
    public static func _read(_ field: _StoredField) throws -> Float? { try field.record.float(field.position) }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(float: self, ordinal)
    }
    public static var _zero: Float { 0 }
}

extension String: _Attribute {
    public static var _attributeType: _AttributeType { .init(.string) }
    public static func _read(_ field: _StoredField) throws -> String? { try field.record.string(field.position) }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(string: self, ordinal)
    }
    public static var _zero: String { "" }
}

extension Date: _Attribute {
    public static var _attributeType: _AttributeType { .init(.date) }
    public static func _read(_ field: _StoredField) throws -> Date? {
        try field.record.double(field.position).map(Date.init(timeIntervalSinceReferenceDate:))
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(date: self, ordinal)
    }
    public static var _zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: _Attribute {
    public static var _attributeType: _AttributeType { .init(.uuid) }
    public static func _read(_ field: _StoredField) throws -> UUID? {
        guard case .uuid(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(uuid: self, ordinal) }
    public static var _zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Decimal: _Attribute {
    public static var _attributeType: _AttributeType { .init(.decimal) }
    public static func _read(_ field: _StoredField) throws -> Decimal? {
        guard case .decimal(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .decimal(self), ordinal)
    }
    public static var _zero: Decimal { 0 }
}

extension URL: _Attribute {
    public static var _attributeType: _AttributeType { .init(.url) }
    public static func _read(_ field: _StoredField) throws -> URL? {
        guard case .url(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .url(self), ordinal)
    }
    public static var _zero: URL { URL(fileURLWithPath: "/") }
}

extension Data: _Attribute {
    public static var _attributeType: _AttributeType { .init(.data) }
    public static func _read(_ field: _StoredField) throws -> Data? {
        guard case .data(let value) = try field.record.value(field.position) else { return nil }
        return value
    }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .data(self), ordinal)
    }
    public static var _zero: Data { Data() }
}

extension Optional: _Attribute where Wrapped: _Attribute {
    public static var _attributeType: _AttributeType {
        .init(Wrapped._attributeType.type, isOptional: true)
    }
    public static func _read(_ field: _StoredField) throws -> Wrapped?? { .some(try Wrapped._read(field)) }
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        if let self { try self._write(to: &encoder, ordinal) } else { try encoder.setNull(ordinal) }
    }
    public static var _zero: Wrapped? { nil }
}
