import LoamStorage

extension Value {
    /// The value of a signed integer; nil for anything else.
    var signed: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The value of an unsigned integer; nil for anything else.
    var unsigned: UInt64? {
        if case .uint(let value) = self { value } else { nil }
    }

    /// A double, a float widened, or a date in seconds; nil for anything else.
    var floating: Double? {
        switch self {
        case .double(let value): value
        case .float(let value): Double(value)
        case .date(let value): value.seconds
        default: nil
        }
    }
}
