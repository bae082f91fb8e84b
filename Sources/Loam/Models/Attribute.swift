public import Foundation
package import LoamStorage

/// A type whose values a record keeps as they are: numbers, strings, dates and the like, and optionals of them.
///
/// Other `Codable` types are kept as structures. Part of the surface that generated code calls; nothing outside the
/// package can conform usefully.
public protocol _Attribute: Codable {
    /// How values of the type are stored.
    static var _attributeType: _AttributeType { get }
    /// The value of the property with this ordinal in the model's record; nil where there is none.
    static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Self?
    /// Hands the value to the encoder as the property with this ordinal.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
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

/// Signed integers, read and written as the widest type of their kind.
public protocol _SignedAttribute: _Attribute, FixedWidthInteger {}

/// Unsigned integers, read and written as the widest type of their kind.
public protocol _UnsignedAttribute: _Attribute, FixedWidthInteger {}

extension _ModelBacking {
    @usableFromInline
    func int64(_ ordinal: Int) -> Int64? {
        read(ordinal) { try $0.int64($1) }
    }

    @usableFromInline
    func uint64(_ ordinal: Int) -> UInt64? {
        read(ordinal) { try $0.uint64($1) }
    }
}

extension _SignedAttribute {
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    @inlinable
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Self? {
        backing.int64(ordinal).flatMap { Self(exactly: $0) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    @inlinable
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(int: Int64(self), ordinal)
    }
    /// Read where the record is gone: 0.
    @inlinable
    public static var _zero: Self { 0 }
}

extension _UnsignedAttribute {
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    @inlinable
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Self? {
        backing.uint64(ordinal).flatMap { Self(exactly: $0) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    @inlinable
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(uint: UInt64(self), ordinal)
    }
    /// Read where the record is gone: 0.
    @inlinable
    public static var _zero: Self { 0 }
}

extension Int: _SignedAttribute {
    /// The store keeps values of this type as `int64`.
    public static var _attributeType: _AttributeType { .init(.int64) }
}

extension Int64: _SignedAttribute {
    /// The store keeps values of this type as `int64`.
    public static var _attributeType: _AttributeType { .init(.int64) }
}

extension Int32: _SignedAttribute {
    /// The store keeps values of this type as `int32`.
    public static var _attributeType: _AttributeType { .init(.int32) }
}

extension Int16: _SignedAttribute {
    /// The store keeps values of this type as `int16`.
    public static var _attributeType: _AttributeType { .init(.int16) }
}

extension Int8: _SignedAttribute {
    /// The store keeps values of this type as `int8`.
    public static var _attributeType: _AttributeType { .init(.int8) }
}

extension UInt: _UnsignedAttribute {
    /// The store keeps values of this type as `uint64`.
    public static var _attributeType: _AttributeType { .init(.uint64) }
}

extension UInt64: _UnsignedAttribute {
    /// The store keeps values of this type as `uint64`.
    public static var _attributeType: _AttributeType { .init(.uint64) }
}

extension UInt32: _UnsignedAttribute {
    /// The store keeps values of this type as `uint32`.
    public static var _attributeType: _AttributeType { .init(.uint32) }
}

extension UInt16: _UnsignedAttribute {
    /// The store keeps values of this type as `uint16`.
    public static var _attributeType: _AttributeType { .init(.uint16) }
}

extension UInt8: _UnsignedAttribute {
    /// The store keeps values of this type as `uint8`.
    public static var _attributeType: _AttributeType { .init(.uint8) }
}

extension Bool: _Attribute {
    /// The store keeps values of this type as `bool`.
    public static var _attributeType: _AttributeType { .init(.bool) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Bool? {
        backing.read(ordinal) { try $0.bool($1) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(bool: self, ordinal) }
    /// Read where the record is gone: false.
    public static var _zero: Bool { false }
}

extension Double: _Attribute {
    /// The store keeps values of this type as `double`.
    public static var _attributeType: _AttributeType { .init(.double) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Double? {
        backing.read(ordinal) { try $0.double($1) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(double: self, ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Double { 0 }
}

extension Float: _Attribute {
    /// The store keeps values of this type as `float`.
    public static var _attributeType: _AttributeType { .init(.float) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Float? {
        backing.read(ordinal) { try $0.float($1) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(float: self, ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Float { 0 }
}

extension String: _Attribute {
    /// The store keeps values of this type as `string`.
    public static var _attributeType: _AttributeType { .init(.string) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> String? {
        backing.read(ordinal) {
            try $0.string($1)
        } decode: {
            if case .string(let value) = $0 { value } else { nil }
        }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(string: self, ordinal)
    }
    /// Read where the record is gone: empty.
    public static var _zero: String { "" }
}

extension Date: _Attribute {
    /// The store keeps values of this type as `date`.
    public static var _attributeType: _AttributeType { .init(.date) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Date? {
        backing.read(ordinal) { try $0.double($1).map(Date.init(timeIntervalSinceReferenceDate:)) }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(date: self, ordinal)
    }
    /// Read where the record is gone: the reference date, 2001-01-01.
    public static var _zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: _Attribute {
    /// The store keeps values of this type as `uuid`.
    public static var _attributeType: _AttributeType { .init(.uuid) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> UUID? {
        func decode(_ value: Value) -> Self? {
            if case .uuid(let value) = value { value } else { nil }
        }
        return backing.read(ordinal) {
            decode(try $0.value($1))
        } decode: {
            decode($0)
        }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws { try encoder.set(uuid: self, ordinal) }
    /// Read where the record is gone: all zeros.
    public static var _zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Decimal: _Attribute {
    /// The store keeps values of this type as `decimal`.
    public static var _attributeType: _AttributeType { .init(.decimal) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Decimal? {
        func decode(_ value: Value) -> Self? {
            if case .decimal(let value) = value { value } else { nil }
        }
        return backing.read(ordinal) {
            decode(try $0.value($1))
        } decode: {
            decode($0)
        }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .decimal(self), ordinal)
    }
    /// Read where the record is gone: 0.
    public static var _zero: Decimal { 0 }
}

extension URL: _Attribute {
    /// The store keeps values of this type as `url`.
    public static var _attributeType: _AttributeType { .init(.url) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> URL? {
        func decode(_ value: Value) -> Self? {
            if case .url(let value) = value { value } else { nil }
        }
        return backing.read(ordinal) {
            decode(try $0.value($1))
        } decode: {
            decode($0)
        }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        try encoder.set(value: .url(self), ordinal)
    }
    /// Read where the record is gone: the root folder.
    public static var _zero: URL { URL(fileURLWithPath: "/") }
}

extension Data: _Attribute {
    /// The store keeps values of this type as `data`.
    public static var _attributeType: _AttributeType { .init(.data) }
    /// The stored value; nil where the record holds nil, or a value that the type cannot hold.
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Data? {
        func decode(_ value: Value) -> Self? {
            if case .data(let value) = value { value } else { nil }
        }
        return backing.read(ordinal) {
            decode(try $0.value($1))
        } decode: {
            decode($0)
        }
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
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
    @inlinable
    public static func _read(_ backing: _ModelBacking, _ ordinal: Int) -> Wrapped?? {
        .some(Wrapped._read(backing, ordinal))
    }
    /// Hands the value to the encoder.
    ///
    /// - Throws: what the encoder throws for a value that is not of the type that the store has.
    @inlinable
    public func _write(to encoder: inout _RecordEncoder, _ ordinal: Int) throws {
        if let self { try self._write(to: &encoder, ordinal) } else { try encoder.setNull(ordinal) }
    }
    /// Read where the record is gone: nil.
    @inlinable
    public static var _zero: Wrapped? { nil }
}
