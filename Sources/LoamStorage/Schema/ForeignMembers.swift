/// The members of a JSON object that this version of Loam does not know: kept as they are, and written again.
struct ForeignMembers: Hashable, Sendable {
    private var members: [String: JSON] = [:]

    init() {}

    var isEmpty: Bool { members.isEmpty }

    /// - Parameters:
    ///   - known: the members that are read by name.
    ///   - unreadable: of those, the ones whose values this version does not know.
    init<Key: CodingKey & CaseIterable & RawRepresentable<String>>(
        _ decoder: any Decoder, known: Key.Type, unreadable: [Key] = []
    ) throws {
        let known = Set(Key.allCases.map(\.rawValue)).subtracting(unreadable.map(\.rawValue))
        let values = try decoder.container(keyedBy: Name.self)
        for key in values.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try values.decode(JSON.self, forKey: key)
        }
    }

    /// Adds the members to an object, in place of those of the same names.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        for (name, member) in members { try values.encode(member, forKey: Name(name)) }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Any JSON.
    private enum JSON: Hashable, Sendable, Codable {
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
