import Foundation
import LoamStorage
import Synchronization

/// How the values of a `Codable` type are kept in a record.
///
/// A type whose shape can be found without an instance is kept *typed*: its members can be read by queries, with paths
/// such as `address.city`, and a payload enum's by case and label (`shape.circle.radius`, `shape.circle._0`).
///
/// Any other type is kept *opaque*: as data that holds the same tagged values. It is stored and read back as exactly as
/// any, but queries can only tell nil from a value, and nothing in it can be indexed or sorted by. Opaque as a whole is
/// every type that contains, anywhere,
///
/// - a type that declines to be looked into, ``OpaqueCodable``,
/// - a type that refuses zero values, since it checks what it decodes,
/// - a type that contains itself, such as a tree,
/// - a type that reads different members depending on what is stored, or that encodes others than it decodes,
/// - arrays of several types in one, dictionaries with optional keys, and structures with names made at run time.
enum CodableStorage {
    /// How one type is stored; what an optional wraps stands for the optional.
    struct Form: Hashable, Sendable {
        let type: ValueType
        let isOptional: Bool
        /// Whether the type is `.data` that holds tagged values.
        let isOpaque: Bool
    }

    private static let known = Mutex<[ObjectIdentifier: Form]>([:])

    /// The form of a type's values: probed on first use, which runs the type's `init(from:)` and `encode(to:)`, and
    /// kept. It follows from the type alone.
    static func form<T: Codable>(of type: T.Type) -> Form {
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Outside the lock: the type's own code may ask for other forms.
        let form = probe(type)
        known.withLock { $0[ObjectIdentifier(type)] = form }
        return form
    }

    /// The type of a property of this type; of what it wraps when it is optional.
    static func valueType(of type: any Codable.Type) -> ValueType { form(of: type).type }

    /// Whether values of this type are stored as data that only the type reads.
    static func isOpaque(_ type: any Codable.Type) -> Bool { form(of: type).isOpaque }

    /// The value to store. Throws `EncodingError`, what the type's `encode(to:)` throws, or `StorageError`.
    static func value<T: Codable>(of value: T) throws -> Value {
        let stored = try ValueEncoder.encode(value)
        guard !stored.isNull, form(of: T.self).isOpaque else { return stored }
        return .data(Data(try CompositeCodec.encode(stored)))
    }

    /// The value that was stored. Throws `DecodingError`, what the type's `init(from:)` throws, or `StorageError` when
    /// the stored bytes are damaged.
    static func read<T: Codable>(_ type: T.Type, stored: Value) throws -> T {
        guard form(of: type).isOpaque, !stored.isNull else { return try ValueDecoder.decode(type, from: stored) }
        guard case .data(let bytes) = stored else {
            throw DecodingError.typeMismatch(
                type, .init(codingPath: [], debugDescription: "\(type) is stored as data that holds it"))
        }
        return try ValueDecoder.decode(type, from: bytes.withUnsafeBytes { try CompositeCodec.decode($0.bytes) })
    }

    // MARK: Probing

    private static func probe<T: Codable>(_ type: T.Type) -> Form {
        let isOptional = type is any DecodableOptional.Type
        guard let found = try? TypeProbe(.findTypes).probe(type), found.shape.isOptional == isOptional,
            stores(found.value, as: found.shape.type)
        else { return Form(type: .data, isOptional: isOptional, isOpaque: true) }
        return Form(type: found.shape.type, isOptional: isOptional, isOpaque: false)
    }

    /// Whether the type encodes what it decodes.
    private static func stores<T: Encodable>(_ value: T, as type: ValueType) -> Bool {
        do {
            _ = try CompositeCodec.encode(ValueEncoder.encode(value), as: type)
            return true
        } catch {
            return false
        }
    }
}
