/// The members of a JSON object that this version of Loam does not know: kept as they are, and written again.
struct ForeignMembers: Hashable, Sendable {
    fileprivate var members: [String: JSON] = [:]

    init() {}

    var isEmpty: Bool { members.isEmpty }

    /// Adds the members to an object, in place of those of the same names.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: MemberName.self)
        for (name, member) in members { try values.encode(member, forKey: MemberName(name)) }
    }

    /// Any JSON.
    fileprivate enum JSON: Hashable, Sendable, Codable {
        case null
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        case string(String)
        case array([JSON])
        case object([String: JSON])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let int = try? value.decode(Int64.self) {
                self = .int(int)
            } else if let uint = try? value.decode(UInt64.self) {
                self = .uint(uint)
            } else if let double = try? value.decode(Double.self) {
                self = .double(double)
            } else if let string = try? value.decode(String.self) {
                self = .string(string)
            } else if let array = try? value.decode([JSON].self) {
                self = .array(array)
            } else {
                self = .object(try value.decode([String: JSON].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .null: try value.encodeNil()
            case .bool(let bool): try value.encode(bool)
            case .int(let int): try value.encode(int)
            case .uint(let uint): try value.encode(uint)
            case .double(let double): try value.encode(double)
            case .string(let string): try value.encode(string)
            case .array(let array): try value.encode(array)
            case .object(let object): try value.encode(object)
            }
        }
    }
}

/// A JSON object whose members are read by name, and of which those that this version of Loam does not know are kept.
///
/// Every opening of a store reads its catalog by this. `JSONDecoder` makes a dictionary of all members for each
/// container that it is asked for, and a decoder of its own for each value whose type is known to it as `Decodable`
/// alone: so this asks for one container, and for the plain types by their names.
struct MembersReader<Key: CodingKey & RawRepresentable<String>> {
    private let values: KeyedDecodingContainer<ReaderKey<Key>>

    /// - Throws: `DecodingError` where there is no object.
    init(_ decoder: any Decoder, keyedBy key: Key.Type) throws {
        values = try decoder.container(keyedBy: ReaderKey<Key>.self)
    }

    /// - Throws: `DecodingError` where the member is missing or of another type.
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try values.decode(type, forKey: ReaderKey(key))
    }

    /// - Throws: `DecodingError` where the member is missing or of another type.
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try values.decode(type, forKey: ReaderKey(key))
    }

    /// - Throws: `DecodingError` where the member is missing or of another type.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try values.decode(type, forKey: ReaderKey(key))
    }

    /// - Throws: `DecodingError` where the member is missing or of another type.
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try values.decode(type, forKey: ReaderKey(key))
    }

    /// Reads the raw value: what the type's own `init(from:)` does is not asked.
    ///
    /// - Throws: `DecodingError` where the member is missing, no string, or none that stands for a value.
    func decode<Value: Decodable & RawRepresentable<String>>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard let value = Value(rawValue: try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: ReaderKey(key), in: values, debugDescription: "there is no such \(type)")
        }
        return value
    }

    /// - Throws: `DecodingError` where the member is there and of another type.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try values.decodeIfPresent(type, forKey: ReaderKey(key))
    }

    /// - Throws: `DecodingError` where the member is there and of another type.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try values.decodeIfPresent(type, forKey: ReaderKey(key))
    }

    /// - Throws: `DecodingError` where the member is there and of another type.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try values.decodeIfPresent(type, forKey: ReaderKey(key))
    }

    /// The members that are not read by name. It looks at each once.
    ///
    /// - Parameter unreadable: keys of members that are there, with values that this version does not know; they are
    ///   kept as well.
    /// - Throws: what reading JSON throws.
    func foreign(unreadable: [Key] = []) throws -> ForeignMembers {
        var foreign = ForeignMembers()
        for name in values.allKeys + unreadable.map({ ReaderKey($0) }) {
            foreign.members[name.stringValue] = try values.decode(ForeignMembers.JSON.self, forKey: name)
        }
        return foreign
    }
}

/// The key of a member. Made from a name it is none of those that are known, so that a container lists no others.
private struct ReaderKey<Key: CodingKey & RawRepresentable<String>>: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: Key) { stringValue = key.rawValue }

    init?(stringValue: String) {
        guard Key(rawValue: stringValue) == nil else { return nil }
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

/// The name of a member, which may be any.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
