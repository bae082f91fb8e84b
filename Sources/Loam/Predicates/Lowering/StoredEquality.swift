import LoamStorage
@_spi(Reflection) import Swift
import Synchronization

/// Which types a store compares as Swift does.
enum StoredEquality {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// - Throws: ``Unsupported`` for a type whose stored values tell nothing about `==`: one that only its own code
    ///   reads, and one that holds sets, which are stored in no order.
    static func check(_ type: any Any.Type) throws {
        if PlainType.includes(type) { return }
        let type = wrapped(type)
        if type is any CodableScalar.Type { return }
        if let type = type as? any Codable.Type, CodableStorage.isOpaque(type) {
            throw Unsupported("a comparison of \(type), which is stored as data that only the type itself reads")
        }
        guard holdsSet(type) else { return }
        throw Unsupported(
            "a comparison of \(type), which holds a set: sets are stored in no order. Compare a property that is a set "
                + "by itself")
    }

    /// Of a set the elements decide, of any other type the type.
    static func check(elementsOf set: any StoredSet.Type) throws { try check(set.elementType) }

    /// Swift's `==` of two captured values; nil where they are not of the type.
    static func areEqual(_ left: Any, _ right: Any, as type: any Any.Type) -> Bool? {
        guard let left = ConstantValue.unwrapped(left), let right = ConstantValue.unwrapped(right),
            let type = wrapped(type) as? any Equatable.Type
        else { return nil }
        func compare<Value: Equatable>(_: Value.Type) -> Bool? {
            guard let left = left as? Value, let right = right as? Value else { return nil }
            return left == right
        }
        return compare(type)
    }

    /// What any number of optionals wrap.
    static func wrapped(_ type: any Any.Type) -> any Any.Type {
        guard let optional = type as? any OptionalType.Type else { return type }
        return wrapped(optional.wrappedType)
    }

    private static func holdsSet(_ type: any Any.Type) -> Bool {
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        var met: Set<ObjectIdentifier> = []
        let holdsSet = holdsSet(type, met: &met)
        known.withLock { $0[ObjectIdentifier(type)] = holdsSet }
        return holdsSet
    }

    /// - Parameter met: the types that were looked into: one may hold itself.
    private static func holdsSet(_ type: any Any.Type, met: inout Set<ObjectIdentifier>) -> Bool {
        let type = wrapped(type)
        if type is any StoredSet.Type { return true }
        guard !(type is any CodableScalar.Type), !(type is AnyClass), met.insert(ObjectIdentifier(type)).inserted
        else { return false }
        for part in parts(of: type) where holdsSet(part, met: &met) { return true }
        return false
    }

    /// The types of elements, of stored properties and of payloads.
    private static func parts(of type: any Any.Type) -> [any Any.Type] {
        if let collection = type as? any StoredParts.Type { return collection.partTypes }
        if EnumCases(type) != nil { return EnumPayloads(type)?.types.compactMap { $0 } ?? [] }
        var parts: [any Any.Type] = []
        _ = _forEachField(of: type) { _, _, member, _ in
            parts.append(member)
            return true
        }
        return parts
    }
}

/// Sets, whatever their elements.
protocol StoredSet {
    static var elementType: any Any.Type { get }
}

extension Set: StoredSet {
    static var elementType: any Any.Type { Element.self }
}

/// Other collections, whatever their elements.
private protocol StoredParts {
    static var partTypes: [any Any.Type] { get }
}

extension Array: StoredParts { fileprivate static var partTypes: [any Any.Type] { [Element.self] } }
extension ArraySlice: StoredParts { fileprivate static var partTypes: [any Any.Type] { [Element.self] } }
extension ContiguousArray: StoredParts { fileprivate static var partTypes: [any Any.Type] { [Element.self] } }
extension Dictionary: StoredParts { fileprivate static var partTypes: [any Any.Type] { [Key.self, Value.self] } }
