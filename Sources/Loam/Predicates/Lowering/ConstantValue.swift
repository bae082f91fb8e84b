import Foundation
import LoamStorage

/// Values that a predicate captured, as the store writes them.
enum ConstantValue {
    /// The value inside any number of optionals; nil for nil.
    static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalConstant else { return value }
        return optional.inner.flatMap(unwrapped)
    }

    /// Whether a captured value is nil, inside any number of optionals.
    static func isNil(_ captured: Any) -> Bool {
        !PlainType.includes(type(of: captured)) && unwrapped(captured) == nil
    }

    /// - Throws: ``Unsupported`` for a value of a type that has no stored form.
    static func value(of captured: Any) throws -> Value {
        if let value = PlainType.value(of: captured) { return value }
        guard let value = unwrapped(captured) else { return .null }
        switch value {
        case let value as Bool: return .bool(value)
        case let value as Double: return .double(value)
        case let value as Float: return .float(value)
        case let value as String: return .string(value)
        case let value as Date: return .date(value)
        case let value as UUID: return .uuid(value)
        case let value as URL: return .url(value)
        case let value as Data: return .data(value)
        case let value as Decimal: return .decimal(value)
        case let value as any SignedInteger & FixedWidthInteger:
            guard let value = Int64(exactly: value) else { throw Unsupported("an integer of more than 64 bits") }
            return .int(value)
        case let value as any UnsignedInteger & FixedWidthInteger:
            guard let value = UInt64(exactly: value) else { throw Unsupported("an integer of more than 64 bits") }
            return .uint(value)
        case let value as PersistentIdentifier: return .uint(value.storeIdentifier == nil ? noRow : value.rowID)
        case let value as Character: return .string(String(value))
        case let value as Substring: return .string(String(value))
        case let value as any RawRepresentable: return try self.value(of: value.rawValue)
        // As the property that it is compared with keeps it.
        case let value as any Codable:
            guard !CodableStorage.isOpaque(type(of: value)) else {
                throw Unsupported(
                    "a captured \(type(of: value)), which is stored as data that only the type itself reads")
            }
            return try CodableStorage.value(of: value)
        case let value as any Encodable: return try ValueEncoder.encode(value)
        default: throw Unsupported("a captured value of type \(type(of: value))")
        }
    }

    /// A captured value that is compared with a model: an identifier of another entity or store is no row's.
    static func value(of captured: Any, comparedWith model: ModelType, in store: String?) throws -> Value {
        guard let identifier = unwrapped(captured) as? PersistentIdentifier else { return try value(of: captured) }
        let isForeign =
            identifier.entityName != model.entityName || (store != nil && identifier.storeIdentifier != store)
        return isForeign ? .uint(noRow) : try value(of: identifier)
    }

    /// The row that an identifier names in a store: no row, where it is of another one.
    static func value(of identifier: PersistentIdentifier, in store: String?) -> Value {
        let isForeign = store != nil && identifier.storeIdentifier != store
        return .uint(isForeign || identifier.storeIdentifier == nil ? noRow : identifier.rowID)
    }

    /// The elements of a captured collection.
    static func elements(of captured: Any) -> [Any]? {
        (unwrapped(captured) as? any ConstantCollection)?.constants
    }

    /// The characters of a captured text, the bytes of captured data or the pairs of a captured dictionary; nil for
    /// others.
    static func parts(of captured: Any) -> [Any]? {
        switch unwrapped(captured) {
        case let text as String: Array(text)
        case let data as Data: Array(data)
        case let dictionary as any ConstantPairs: dictionary.pairs
        default: nil
        }
    }

    /// No row has it: what an identifier of a model that was never inserted is compared as.
    private static let noRow: RowID = 0
}

/// Optionals, seen without their wrapped type.
private protocol OptionalConstant {
    var inner: Any? { get }
}

extension Optional: OptionalConstant {
    fileprivate var inner: Any? { self }
}

/// Dictionaries, seen without their types.
private protocol ConstantPairs {
    var pairs: [Any] { get }
}

extension Dictionary: ConstantPairs { fileprivate var pairs: [Any] { map { $0 } } }

/// Collections whose elements can be listed.
private protocol ConstantCollection {
    var constants: [Any] { get }
}

extension Array: ConstantCollection { fileprivate var constants: [Any] { self } }
extension ArraySlice: ConstantCollection { fileprivate var constants: [Any] { map { $0 } } }
extension ContiguousArray: ConstantCollection { fileprivate var constants: [Any] { map { $0 } } }
extension Set: ConstantCollection { fileprivate var constants: [Any] { map { $0 } } }
extension Dictionary.Keys: ConstantCollection { fileprivate var constants: [Any] { map { $0 } } }
extension Dictionary.Values: ConstantCollection { fileprivate var constants: [Any] { map { $0 } } }

/// Ranges, seen without their bound.
protocol ConstantRange {
    var lowerConstant: Any? { get }
    var upperConstant: Any? { get }
    var isClosedConstant: Bool { get }
}

extension ClosedRange: ConstantRange {
    var lowerConstant: Any? { lowerBound }
    var upperConstant: Any? { upperBound }
    var isClosedConstant: Bool { true }
}

extension Range: ConstantRange {
    var lowerConstant: Any? { lowerBound }
    var upperConstant: Any? { upperBound }
    var isClosedConstant: Bool { false }
}

extension PartialRangeFrom: ConstantRange {
    var lowerConstant: Any? { lowerBound }
    var upperConstant: Any? { nil }
    var isClosedConstant: Bool { true }
}

extension PartialRangeThrough: ConstantRange {
    var lowerConstant: Any? { nil }
    var upperConstant: Any? { upperBound }
    var isClosedConstant: Bool { true }
}

extension PartialRangeUpTo: ConstantRange {
    var lowerConstant: Any? { nil }
    var upperConstant: Any? { upperBound }
    var isClosedConstant: Bool { false }
}
