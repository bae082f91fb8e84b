import Foundation
import LoamStorage

/// A type whose values are cases of ``Value`` of their own, and which is therefore never asked for its own `Codable`.
protocol CodableScalar: Codable {
    static var valueType: ValueType { get }
    /// Makes the scalar of a stored value; nil when the value is of another kind, or out of the range of this type.
    init?(exactly value: Value)
    var storedValue: Value { get }
    /// The value of an attribute that has none.
    static var zeroValue: Self { get }
}

protocol SignedScalar: CodableScalar, FixedWidthInteger {}
protocol UnsignedScalar: CodableScalar, FixedWidthInteger {}

extension SignedScalar {
    init?(exactly value: Value) {
        switch value {
        case .int(let number): self.init(exactly: number)
        case .uint(let number): self.init(exactly: number)
        default: return nil
        }
    }
    var storedValue: Value { .int(Int64(self)) }
    static var zeroValue: Self { 0 }
}

extension UnsignedScalar {
    init?(exactly value: Value) {
        switch value {
        case .int(let number): self.init(exactly: number)
        case .uint(let number): self.init(exactly: number)
        default: return nil
        }
    }
    var storedValue: Value { .uint(UInt64(self)) }
    static var zeroValue: Self { 0 }
}

extension Int: SignedScalar { static var valueType: ValueType { .int64 } }
extension Int8: SignedScalar { static var valueType: ValueType { .int8 } }
extension Int16: SignedScalar { static var valueType: ValueType { .int16 } }
extension Int32: SignedScalar { static var valueType: ValueType { .int32 } }
extension Int64: SignedScalar { static var valueType: ValueType { .int64 } }
extension UInt: UnsignedScalar { static var valueType: ValueType { .uint64 } }
extension UInt8: UnsignedScalar { static var valueType: ValueType { .uint8 } }
extension UInt16: UnsignedScalar { static var valueType: ValueType { .uint16 } }
extension UInt32: UnsignedScalar { static var valueType: ValueType { .uint32 } }
extension UInt64: UnsignedScalar { static var valueType: ValueType { .uint64 } }

extension Bool: CodableScalar {
    static var valueType: ValueType { .bool }
    init?(exactly value: Value) {
        guard case .bool(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .bool(self) }
    static var zeroValue: Bool { false }
}

extension Float: CodableScalar {
    static var valueType: ValueType { .float }
    init?(exactly value: Value) {
        guard case .float(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .float(self) }
    static var zeroValue: Float { 0 }
}

extension Double: CodableScalar {
    static var valueType: ValueType { .double }
    init?(exactly value: Value) {
        guard case .double(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .double(self) }
    static var zeroValue: Double { 0 }
}

extension Decimal: CodableScalar {
    static var valueType: ValueType { .decimal }
    init?(exactly value: Value) {
        guard case .decimal(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .decimal(self) }
    static var zeroValue: Decimal { 0 }
}

extension String: CodableScalar {
    static var valueType: ValueType { .string }
    init?(exactly value: Value) {
        guard case .string(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .string(self) }
    static var zeroValue: String { "" }
}

extension Date: CodableScalar {
    static var valueType: ValueType { .date }
    init?(exactly value: Value) {
        guard case .date(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .date(self) }
    static var zeroValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: CodableScalar {
    static var valueType: ValueType { .uuid }
    init?(exactly value: Value) {
        guard case .uuid(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .uuid(self) }
    static var zeroValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: CodableScalar {
    static var valueType: ValueType { .url }
    init?(exactly value: Value) {
        guard case .url(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .url(self) }
    static var zeroValue: URL { URL(fileURLWithPath: "/") }
}

extension Data: CodableScalar {
    static var valueType: ValueType { .data }
    init?(exactly value: Value) {
        guard case .data(let value) = value else { return nil }
        self = value
    }
    var storedValue: Value { .data(self) }
    static var zeroValue: Data { Data() }
}
