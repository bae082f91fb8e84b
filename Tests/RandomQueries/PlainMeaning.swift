import Foundation
import LoamQuery
import LoamStorage

/// What predicates mean, in plain Swift and from the tree as it was written: a second opinion on the full scan, whose
/// evaluator shares its arithmetic and its comparisons with the plans.
///
/// It knows attributes, integers and floating point with all that leaves their types, whole strings, and logic. Other
/// predicates have no meaning here: folded forms, text operators, decimals that are computed with or that meet floating
/// point, and relationships.
struct PlainMeaning {
    let entity: Entity

    /// A predicate that has no meaning here.
    struct Unknown: Error {}

    /// Whether the predicate holds; nil where it has no meaning here, whatever the row.
    func holds(_ predicate: QueryPredicate, _ row: PlainRow) -> Bool? { try? test(predicate, row) }

    private func test(_ predicate: QueryPredicate, _ row: PlainRow) throws -> Bool {
        switch predicate {
        case .constant(let value): return value
        // Every part is looked at, so that what has a meaning does not follow from the row.
        case .and(let parts): return try parts.map { try test($0, row) }.allSatisfy { $0 }
        case .or(let parts): return try parts.map { try test($0, row) }.contains(true)
        case .not(let part): return try !test(part, row)
        case .comparison(let left, let comparison, let right, .none):
            return try Self.compare(value(left, row), comparison, value(right, row))
        case .between(let value, let lower, let upper, .none):
            let value = try self.value(value, row)
            let isAbove = try Self.compare(value, .greaterOrEqual, self.value(lower, row))
            return try Self.compare(value, .lessOrEqual, self.value(upper, row)) && isAbove
        case .isIn(let value, .list(let elements), .none):
            let value = try self.value(value, row)
            return try elements.map { try Self.compare(value, .equal, self.value($0, row)) }.contains(true)
        case .comparison, .between, .isIn, .text, .quantified: throw Unknown()
        }
    }

    // MARK: Comparisons

    private static func compare(_ left: Value, _ comparison: ComparisonOperator, _ right: Value) throws -> Bool {
        if left.isNull || right.isNull {
            switch comparison {
            case .equal: return left.isNull && right.isNull
            case .notEqual: return left.isNull != right.isNull
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
            }
        }
        // Without an order: NaN on either side.
        guard let order = try order(left, right) else { return comparison == .notEqual }
        switch comparison {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        }
    }

    private static func order(_ left: Value, _ right: Value) throws -> Int? {
        func order<V: Comparable>(_ left: V, _ right: V) -> Int { left == right ? 0 : left < right ? -1 : 1 }
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return left == right ? 0 : left ? 1 : -1
        case (.string(let left), .string(let right)): return order(left, right)
        case (.date(let left), .date(let right)):
            return try self.order(
                .double(left.timeIntervalSinceReferenceDate), .double(right.timeIntervalSinceReferenceDate))
        case (.uuid(let left), .uuid(let right)): return order(left.uuidString, right.uuidString)
        case (.url(let left), .url(let right)):
            return bytes(Array(left.absoluteString.utf8), Array(right.absoluteString.utf8))
        case (.data(let left), .data(let right)): return bytes(Array(left), Array(right))
        case (.decimal(let left), .decimal(let right)): return left.isNaN || right.isNaN ? nil : order(left, right)
        case (.decimal(let left), _):
            guard let right = right.whole else { throw Unknown() }
            return left.isNaN ? nil : order(left, Decimal(string: "\(right)") ?? 0)
        case (_, .decimal): return try self.order(right, left).map { -$0 }
        default: return try number(left, right)
        }
    }

    private static func bytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private static func number(_ left: Value, _ right: Value) throws -> Int? {
        switch (left.whole, left.floating, right.whole, right.floating) {
        case (let left?, _, let right?, _): return left == right ? 0 : left < right ? -1 : 1
        case (_, let left?, _, let right?): return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
        case (let left?, _, _, let right?): return compare(left, right)
        case (_, let left?, let right?, _): return compare(right, left).map { -$0 }
        default: throw Unknown()
        }
    }

    /// Compares without rounding: the whole parts, then the fraction.
    private static func compare(_ whole: Int128, _ floating: Double) -> Int? {
        if floating.isNaN { return nil }
        if abs(floating) > 0x1p100 { return floating > 0 ? -1 : 1 }
        let floor = Int128(floating.rounded(.down))
        if whole != floor { return whole < floor ? -1 : 1 }
        return floating > floating.rounded(.down) ? -1 : 0
    }

    // MARK: Values

    private func value(_ expression: QueryExpression, _ row: PlainRow) throws -> Value {
        switch expression {
        case .constant(let value): return value
        case .identifier: return .uint(row.rowID)
        case .keyPath(let names):
            guard let path = try? PropertyPath(names, in: entity), path.type.isOrdered else { throw Unknown() }
            return path.value(in: row.values)
        case .call(.lowercase, let arguments): return try text(arguments, row) { $0.lowercased() }
        case .call(.uppercase, let arguments): return try text(arguments, row) { $0.uppercased() }
        case .call(.length, let arguments):
            guard case .string(let text) = try value(arguments[0], row) else { return .null }
            return .int(Int64(text.count))
        case .call(let function, let arguments) where function.isPartOfDate:
            return try partOfDate(function, arguments, row)
        case .call(let function, let arguments): return try computed(function, arguments, row).value
        case .number(let literal):
            guard let number = Int64(literal.text) else { throw Unknown() }
            return .int(number)
        case .count, .outer, .list, .aggregate, .conditional, .variable: throw Unknown()
        }
    }

    private func text(_ arguments: [QueryExpression], _ row: PlainRow, _ change: (String) -> String) throws -> Value {
        switch try value(arguments[0], row) {
        case .null: return .null
        case .string(let text): return .string(change(text))
        default: throw Unknown()
        }
    }

    /// As Foundation's calendar has it.
    private func partOfDate(_ function: Function, _ arguments: [QueryExpression], _ row: PlainRow) throws -> Value {
        guard case .constant(.string(let name)) = arguments[1], let zone = TimeZone(identifier: name) else {
            throw Unknown()
        }
        guard case .date(let date) = try value(arguments[0], row), date.timeIntervalSinceReferenceDate.isFinite else {
            return .null
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        switch function {
        case .year: return .int(Int64(calendar.component(.year, from: date)))
        case .month: return .int(Int64(calendar.component(.month, from: date)))
        case .day: return .int(Int64(calendar.component(.day, from: date)))
        case .startOfDay: return .date(calendar.startOfDay(for: date))
        default: return calendar.dateInterval(of: .month, for: date).map { .date($0.start) } ?? .null
        }
    }

    /// What arithmetic gives, and in which numbers. Both at once: each of them needs the other of every operand.
    private func computed(
        _ function: Function, _ arguments: [QueryExpression], _ row: PlainRow
    ) throws -> (value: Value, kind: Kind) {
        guard function.isPlainArithmetic else { throw Unknown() }
        let isFixed = arguments.allSatisfy(\.isFixed)
        // Beside constants alone a written number takes its type from further away.
        if isFixed, arguments.contains(where: \.isNumber) { throw Unknown() }
        let operands: [(value: Value, kind: Kind)] = try arguments.map { argument in
            if case .call(let function, let inner) = argument, function.isPlainArithmetic {
                return try computed(function, inner, row)
            }
            return (try value(argument, row), try kind(argument))
        }
        let common = operands.reduce(Kind.signed) { $0.meeting($1.kind) }
        let result = try Self.result(function, operands.map(\.value), common)
        // What is made of constants alone is a constant, of the kind that its value has.
        if isFixed, !result.isNull { return (result, try kind(.constant(result))) }
        return (result, function == .negate && common == .unsigned ? .signed : common)
    }

    private static func result(_ function: Function, _ values: [Value], _ kind: Kind) throws -> Value {
        if values.contains(where: \.isNull) { return .null }
        let operands = function == .negate ? [.int(0)] + values : values
        if kind == .floating, function == .negate { return .double(-values[0].approximate) }
        if kind == .floating {
            return .double(try floating(function, operands[0].approximate, operands[1].approximate))
        }
        guard let left = operands[0].whole, let right = operands[1].whole else { throw Unknown() }
        guard let result = try whole(function, left, right) else { return .null }
        // What is left is asked of a quotient that fits.
        if function == .remainder, kind == .signed, Int64(exactly: left / right) == nil { return .null }
        if let number = Int64(exactly: result) { return .int(number) }
        // What is left of a number is no larger than that.
        guard kind == .unsigned || function == .remainder, let number = UInt64(exactly: result) else { return .null }
        return .uint(number)
    }

    private static func floating(_ function: Function, _ left: Double, _ right: Double) throws -> Double {
        switch function {
        case .add: return left + right
        case .subtract: return left - right
        case .multiply: return left * right
        case .divide: return left / right
        default: throw Unknown()
        }
    }

    /// Nil for what leaves 128 bits and for a division by zero.
    private static func whole(_ function: Function, _ left: Int128, _ right: Int128) throws -> Int128? {
        let (result, overflow): (Int128, Bool)
        switch function {
        case .add: (result, overflow) = left.addingReportingOverflow(right)
        case .subtract, .negate: (result, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide: (result, overflow) = left.dividedReportingOverflow(by: right)
        case .remainder: (result, overflow) = left.remainderReportingOverflow(dividingBy: right)
        default: throw Unknown()
        }
        return overflow ? nil : result
    }

    // MARK: Kinds of numbers

    /// In which numbers something is computed.
    private enum Kind {
        case signed, unsigned, floating

        func meeting(_ other: Kind) -> Kind {
            self == .floating || other == .floating
                ? .floating : self == .unsigned || other == .unsigned ? .unsigned : .signed
        }

        init(_ type: ValueType) throws {
            if type.isFloatingPoint {
                self = .floating
            } else if type.isUnsignedInteger {
                self = .unsigned
            } else if type.isSignedInteger {
                self = .signed
            } else {
                throw Unknown()
            }
        }
    }

    private func kind(_ expression: QueryExpression) throws -> Kind {
        switch expression {
        case .constant(.null), .number: return .signed
        case .constant(let value):
            guard let type = value.scalarType else { throw Unknown() }
            return try Kind(type)
        case .identifier: return .unsigned
        case .keyPath(let names): return try Kind(PropertyPath(names, in: entity).type)
        case .call(.length, _), .call(.year, _), .call(.month, _), .call(.day, _): return .signed
        case .call(let function, let arguments):
            guard function.isPlainArithmetic else { throw Unknown() }
            if arguments.allSatisfy(\.isFixed) {
                return try computed(function, arguments, PlainRow(rowID: 0, values: [])).kind
            }
            let kind = try arguments.map(self.kind).reduce(Kind.signed) { $0.meeting($1) }
            return function == .negate && kind == .unsigned ? .signed : kind
        case .count, .outer, .list, .aggregate, .conditional, .variable: throw Unknown()
        }
    }
}

extension Function {
    fileprivate var isPartOfDate: Bool {
        switch self {
        case .year, .month, .day, .startOfMonth, .startOfDay: true
        default: false
        }
    }

    /// Whether it is one of those whose meaning is written here once more.
    fileprivate var isPlainArithmetic: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder, .negate: true
        default: false
        }
    }
}

extension QueryExpression {
    /// Whether a written number stands in it.
    fileprivate var isNumber: Bool {
        switch self {
        case .number: true
        case .call(_, let arguments): arguments.contains(where: \.isNumber)
        case .constant, .keyPath, .identifier, .count, .outer, .list, .aggregate, .conditional, .variable: false
        }
    }

    /// Whether it is made of constants alone.
    fileprivate var isFixed: Bool {
        switch self {
        case .constant, .number: true
        case .call(_, let arguments): arguments.allSatisfy(\.isFixed)
        case .keyPath, .identifier, .count, .outer, .list, .aggregate, .conditional, .variable: false
        }
    }
}

extension Value {
    fileprivate var whole: Int128? {
        switch self {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: nil
        }
    }

    fileprivate var floating: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The nearest number with floating point.
    fileprivate var approximate: Double {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        default: floating ?? .nan
        }
    }
}
