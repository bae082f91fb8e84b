package import Foundation

/// A value of a property, free of any Swift model type.
///
/// Integers of every width are held in 64 bits; the property's ``ValueType`` says which range is allowed. Two values
/// are equal when an index would place them together: strings by canonical equivalence (as Swift compares them),
/// `-0.0` and `0.0` alike, every NaN alike. Comparison *in predicates* follows IEEE 754 instead and is LoamQuery's.
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case float(Float)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case data(Data)
    case array([Value])
    case dictionary([Value: Value])
    /// A `Codable` struct, or an enum with payloads (one member per case): members by name, absent ones are nil.
    case structure([String: Value])
}

extension Value: Hashable {
    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.float(let left), .float(let right)): left == right || (left.isNaN && right.isNaN)
        case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.date(let left), .date(let right)): Value.double(left.seconds) == Value.double(right.seconds)
        case (.uuid(let left), .uuid(let right)): left == right
        case (.url(let left), .url(let right)): left.absoluteString == right.absoluteString
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.structure(let left), .structure(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.isNaN ? Float.nan.bitPattern : (value + 0).bitPattern)
        case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : (value + 0).bitPattern)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .date(let value): Value.double(value.seconds).hash(into: &hasher)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value.absoluteString)
        case .data(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .dictionary(let values): hasher.combine(values)
        case .structure(let members): hasher.combine(members)
        }
    }
}

extension Value {
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension Date {
    /// Seconds since 2001-01-01 00:00:00 UTC: the number that records and keys hold.
    package var seconds: Double { timeIntervalSinceReferenceDate }
}

extension Value {
    /// The widest type of a value's kind; nil for nil and for what has no scalar type.
    package var scalarType: ValueType? {
        switch self {
        case .bool: .bool
        case .int: .int64
        case .uint: .uint64
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .data: .data
        case .null, .array, .dictionary, .structure: nil
        }
    }
}
