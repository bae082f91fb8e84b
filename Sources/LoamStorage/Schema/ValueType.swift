/// The type of a property, of an element or of a member of a structure.
///
/// A raw-value enum is stored as its raw type; a `Codable` struct, and an enum with payloads, as `structure`.
package indirect enum ValueType: Hashable, Sendable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double
    case decimal
    case string
    case date
    case uuid
    case url
    case data
    case array(of: ValueType, optional: Bool)
    case dictionary(key: ValueType, value: ValueType, optional: Bool)
    case structure([Member])

    /// A member of a structure, in declaration order.
    package struct Member: Hashable, Sendable, Codable {
        package var name: String
        package var type: ValueType
        package var isOptional: Bool

        package init(name: String, type: ValueType, isOptional: Bool = false) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
        }
    }
}

extension ValueType {
    /// Bytes of a fixed-width value in a record; nil for types of variable width.
    package var fixedWidth: Int? {
        switch self {
        case .bool, .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double, .date: 8
        case .uuid: 16
        case .decimal, .string, .url, .data, .array, .dictionary, .structure: nil
        }
    }

    /// Whether its values have neither elements nor members.
    package var isScalar: Bool {
        switch self {
        case .array, .dictionary, .structure: false
        default: true
        }
    }

    package var isInteger: Bool { isSignedInteger || isUnsignedInteger }

    package var isSignedInteger: Bool {
        switch self {
        case .int8, .int16, .int32, .int64: true
        default: false
        }
    }

    package var isUnsignedInteger: Bool {
        switch self {
        case .uint8, .uint16, .uint32, .uint64: true
        default: false
        }
    }

    package var isFloatingPoint: Bool { self == .float || self == .double }

    package var isNumeric: Bool { isInteger || isFloatingPoint || self == .decimal }

    /// Whether values of this type have an ordered key, so that they can be sorted by and indexed.
    package var isOrdered: Bool {
        switch self {
        case .array, .dictionary, .structure: false
        default: true
        }
    }
}

extension ValueType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .array(let element, let optional): "[\(element)\(optional ? "?" : "")]"
        case .dictionary(let key, let value, let optional): "[\(key): \(value)\(optional ? "?" : "")]"
        case .structure(let members):
            "{" + members.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" }.joined(separator: ", ") + "}"
        default: Self.simple.first { $0.value == self }?.key ?? "unknown"
        }
    }

    /// The types that a word names, as the catalog, the tool and messages write them.
    package static let simple: [String: ValueType] = [
        "bool": .bool, "int8": .int8, "int16": .int16, "int32": .int32, "int64": .int64, "uint8": .uint8,
        "uint16": .uint16, "uint32": .uint32, "uint64": .uint64, "float": .float, "double": .double,
        "decimal": .decimal, "string": .string, "date": .date, "uuid": .uuid, "url": .url, "data": .data,
    ]
}

extension ValueType: Codable {
    private enum Key: String, CodingKey {
        case array, dictionary, structure, key, optional
    }

    /// Reads a type: a word, or an object for an array, a dictionary or a structure.
    ///
    /// - Throws: `DecodingError` for a word that names no type, and where neither a word nor the parts of an array, a
    ///   dictionary or a structure are there.
    package init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard let type = Self.simple[word] else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "'\(word)' names no value type"))
            }
            self = type
            return
        }
        let values = try decoder.container(keyedBy: Key.self)
        let optional = try values.decodeIfPresent(Bool.self, forKey: .optional) ?? false
        if let element = try values.decodeIfPresent(ValueType.self, forKey: .array) {
            self = .array(of: element, optional: optional)
        } else if let value = try values.decodeIfPresent(ValueType.self, forKey: .dictionary) {
            self = .dictionary(key: try values.decode(ValueType.self, forKey: .key), value: value, optional: optional)
        } else {
            self = .structure(try values.decode([Member].self, forKey: .structure))
        }
    }

    /// Writes the type as a word, or as an object for an array, a dictionary or a structure.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let element, let optional):
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(element, forKey: .array)
            if optional { try values.encode(true, forKey: .optional) }
        case .dictionary(let key, let value, let optional):
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(key, forKey: .key)
            try values.encode(value, forKey: .dictionary)
            if optional { try values.encode(true, forKey: .optional) }
        case .structure(let members):
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(members, forKey: .structure)
        default:
            var value = encoder.singleValueContainer()
            try value.encode(description)
        }
    }
}
