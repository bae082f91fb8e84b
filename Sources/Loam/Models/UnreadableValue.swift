import LoamStorage

/// A stored value that the type of its property does not have, such as the raw value of an enum's case that a newer
/// version of the program added, or data of which an attribute's transformer makes no value.
///
/// Nothing is lost by it: the property reads as a value that its type does have (nil where it may be nil; else what the
/// type's own `init(from:)` makes of it, or an empty value, which for an enum is its first case), the stored value
/// stays until the property is set, and fetches, orders and sections go by the stored value.
///
/// ```swift
/// if let unreadable = visit.unreadableValue(of: \.kind) { label.text = "new kind: \(unreadable.rawValue)" }
/// ```
public struct UnreadableValue: Error, Sendable {
    /// The name of the model's entity.
    public let entityName: String
    /// The name of the property.
    public let propertyName: String
    /// The name of the type that has no such value.
    public let typeName: String
    /// The stored value where it is a single one: a `String`, `Int64`, `UInt64`, `Double` or `Float`. Nil for others.
    public let rawValue: (any Hashable & Sendable)?

    /// What was to make a value of the stored data.
    private let transformer: String?

    init(_ stored: Value, entity: String, property: String, type: any Any.Type, transformer: String? = nil) {
        self.transformer = transformer
        entityName = entity
        propertyName = property
        typeName = "\(type)"
        rawValue =
            switch stored {
            case .string(let value): value
            case .int(let value): value
            case .uint(let value): value
            case .double(let value): value
            case .float(let value): value
            default: nil
            }
    }
}

extension UnreadableValue: CustomStringConvertible {
    /// What is stored where, and what becomes of it.
    public var description: String {
        if let transformer {
            return
                "\(entityName).\(propertyName) holds data of which \(transformer) makes no \(typeName). It stays until "
                + "the property is set."
        }
        let value = rawValue.map { "\"\($0)\"" } ?? "a value"
        return
            "\(entityName).\(propertyName) holds \(value), which is no \(typeName): a newer version of the program may "
            + "have stored it. It stays until the property is set."
    }
}

extension PersistentModel {
    /// What a property holds in the store where its type has no such value; nil where it can be read, or was set since.
    ///
    /// Decodes the value once more: not for hot loops.
    public func unreadableValue<Value>(of keyPath: KeyPath<Self, Value>) -> UnreadableValue? {
        guard let backing = _$backing, let binding = backing.binding,
            let ordinal = binding.model.ordinal(of: keyPath), !backing.changed.contains(ordinal)
        else { return nil }
        let property = binding.model.properties[ordinal]
        guard property.destination == nil, let stored = backing.storedValue(ordinal), !stored.isNull,
            property.value(of: stored) == nil
        else { return nil }
        return UnreadableValue(
            stored, entity: binding.entity.name, property: property.name, type: property.valueType,
            transformer: property.transformer?.name)
    }
}

extension _ModelBacking {
    /// A field as it is stored, whatever its type; nil where there is no record.
    fileprivate func storedValue(_ ordinal: Int) -> Value? {
        read(ordinal) {
            try $0.value($1)
        } decode: {
            $0
        }
    }
}
