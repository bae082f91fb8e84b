import Foundation

/// A plain value: what a node shows, what an attribute says, or what a face gives an action.
///
/// From outside come texts, flags, integers, numbers and lists of integers. Each reading accepts what means the same: an
/// integer is a number, a number without a fraction is an integer, and a date may be a number of seconds since 1970 or a
/// text in ISO 8601. What does not fit is nil.
public enum NodeValue: Hashable, Sendable {
    /// A text. It is data, whatever is in it: a face escapes it.
    case text(String)
    /// Yes or no.
    case flag(Bool)
    /// A whole number, a position or the id of a node.
    case integer(Int)
    /// A number; a length may be infinite.
    case number(Double)
    /// A point in time.
    case date(Date)
    /// Several whole numbers.
    case integers([Int])

    /// What views of other targets say in plain values; nil for what is none.
    init?(plain value: Any) {
        switch value {
        case let value as NodeValue: self = value
        case let flag as Bool: self = .flag(flag)
        case let text as String: self = .text(text)
        case let integer as Int: self = .integer(integer)
        case let number as Double: self = .number(number)
        case let date as Date: self = .date(date)
        default: return nil
        }
    }

    /// The same as a plain value.
    var plain: Any {
        switch self {
        case .text(let text): text
        case .flag(let flag): flag
        case .integer(let integer): integer
        case .number(let number): number
        case .date(let date): date
        case .integers(let integers): integers
        }
    }

    /// The text; nil for other values.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The flag; nil for other values.
    public var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    /// The integer, also of a number without a fraction; else nil.
    public var integer: Int? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The number, also of an integer; else nil.
    public var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The date: seconds since 1970 or a text in ISO 8601 are one, too; numbers that are not finite are none.
    public var date: Date? {
        switch self {
        case .date(let date): return date
        case .text(let text): return try? Date.ISO8601FormatStyle().parse(text)
        case .integer, .number:
            guard let number, number.isFinite else { return nil }
            return Date(timeIntervalSince1970: number)
        default: return nil
        }
    }

    /// The integers; a single one is a list of one.
    public var integers: [Int]? {
        if case .integers(let integers) = self { integers } else { integer.map { [$0] } }
    }
}

extension NodeValue: CustomStringConvertible {
    /// The value as in an outline: a text in quotes and with escapes, so that it is on one line and steers nothing.
    public var description: String {
        switch self {
        case .text(let text): text.debugDescription
        case .flag(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .date(let date): date.ISO8601Format()
        case .integers(let integers): "\(integers)"
        }
    }
}
