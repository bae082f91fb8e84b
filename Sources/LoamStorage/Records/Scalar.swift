import Foundation

/// A value that is not composite, checked against its type: what both encoders write.
enum Scalar {
    case bool(Bool)
    /// A number in the range of a signed type.
    case int(Int64)
    /// A number in the range of an unsigned type.
    case uint(UInt64)
    case float(Float)
    /// A Double, or a date as its seconds.
    case double(Double)
    case uuid(UUID)
    case decimal(DecimalParts)
    case string(String)
    /// The absolute string of a URL.
    case url(String)
    case data(Data)

    /// Checks a value that is not null. Integers may come signed or unsigned, whatever the type's signedness, as long
    /// as the number is in its range; everything else must be of the type itself. Throws `typeMismatch`.
    init(_ value: Value, as kind: FieldKind) throws {
        switch (kind, value) {
        case (.bool, .bool(let value)): self = .bool(value)
        case (.float, .float(let value)): self = .float(value)
        case (.double, .double(let value)): self = .double(value)
        case (.date, .date(let value)): self = .double(value.seconds)
        case (.uuid, .uuid(let value)): self = .uuid(value)
        case (.string, .string(let value)): self = .string(value)
        case (.data, .data(let value)): self = .data(value)
        case (.decimal, .decimal(let value)):
            guard let parts = DecimalParts(value) else {
                throw Self.mismatch(kind, found: "a decimal without exact parts")
            }
            self = .decimal(parts)
        case (.url, .url(let value)):
            let text = value.absoluteString
            guard URL(string: text) != nil else { throw Self.mismatch(kind, found: "a URL that cannot be read back") }
            self = .url(text)
        default:
            if let number = Int64(value, in: kind) {
                self = .int(number)
            } else if let number = UInt64(value, in: kind) {
                self = .uint(number)
            } else {
                let isOutOfRange = kind.isInteger && value.isInteger
                throw Self.mismatch(kind, found: isOutOfRange ? "an integer out of its range" : value.kindName)
            }
        }
    }

    private static func mismatch(_ kind: FieldKind, found: String) -> StorageError {
        StorageError(.typeMismatch(expected: "\(kind)", found: found))
    }
}

extension Int64 {
    /// The number of an integer value; nil when it is none, or not in the range of the signed type.
    fileprivate init?(_ value: Value, in kind: FieldKind) {
        switch value {
        case .int(let number): self = number
        case .uint(let number):
            guard let number = Int64(exactly: number) else { return nil }
            self = number
        default: return nil
        }
        guard kind.holds(self) else { return nil }
    }
}

extension UInt64 {
    /// The number of an integer value; nil when it is none, or not in the range of the unsigned type.
    fileprivate init?(_ value: Value, in kind: FieldKind) {
        switch value {
        case .uint(let number): self = number
        case .int(let number):
            guard let number = UInt64(exactly: number) else { return nil }
            self = number
        default: return nil
        }
        guard kind.holds(self) else { return nil }
    }
}

extension FieldKind {
    /// Whether a signed integer field has room for the number; false for other fields.
    @inline(__always)
    func holds(_ number: Int64) -> Bool {
        switch self {
        case .int8: Int8(exactly: number) != nil
        case .int16: Int16(exactly: number) != nil
        case .int32: Int32(exactly: number) != nil
        case .int64: true
        default: false
        }
    }

    /// Whether an unsigned integer field has room for the number; false for other fields.
    @inline(__always)
    func holds(_ number: UInt64) -> Bool {
        switch self {
        case .uint8: UInt8(exactly: number) != nil
        case .uint16: UInt16(exactly: number) != nil
        case .uint32: UInt32(exactly: number) != nil
        case .uint64: true
        default: false
        }
    }
}

extension Value {
    fileprivate var isInteger: Bool {
        switch self {
        case .int, .uint: true
        default: false
        }
    }

    /// The kind of the value in words, for errors; never its content.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal"
        case .string: "string"
        case .date: "date"
        case .uuid: "uuid"
        case .url: "url"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        case .structure: "structure"
        }
    }
}
