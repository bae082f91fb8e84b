import Foundation
import LoamStorage

/// How values of a Swift type are stored, found without an instance.
enum AttributeStorage {
    /// How values of a type are stored; nil for a type that is neither an attribute type nor `Codable`.
    static func type(of type: any Any.Type) -> _AttributeType? {
        if let attribute = type as? any _Attribute.Type { return attribute._attributeType }
        if let wrapped = (type as? any OptionalType.Type)?.wrappedType {
            guard var storage = Self.type(of: wrapped) else { return nil }
            storage.isOptional = true
            return storage
        }
        if let raw = type as? any (RawRepresentable & Codable).Type, let storage = rawType(raw) { return storage }
        return (type as? any Codable.Type).map { _AttributeType(CodableStorage.valueType(of: $0)) }
    }

    private static func rawType<T: RawRepresentable>(_ type: T.Type) -> _AttributeType? {
        (T.RawValue.self as? any _Attribute.Type)?._attributeType
    }

    /// A property's default value as it is stored; null where there is none that could be.
    static func initialValue(_ value: Any?, of type: any Any.Type) -> Value {
        guard let value else { return zero(type) }
        if let value = value as? any OptionalValue {
            guard let wrapped = value.wrapped else { return .null }
            return initialValue(wrapped, of: Swift.type(of: wrapped))
        }
        if let value = value as? any RawRepresentable & Codable, let raw = initialValue(raw: value) { return raw }
        return (value as? any Codable).flatMap { try? CodableStorage.value(of: $0) } ?? .null
    }

    /// The stored value of a raw value; nil where the raw value is not stored in the place of the value.
    private static func initialValue<T: RawRepresentable>(raw value: T) -> Value? {
        (value.rawValue as? any _Attribute).flatMap { try? ValueEncoder.encode($0) }
    }

    /// The same of a property whose values a transformer makes data of; null where it makes none.
    static func initialValue(_ value: Any?, of type: any Any.Type, by transformer: AttributeTransformer) -> Value {
        let value = value ?? (type is any OptionalType.Type ? nil : ZeroValue.of(type))
        return value.flatMap(unwrapped).flatMap { transformer.data(of: $0) }.map { .data($0) } ?? .null
    }

    /// The value inside any number of optionals; nil for nil.
    static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap(unwrapped)
    }

    /// What rows stored before a property without a default was added read for it: empty, or null where that cannot be.
    private static func zero(_ type: any Any.Type) -> Value {
        if type is any OptionalType.Type { return .null }
        guard let value = ZeroValue.of(type) else { return .null }
        return initialValue(value, of: type)
    }
}

/// Optional values, seen without their wrapped type.
protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}
