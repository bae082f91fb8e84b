import LoamStorage

/// The decoder that a probed type sees.
struct ProbeDecoder: Decoder {
    let probe: TypeProbe
    let findings: ProbeFindings

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        findings.becomeMembers(type)
        return KeyedDecodingContainer(ProbeMembers<Key>(probe: probe, findings: findings))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        findings.becomeElements()
        return ProbeElements(probe: probe, findings: findings)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbeSingle(probe: probe, findings: findings)
    }
}

private struct ProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: TypeProbe
    let findings: ProbeFindings

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { findings.allKeys(Key.self) }

    func contains(_ key: Key) -> Bool {
        findings.askedForNil(key.stringValue)
        return probe.findsTypes
    }

    /// Whether a member is nil. When the probe looks for types, no member is nil, so that each is decoded.
    func decodeNil(forKey key: Key) -> Bool {
        findings.askedForNil(key.stringValue)
        return !probe.findsTypes
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let result = try probe.probe(type)
        findings.addMember(key.stringValue, shape: result.shape)
        return result.value
    }

    private func child(_ key: any CodingKey) -> ProbeDecoder {
        let child = ProbeFindings()
        findings.addMember(key.stringValue, findings: child)
        return ProbeDecoder(probe: probe, findings: child)
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { child(PlainKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { child(key) }
}

private struct ProbeElements: UnkeyedDecodingContainer {
    let probe: TypeProbe
    let findings: ProbeFindings

    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var currentIndex: Int { findings.elements.count }
    /// Whether the array ends here. When the probe looks for types, there is one element, which shows its type.
    var isAtEnd: Bool { !probe.findsTypes || currentIndex > 0 }

    mutating func decodeNil() throws -> Bool { throw NotProbeable("it looks whether elements are nil") }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let result = try probe.probe(type)
        findings.addElement(result.shape)
        return result.value
    }

    private func unknown() -> NotProbeable { NotProbeable("its elements have no type of their own") }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw unknown()
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unknown() }
    mutating func superDecoder() throws -> any Decoder { throw unknown() }
}

private struct ProbeSingle: SingleValueDecodingContainer {
    let probe: TypeProbe
    let findings: ProbeFindings

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        findings.setSingleNil()
        return !probe.findsTypes
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let result = try probe.probe(type)
        findings.setSingle(result.shape)
        return findings.rawValue as? T ?? result.value
    }
}
