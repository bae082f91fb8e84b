/// A defined value of any attribute type, for reading a model whose row is gone.
///
/// Nil for optionals, 0 and false, 1 January 2001, empty strings and collections, a space, the first case of an enum,
/// zero bytes for plain data, and for other structures what their `init(from:)` makes of zero values. Nil where a type
/// has no such value: where its `init(from:)` refuses them, an enum without cases, a class that is not `Decodable`.
enum ZeroValue {
    static func of(_ type: any Any.Type) -> Any? {
        func open<T>(_ type: T.Type) -> Any? { make(type).map { $0 as Any } }
        return _openExistential(type, do: open)
    }

    static func make<T>(_ type: T.Type) -> T? { make(type, probe: TypeProbe(.makeZeroValue)) }

    /// A zero value, or one that the type's `init(from:)` would refuse: a structure made of the zero values of its
    /// stored properties, a case of an enum. Nil for an enum without cases, and where a class refuses zero values.
    static func makeAny<T>(_ type: T.Type) -> T? { make(type, probe: TypeProbe(.makeAnyValue)) }

    static func make<T>(_ type: T.Type, probe: TypeProbe) -> T? {
        if let value = plain(type) { return value }
        guard let decodable = type as? any Decodable.Type else {
            return probe.purpose == .makeAnyValue ? MemberwiseValue.make(type, probe: probe) : nil
        }
        func open<D: Decodable>(_ type: D.Type) -> T? {
            guard D.self == T.self, let value = try? probe.probe(type).value else { return nil }
            return unsafeBitCast(value, to: T.self)
        }
        return open(decodable)
    }

    /// The value of a type whose `init(from:)` need not run for it.
    static func plain<T>(_ type: T.Type) -> T? {
        if let empty = type as? any EmptyByNature.Type { return emptyValue(empty) }
        if let scalar = type as? any CodableScalar.Type { return zero(scalar) }
        if let cases = type as? any CaseIterable.Type { return firstCase(cases) }
        if let cases = EnumCases(type), cases.isEmpty { return nil }
        return _isPOD(type) && !(type is any OpaqueCodable.Type) ? zeroBytes(type) : nil
    }

    private static func emptyValue<E: EmptyByNature, T>(_ type: E.Type) -> T? { same(type.emptyValue) }

    private static func zero<S: CodableScalar, T>(_ type: S.Type) -> T? { same(type.zeroValue) }

    private static func firstCase<C: CaseIterable, T>(_ type: C.Type) -> T? {
        guard let first = type.allCases.first else { return nil }
        return same(first)
    }

    private static func same<S, T>(_ value: S) -> T? {
        S.self == T.self ? unsafeBitCast(value, to: T.self) : nil
    }

    /// Zero bytes: the first case of an enum, whose payload is again zero bytes; 0 and false in its members.
    private static func zeroBytes<T>(_ type: T.Type) -> T {
        withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment
        ) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.loadUnaligned(as: type)
        }
    }
}

/// A type with a value that holds nothing, whatever it could hold.
private protocol EmptyByNature {
    static var emptyValue: Self { get }
}

/// Made of its members it would be empty, and trap when it is used.
extension Character: EmptyByNature {
    fileprivate static var emptyValue: Character { " " }
}

extension Optional: EmptyByNature {
    fileprivate static var emptyValue: Wrapped? { nil }
}

extension Array: EmptyByNature {
    fileprivate static var emptyValue: [Element] { [] }
}

extension ContiguousArray: EmptyByNature {
    fileprivate static var emptyValue: ContiguousArray<Element> { [] }
}

extension Set: EmptyByNature {
    fileprivate static var emptyValue: Set<Element> { [] }
}

extension Dictionary: EmptyByNature {
    fileprivate static var emptyValue: [Key: Value] { [:] }
}
