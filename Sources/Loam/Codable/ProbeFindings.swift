import LoamStorage

/// What one `init(from:)` asked its decoder for.
final class ProbeFindings {
    private enum Kind { case nothing, single, members, elements }

    private var kind = Kind.nothing
    private var single: ProbedShape?
    private(set) var elements: [ProbedShape] = []
    /// The members, in the order in which they were asked for.
    private var members: [(name: String, shape: () throws -> ProbedShape)] = []
    private var nilMembers: Set<String> = []
    /// Every name of the key types that were used; a name never asked for means that another value would be read
    /// differently.
    private var expectedNames: Set<String> = []
    private var failure: NotProbeable?

    let isEnum: Bool
    /// The raw value that an enum, or another `RawRepresentable`, is made of.
    var rawValue: Any?
    /// Which case an enum with payloads is told that it is.
    var chosenCase = 0
    /// The number of cases of an enum that looked which one is stored; else 0.
    private(set) var caseCount = 0

    init(isEnum: Bool = false) { self.isEnum = isEnum }

    func fail(_ reason: String) { failure = failure ?? NotProbeable(reason) }

    private func become(_ kind: Kind) {
        if self.kind == .nothing { self.kind = kind }
        if self.kind != kind { fail("it asks for several kinds of values") }
    }

    // MARK: Structures

    func becomeMembers<Key: CodingKey>(_ type: Key.Type) {
        become(.members)
        expectedNames.formUnion((EnumCases.all(type) ?? []).map(\.stringValue))
    }

    /// The keys that an enum with payloads finds: that of the chosen case.
    func allKeys<Key: CodingKey>(_ type: Key.Type) -> [Key] {
        guard isEnum, let keys = EnumCases.all(type), keys.indices.contains(chosenCase) else {
            fail("it reads members that it does not name")
            return []
        }
        caseCount = keys.count
        return [keys[chosenCase]]
    }

    func addMember(_ name: String, shape: ProbedShape) { members.append((name, { shape })) }

    func addMember(_ name: String, findings: ProbeFindings) { members.append((name, { try findings.shape() })) }

    /// Notes that a member may be nil.
    func askedForNil(_ name: String) { nilMembers.insert(name) }

    /// Adds the member of another case.
    func join(_ other: ProbeFindings) throws {
        if let failure = other.failure { throw failure }
        members += other.members
    }

    // MARK: Arrays and single values

    func becomeElements() { become(.elements) }

    func addElement(_ shape: ProbedShape) { elements.append(shape) }

    func setSingle(_ shape: ProbedShape) {
        become(.single)
        if let single, single != shape { fail("it asks for several kinds of values") }
        single = shape
    }

    func setSingleNil() {
        become(.single)
        nilMembers.insert("")
    }

    // MARK: Result

    func shape() throws -> ProbedShape {
        if let failure { throw failure }
        switch kind {
        case .nothing: return ProbedShape(.structure([]))
        case .single:
            guard var single else { throw NotProbeable("it reads nothing but whether it is nil") }
            if !nilMembers.isEmpty { single.isOptional = true }
            return single
        case .members: return ProbedShape(.structure(try structureMembers()))
        case .elements:
            guard let first = elements.first, elements.allSatisfy({ $0.type == first.type }) else {
                throw NotProbeable("its elements are of several types, or of none")
            }
            let isOptional = elements.contains { $0.isOptional }
            return ProbedShape(.array(of: first.type, optional: isOptional))
        }
    }

    private func structureMembers() throws -> [ValueType.Member] {
        var result: [ValueType.Member] = []
        for (name, shape) in members {
            let shape = try shape()
            let isOptional = shape.isOptional || nilMembers.contains(name) || caseCount > 0
            let member = ValueType.Member(name: name, type: shape.type, isOptional: isOptional)
            if let known = result.first(where: { $0.name == name }) {
                guard known == member else { throw NotProbeable("it reads a member as several types") }
            } else {
                result.append(member)
            }
        }
        guard expectedNames.isSubset(of: result.map(\.name)) else {
            throw NotProbeable("it does not read all of its members")
        }
        return result
    }
}
