import Foundation
package import LoamStorage

/// How two values stand to each other in a predicate. Nil is no value here: whoever compares looks for it first.
package enum ValueOrder: Hashable {
    case less, equal, greater
    /// One of them is a NaN, or their types have no order between them.
    case unordered

    var reversed: ValueOrder {
        switch self {
        case .less: .greater
        case .greater: .less
        case .equal, .unordered: self
        }
    }

    /// Whether `left comparison right` holds for values in this order.
    func satisfies(_ comparison: ComparisonOperator) -> Bool {
        switch comparison {
        case .equal: self == .equal
        case .notEqual: self != .equal
        case .less: self == .less
        case .lessOrEqual: self == .less || self == .equal
        case .greater: self == .greater
        case .greaterOrEqual: self == .greater || self == .equal
        }
    }

    /// The order of two values that are not nil; numbers of any two types are compared exactly, strings in `form`.
    package static func of(_ left: Value, _ right: Value, form: StringForm) -> ValueOrder {
        switch (left, right) {
        case (.int(let left), .int(let right)): of(left, right)
        case (.double(let left), .double(let right)): of(left, right)
        case (.bool(let left), .bool(let right)): of(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)):
            of(StringForms.compare(left, right, form: form), 0)
        case (.date(let left), .date(let right)): of(left.seconds, right.seconds)
        case (.uuid(let left), .uuid(let right)): of(bytes: left.bytes, right.bytes)
        case (.url(let left), .url(let right)):
            of(bytes: Array(left.absoluteString.utf8), Array(right.absoluteString.utf8))
        case (.data(let left), .data(let right)): of(bytes: left, right)
        default: of(numbers: left, right)
        }
    }

    static func of(_ left: Double, _ right: Double) -> ValueOrder {
        left < right ? .less : (left == right ? .equal : (left > right ? .greater : .unordered))
    }

    static func of<Number: Comparable>(_ left: Number, _ right: Number) -> ValueOrder {
        left < right ? .less : (left == right ? .equal : .greater)
    }

    private static func of<Bytes: Sequence<UInt8>>(bytes left: Bytes, _ right: Bytes) -> ValueOrder {
        if left.lexicographicallyPrecedes(right) { return .less }
        return right.lexicographicallyPrecedes(left) ? .greater : .equal
    }

    private static func of(numbers left: Value, _ right: Value) -> ValueOrder {
        guard let left = ExactNumber(left), let right = ExactNumber(right) else {
            return left.isComposite && left.hasParts(of: right) ? .equal : .unordered
        }
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return of(left, right)
        case (.double(let left), .double(let right)): return of(left, right)
        case (.integer(let left), .double(let right)): return of(left, right)
        case (.double(let left), .integer(let right)): return of(right, left).reversed
        default: return of(digits: left, right)
        }
    }

    /// Exact: the double's whole part is compared as an integer, then its fraction decides.
    static func of(_ left: Int128, _ right: Double) -> ValueOrder {
        if right.isNaN { return .unordered }
        if right >= 0x1p65 { return .less }
        if right <= -0x1p65 { return .greater }
        let whole = right.rounded(.towardZero)
        let order = of(left, Int128(whole))
        return order == .equal ? of(whole, right) : order
    }

    private static func of(digits left: ExactNumber, _ right: ExactNumber) -> ValueOrder {
        if left.isNaN || right.isNaN { return .unordered }
        if left.isInfinite || right.isInfinite { return of(left.approximation, right.approximation) }
        guard let left = left.exact, let right = right.exact else { return .unordered }
        return of(left, right)
    }
}

extension Value {
    /// Whether it is an array, a dictionary or a structure.
    package var isComposite: Bool {
        switch self {
        case .array, .dictionary, .structure: true
        default: false
        }
    }

    /// Whether another composite value has the same parts, each equal as a predicate compares it: nil equals nil, a NaN
    /// nothing. Arrays have an order, members of structures that are nil may be left out. Linear.
    ///
    /// Values are compared and not their bytes: a text, a decimal and a zero have several, and a dictionary's pairs stand
    /// in any order.
    fileprivate func hasParts(of other: Value) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy(Value.isEqual)
        case (.dictionary(let left), .dictionary(let right)):
            left.count == right.count && Value.haveEqualPairs(left, right)
        case (.structure(let left), .structure(let right)):
            Set(left.keys).union(right.keys).allSatisfy { Value.isEqual(left[$0] ?? .null, right[$0] ?? .null) }
        default: false
        }
    }

    /// Keys are the same by their value where they are numbers, as elements are.
    private static func haveEqualPairs(_ left: [Value: Value], _ right: [Value: Value]) -> Bool {
        let others = Dictionary(right.map { ($0.key.asKey, $0.value) }) { first, _ in first }
        return left.allSatisfy { key, value in others[key.asKey].map { isEqual(value, $0) } ?? false }
    }

    private static func isEqual(_ left: Value, _ right: Value) -> Bool {
        left.isNull || right.isNull
            ? left.isNull && right.isNull : ValueOrder.of(left, right, form: .exact) == .equal
    }
}

/// A number of any type without loss.
private enum ExactNumber {
    case integer(Int128)
    case double(Double)
    case decimal(Decimal)

    init?(_ value: Value) {
        switch value {
        case .int(let value): self = .integer(Int128(value))
        case .uint(let value): self = .integer(Int128(value))
        case .float(let value): self = .double(Double(value))
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value)
        default: return nil
        }
    }

    var isNaN: Bool {
        switch self {
        case .integer: false
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        }
    }

    var isInfinite: Bool {
        if case .double(let value) = self { value.isInfinite } else { false }
    }

    /// The double; 0 for other numbers, which is enough where they are compared with an infinity.
    var approximation: Double {
        if case .double(let value) = self { value } else { 0 }
    }

    /// The number in decimal digits, without loss; nil for NaN and the infinities.
    var exact: ExactDecimal? {
        switch self {
        case .integer(let value): ExactDecimal(value)
        case .double(let value): ExactDecimal(value)
        case .decimal(let value): ExactDecimal(value)
        }
    }
}

extension UUID {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid, Array.init) }
}
