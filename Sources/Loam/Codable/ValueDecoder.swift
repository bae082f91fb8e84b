import LoamStorage

/// Makes a `Decodable` of a ``Value``: the inverse of ``ValueEncoder``.
///
/// Strict: a value of another kind throws, and so does a number out of the type's range; an integer may be stored
/// signed or unsigned. A member that is absent is nil, and a `keyNotFound` where it may not be. Members that the type
/// does not ask for are passed over, as stored by a later version of it.
///
/// Throws `DecodingError` with the path, and whatever the type's `init(from:)` throws.
enum ValueDecoder {
    static func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
        try DecodedValue(value: value, path: .root, calls: 0).decode(type)
    }
}

/// One stored value: the decoder that the type's `init(from:)` sees.
struct DecodedValue: Decoder {
    let value: Value
    let path: CodingPath
    let calls: Int

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func member(_ value: Value, key: any CodingKey) -> DecodedValue {
        DecodedValue(value: value, path: .member(key, of: path), calls: calls + 1)
    }

    func element(_ value: Value, at index: Int) -> DecodedValue {
        DecodedValue(value: value, path: .element(index, of: path), calls: calls + 1)
    }

    // MARK: Containers

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .structure(let members) = value else { throw mismatch([String: Any].self, expected: "a structure") }
        return KeyedDecodingContainer(DecodedMembers<Key>(source: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self, expected: "an array") }
        return DecodedElements(source: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { DecodedSingle(source: self) }

    // MARK: Values

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let scalar = type as? any CodableScalar.Type { return try decode(scalar: scalar, as: type) }
        guard calls <= CodingLimit.calls else { throw corrupted("values are nested too deeply") }
        if let dictionary = type as? any DecodableDictionary.Type {
            return try decode(dictionary: dictionary, as: type)
        }
        return try T(from: self)
    }

    func decode<S: CodableScalar>(_ type: S.Type) throws -> S {
        if let result = S(exactly: value) { return result }
        switch value {
        case .int, .uint:
            guard type.valueType.isInteger else { break }
            throw corrupted("the stored number is out of the range of \(type)")
        default: break
        }
        throw mismatch(type, expected: "\(type)")
    }

    private func decode<S: CodableScalar, T>(scalar: S.Type, as type: T.Type) throws -> T {
        let result = try decode(scalar)
        guard let result = result as? T else { throw mismatch(type, expected: "\(type)") }
        return result
    }

    private func decode<D: DecodableDictionary, T>(dictionary: D.Type, as type: T.Type) throws -> T {
        guard case .dictionary(let pairs) = value, let result = try dictionary.decode(pairs, decoder: self) as? T else {
            throw mismatch(type, expected: "a dictionary")
        }
        return result
    }

    // MARK: Errors

    func mismatch(_ type: any Any.Type, expected: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path.keys, debugDescription: "the stored value is \(value.kind), not \(expected)")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path.keys, debugDescription: reason))
    }
}

extension Value {
    /// The kind of the value in words, for errors; never its content.
    fileprivate var kind: String {
        switch self {
        case .null: "nil"
        case .bool: "a bool"
        case .int, .uint: "an integer"
        case .float: "a float"
        case .double: "a double"
        case .decimal: "a decimal"
        case .string: "a string"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .structure: "a structure"
        }
    }
}
