import LoamStorage

/// What a probe finds out about a type.
struct ProbedShape: Hashable {
    var type: ValueType
    var isOptional: Bool

    init(_ type: ValueType, isOptional: Bool = false) {
        self.type = type
        self.isOptional = isOptional
    }
}

/// Why a type's shape, or a value of it, cannot be found without an instance.
struct NotProbeable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Runs the `init(from:)` of a type with a decoder that hands out zero values and notes what was asked for.
///
/// What a type does beside asking is its own: an `init(from:)` that refuses zero values, or that asks for different
/// members depending on what it got, makes the type ``NotProbeable``; one that traps on them traps here, and declines
/// by ``OpaqueCodable``.
final class TypeProbe {
    enum Purpose {
        case findTypes, makeZeroValue
        /// Where an `init(from:)` refuses zero values, structures are made of their members.
        case makeAnyValue
    }

    let purpose: Purpose
    /// The types whose `init(from:)` is running, outermost first.
    private var running: [ObjectIdentifier] = []

    init(_ purpose: Purpose) { self.purpose = purpose }

    var findsTypes: Bool { purpose == .findTypes }

    /// The shape of a type, and a value of it: with optionals and collections filled where types are looked for, else
    /// empty. Throws ``NotProbeable`` or what the type's `init(from:)` throws.
    func probe<T: Decodable>(_ type: T.Type) throws -> (shape: ProbedShape, value: T) {
        if type is any OpaqueCodable.Type { return try probe(opaque: type) }
        if !findsTypes, let value = ZeroValue.plain(type) { return (Self.unknownShape, value) }
        if let scalar = type as? any CodableScalar.Type { return try scalarZero(scalar) }
        if let optional = type as? any DecodableOptional.Type { return try probe(optional: optional) }
        if let array = type as? any ArrayLike.Type { return try probe(array: array) }
        if let dictionary = type as? any DecodableDictionary.Type { return try probe(dictionary: dictionary) }
        guard running.count < CodingLimit.containers, !running.contains(ObjectIdentifier(type)) else {
            throw NotProbeable("\(type) contains itself")
        }
        running.append(ObjectIdentifier(type))
        defer { running.removeLast() }
        do {
            return try run(type)
        } catch {
            guard purpose == .makeAnyValue, let value = MemberwiseValue.make(type, probe: self) else { throw error }
            return (Self.unknownShape, value)
        }
    }

    /// The type's own code does not run.
    private func probe<T>(opaque: T.Type) throws -> (shape: ProbedShape, value: T) {
        if !findsTypes, let value = ZeroValue.plain(opaque) { return (Self.unknownShape, value) }
        guard purpose == .makeAnyValue, let value = MemberwiseValue.make(opaque, probe: self) else {
            throw NotProbeable("\(opaque) is stored as one value")
        }
        return (Self.unknownShape, value)
    }

    private func scalarZero<S: CodableScalar, T>(_ type: S.Type) throws -> (shape: ProbedShape, value: T) {
        try same((ProbedShape(type.valueType), type.zeroValue))
    }

    private func probe<O: DecodableOptional, T>(optional: O.Type) throws -> (shape: ProbedShape, value: T) {
        try same(optional.probe(self))
    }

    private func probe<A: ArrayLike, T>(array: A.Type) throws -> (shape: ProbedShape, value: T) {
        try same(array.probe(self))
    }

    private func probe<D: DecodableDictionary, T>(dictionary: D.Type) throws -> (shape: ProbedShape, value: T) {
        try same(dictionary.probe(self))
    }

    /// A result of a type that is only known to be the same.
    private func same<S, T>(_ result: (shape: ProbedShape, value: S)) throws -> (shape: ProbedShape, value: T) {
        guard S.self == T.self else { throw NotProbeable("\(T.self) is not \(S.self)") }
        return (result.shape, unsafeBitCast(result.value, to: T.self))
    }

    private func run<T: Decodable>(_ type: T.Type) throws -> (shape: ProbedShape, value: T) {
        let findings = ProbeFindings(isEnum: EnumCases(type) != nil)
        findings.rawValue = (type as? any RawRepresentable.Type).flatMap { Self.firstRawValue($0) }
        let first = Result { try T(from: ProbeDecoder(probe: self, findings: findings)) }
        guard findings.caseCount > 1 else {
            let value = try first.get()
            return (findsTypes ? try findings.shape() : Self.unknownShape, value)
        }
        guard findsTypes else { return try firstPossibleCase(type, first: first, count: findings.caseCount) }
        return try joinedCases(type, findings: findings, value: try first.get())
    }

    private func value<T: Decodable>(_ type: T.Type, ofCase index: Int) throws -> (value: T, findings: ProbeFindings) {
        let findings = ProbeFindings(isEnum: true)
        findings.chosenCase = index
        return (try T(from: ProbeDecoder(probe: self, findings: findings)), findings)
    }

    /// Runs the `init(from:)` of an enum with payloads once for each case, and joins what they ask for: one optional
    /// member per case.
    private func joinedCases<T: Decodable>(
        _ type: T.Type, findings: ProbeFindings, value: T
    ) throws -> (shape: ProbedShape, value: T) {
        for index in 1..<findings.caseCount { try findings.join(self.value(type, ofCase: index).findings) }
        return (try findings.shape(), value)
    }

    /// The first case of an enum whose payload has a zero value.
    private func firstPossibleCase<T: Decodable>(
        _ type: T.Type, first: Result<T, any Error>, count: Int
    ) throws -> (shape: ProbedShape, value: T) {
        if let value = try? first.get() { return (Self.unknownShape, value) }
        for index in 1..<count {
            if let value = try? self.value(type, ofCase: index).value { return (Self.unknownShape, value) }
        }
        return (Self.unknownShape, try first.get())
    }

    /// Stands for the shape where it is not looked for.
    private static let unknownShape = ProbedShape(.structure([]))

    private static func firstRawValue<R: RawRepresentable>(_ type: R.Type) -> Any? { ZeroValue.plain(type)?.rawValue }
}
