import LoamStorage

/// The members of a stored structure.
struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: DecodedValue
    let members: [String: Value]

    var codingPath: [any CodingKey] { source.codingPath }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> DecodedValue {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "the stored structure has no such member"))
        }
        return source.member(value, key: key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { members[key.stringValue]?.isNull ?? true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // What is nil has no member.
        if type is any DecodableOptional.Type {
            return try source.member(members[key.stringValue] ?? .null, key: key).decode(type)
        }
        return try member(key).decode(type)
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member(PlainKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// The elements of a stored array, one after the other.
struct DecodedElements: UnkeyedDecodingContainer {
    let source: DecodedValue
    let elements: [Value]
    private(set) var currentIndex = 0

    init(source: DecodedValue, elements: [Value]) {
        self.source = source
        self.elements = elements
    }

    var codingPath: [any CodingKey] { source.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// Reads the next element; moves on only when that succeeds.
    private mutating func next<T>(_ read: (DecodedValue) throws -> T) throws -> T {
        guard !isAtEnd else { throw missing(T.self) }
        let result = try read(source.element(elements[currentIndex], at: currentIndex))
        currentIndex += 1
        return result
    }

    private func missing(_ type: Any.Type) -> DecodingError {
        .valueNotFound(
            type, .init(codingPath: codingPath, debugDescription: "the stored array has \(elements.count) elements"))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw missing(Any?.self) }
        guard elements[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.decode(type) } }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

/// A value that stands for the whole of a type.
struct DecodedSingle: SingleValueDecodingContainer {
    let source: DecodedValue

    var codingPath: [any CodingKey] { source.codingPath }

    func decodeNil() -> Bool { source.value.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try DecodedValue(value: source.value, path: source.path, calls: source.calls + 1).decode(type)
    }
}
