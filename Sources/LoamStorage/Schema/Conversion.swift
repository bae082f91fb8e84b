import Foundation

extension Value {
    /// The value as it is converted to other types.
    var converted: Conversion { Conversion(value: self) }
}

/// What a value becomes in another type, as Swift's initializers have it; nil where it does not fit. A date is its
/// seconds since 2001, a Bool 0 or 1.
struct Conversion {
    let value: Value

    /// A number or a date as a double, in the nearest one; NaN for any other value.
    var number: Double {
        switch value {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.isNaN ? .nan : (Double(value.description) ?? .nan)
        case .date(let value): value.seconds
        default: .nan
        }
    }

    var double: Value {
        switch value {
        case .string(let text): Double(text).map(Value.double) ?? .null
        case .bool(let value): .double(value ? 1 : 0)
        default: .double(number)
        }
    }

    var float: Value {
        switch value {
        case .string(let text): Float(text).map(Value.float) ?? .null
        case .bool(let value): .float(value ? 1 : 0)
        default: .float(Float(number))
        }
    }

    var integer: Value {
        if case .string(let text) = value { return Int64(text).map(Value.int) ?? .null }
        return whole.flatMap(Int64.init(exactly:)).map(Value.int) ?? .null
    }

    var unsigned: Value {
        if case .string(let text) = value { return UInt64(text).map(Value.uint) ?? .null }
        return whole.flatMap(UInt64.init(exactly:)).map(Value.uint) ?? .null
    }

    /// The whole number, where an integer of this width holds it.
    func integer<Width: FixedWidthInteger>(_ width: Width.Type) -> Value {
        switch Width.isSigned ? integer : unsigned {
        case .int(let value) where Width(exactly: value) != nil: .int(value)
        case .uint(let value) where Width(exactly: value) != nil: .uint(value)
        default: .null
        }
    }

    /// The number without its fraction.
    private var whole: Int128? {
        switch value {
        case .int, .uint: return value.integer
        case .bool(let value): return value ? 1 : 0
        case .decimal(let value):
            return value.isNaN ? nil : Int128(value.wholePart(nil).description)
        default:
            let number = number
            return number.magnitude < 0x1p65 ? Int128(number) : nil
        }
    }

    var decimal: Value {
        switch value {
        case .decimal: value
        case .int(let value): .decimal(Decimal(value))
        case .uint(let value): .decimal(Decimal(value))
        case .bool(let value): .decimal(value ? 1 : 0)
        case .string(let text): Self.decimal(text)
        case .float(let value): Self.decimal("\(value)")
        default: Self.decimal("\(number)")
        }
    }

    /// Decimals take the beginning of a text and leave the rest, and do not know what is too large.
    private static func decimal(_ text: String) -> Value {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
            number == 0 || (1e-100...1e100).contains(number.magnitude), let decimal = Decimal(string: text)
        else { return .null }
        return decimal.isNaN ? .null : .decimal(decimal)
    }

    var string: Value {
        switch value {
        case .string: value
        case .bool(let value): .string("\(value)")
        case .int(let value): .string("\(value)")
        case .uint(let value): .string("\(value)")
        case .float(let value): .string("\(value)")
        case .double(let value): .string("\(value)")
        case .decimal(let value): .string(value.description)
        case .uuid(let value): .string(value.uuidString)
        case .url(let value): .string(value.absoluteString)
        default: .null
        }
    }

    var bool: Value {
        switch value {
        case .bool: value
        case .string(let text): Bool(text).map(Value.bool) ?? .null
        default: number == 0 ? .bool(false) : number == 1 ? .bool(true) : .null
        }
    }

    var date: Value {
        if case .date = value { return value }
        return .date(Date(timeIntervalSinceReferenceDate: number))
    }

    var uuid: Value {
        if case .string(let text) = value { return UUID(uuidString: text).map(Value.uuid) ?? .null }
        return value
    }

    var url: Value {
        if case .string(let text) = value { return URL(string: text).map(Value.url) ?? .null }
        return value
    }
}
