import LoamStorage

/// Makes a ``Value`` of anything `Encodable`.
///
/// - Structures, and enums with payloads, become `.structure`: one member per key; what is nil has no member.
/// - Arrays and sets become `.array`, dictionaries of any `Codable` key `.dictionary`.
/// - Bool, numbers, String, Date, UUID, URL, Data and Decimal are values of their own wherever they stand; their own
///   `Codable` is not asked.
/// - Values that encode themselves as a single value become that value. Nested optionals become one: `.some(nil)` is
///   read back as nil, as from every `Codable` format.
///
/// Throws `EncodingError.invalidValue` with the path where a value is nested too deeply, a dictionary has two keys that
/// are stored alike, or a type asks for two kinds of containers at once; and whatever the type's `encode(to:)` throws.
enum ValueEncoder {
    static func encode<T: Encodable>(_ value: T) throws -> Value {
        try EncodedValue(path: .root, calls: 0, containers: 0).encode(value)
    }
}

/// One value on its way to a ``Value``: the encoder that the type's `encode(to:)` sees.
final class EncodedValue: Encoder {
    private enum Content {
        case nothing
        case single(Value)
        case members
        case elements
        case contradictory
    }

    /// A member or an element: finished, or a container that may still grow.
    enum Child {
        case value(Value)
        case unfinished(EncodedValue)

        func finished() throws -> Value {
            switch self {
            case .value(let value): value
            case .unfinished(let value): try value.finished()
            }
        }
    }

    let path: CodingPath
    private let calls: Int
    private let containers: Int
    private var content = Content.nothing
    private var members: [String: Child] = [:]
    private(set) var elements: [Child] = []

    init(path: CodingPath, calls: Int, containers: Int) {
        self.path = path
        self.calls = calls
        self.containers = containers
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    // MARK: Containers

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        becomeMembers()
        return KeyedEncodingContainer(EncodedMembers<Key>(target: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        becomeElements()
        return EncodedElements(target: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { EncodedSingle(target: self) }

    func becomeMembers() {
        switch content {
        case .nothing, .members: content = .members
        default: content = .contradictory
        }
    }

    func becomeElements() {
        switch content {
        case .nothing, .elements: content = .elements
        default: content = .contradictory
        }
    }

    func set(_ value: Value) {
        if case .nothing = content { content = .single(value) } else { content = .contradictory }
    }

    func set(_ child: Child, named name: String) { members[name] = child }

    func append(_ child: Child) { elements.append(child) }

    // MARK: Values

    /// A node for what a member, an element or a superclass encodes.
    func child(_ path: CodingPath) -> EncodedValue {
        EncodedValue(path: path, calls: calls + 1, containers: containers + 1)
    }

    /// The value of a member or element of this one.
    func encode<T: Encodable>(_ value: T, at path: @autoclosure () -> CodingPath) throws -> Value {
        if let scalar = value as? any CodableScalar { return scalar.storedValue }
        return try child(path()).encode(value)
    }

    /// The value that the node's own type encodes in its place.
    func encodeInPlace<T: Encodable>(_ value: T) throws -> Value {
        try EncodedValue(path: path, calls: calls + 1, containers: containers).encode(value)
    }

    func encode<T: Encodable>(_ value: T) throws -> Value {
        if let scalar = value as? any CodableScalar { return scalar.storedValue }
        guard calls <= CodingLimit.calls, containers <= CodingLimit.containers else {
            throw tooDeep(value)
        }
        if let dictionary = value as? any EncodableDictionary { return try encode(pairsOf: dictionary) }
        try value.encode(to: self)
        return try finished()
    }

    private func encode(pairsOf dictionary: any EncodableDictionary) throws -> Value {
        guard containers < CodingLimit.containers else { throw tooDeep(dictionary) }
        var pairs: [Value: Value] = [:]
        try dictionary.encodePairs { key, value in
            let path = CodingPath.element(pairs.count, of: path)
            let storedKey = try encode(key, at: path)
            guard try pairs.updateValue(encode(value, at: path), forKey: storedKey) == nil else {
                throw invalid(dictionary, reason: "two keys of the dictionary are stored alike")
            }
        }
        return .dictionary(pairs)
    }

    /// The value, when nothing more is encoded into it.
    func finished() throws -> Value {
        switch content {
        case .nothing: return .structure([:])
        case .single(let value): return value
        case .members:
            guard containers < CodingLimit.containers else {
                throw tooDeep(self)
            }
            var values = [String: Value](minimumCapacity: members.count)
            for (name, child) in members {
                let value = try child.finished()
                if !value.isNull { values[name] = value }
            }
            return .structure(values)
        case .elements:
            guard containers < CodingLimit.containers else {
                throw tooDeep(self)
            }
            return .array(try elements.map { try $0.finished() })
        case .contradictory:
            throw invalid(self, reason: "a type encodes itself as several kinds of values at once")
        }
    }

    private func tooDeep(_ value: Any) -> EncodingError {
        invalid(value, reason: "values are nested more than \(CodingLimit.containers) deep")
    }

    func invalid(_ value: Any, reason: String) -> EncodingError {
        EncodingError.invalidValue(value, .init(codingPath: path.keys, debugDescription: reason))
    }
}
