import Foundation

/// The functions of values that a predicate can call, and that an index, a section or an order can be made of. There
/// are no others.
///
/// All that is known of a function stands in this file: how it is written and what it takes and gives in its ``entry``,
/// what it means in its ``evaluation``, what else its results depend on in its ``version``. Whatever reads, checks,
/// prints or evaluates a call asks for these, so a new function is a case and its lines here.
///
/// Where an argument is nil, so is the result. Where there is no result it is nil too: a row never raises an error.
///
/// A raw value stands in catalogs and in dumps, and is never changed.
package enum Function: String, Hashable, Sendable, Codable, CaseIterable {
    case add, subtract, multiply, divide
    /// What is left of an integer that was divided, with its sign. Nil where the quotient is: where the divisor is zero,
    /// and of the least number by -1, where Swift stops the program though nothing would be left.
    case remainder
    case negate
    case lowercase, uppercase
    /// Always a double.
    case power
    /// The bits of integers, in 64 of them. A shift that loses one gives nil; by a negative number it goes the other way.
    case bitwiseAnd, bitwiseOr, bitwiseXor, leftShift, rightShift, onesComplement
    case absolute, squareRoot, logarithm, naturalLogarithm, exponential, floor, ceiling, truncate
    /// To the nearest whole number, from the middle away from zero.
    case round
    /// The number of a text's characters, as Swift counts them, of the bytes of data, and of a dictionary's keys.
    case length
    /// The first and the last element of an array, and the one at an index, a dictionary's key or the name of a
    /// structure's member; nil where there is none.
    case first, last, element
    /// Numbers of a date in a time zone: the month and the day from 1.
    case year, month, day
    /// The first moment of the month and of the day in which a date lies: sorted they are in the order of time, and what
    /// is equal is one month or one day of the calendar.
    case startOfMonth, startOfDay
    /// What it is given: no index answers a condition on it.
    case noIndex
    /// The time of the fetch. Whoever checks a predicate puts a constant in its place.
    case now
    /// Conversions; nil where the value does not fit. Fractions are cut off, and dates are seconds since 2001.
    case toInteger, toInt32, toInt16, toInt8, toUnsigned, toUInt32, toUInt16, toUInt8
    case toDouble, toFloat, toDecimal, toString, toBool, toDate, toUUID, toURL

    /// How a function is written, and what it takes and gives.
    package struct Entry: Sendable {
        /// The function's name in Core Data's `NSExpression`, with a colon for each argument: `modulus:by:`.
        package let name: String
        /// The function's name in Swift.
        package let swiftName: String
        package let notation: Notation
        package let parameters: [Parameter]
        package let result: Result
    }

    /// How a call is written in the format grammar, beside its name with the arguments in parentheses.
    package enum Notation: Hashable, Sendable {
        case call
        /// A sign between the two arguments; a higher precedence binds tighter.
        case infix(String, precedence: Int)
        /// A sign before the only argument.
        case prefix(String)
        /// `CAST(x, 'type')`, with a type's name.
        case cast(String)
        /// Square brackets behind the first argument, around the second or around a word.
        case brackets(String?)
    }

    /// What an argument has to be.
    package enum Parameter: Hashable, Sendable {
        /// A number of any type.
        case number
        /// A number without a fraction, with or without sign.
        case integer
        case type(ValueType)
        /// A value of one of these types; a number may be of any.
        case one([ValueType])
        /// A value of any type that has an order.
        case ordered
        /// An array, of values of any type.
        case array
        /// An array or a dictionary, of values of any type.
        case collection
        /// A text, data or a dictionary: what has a length.
        case measured
        /// What a collection is asked for: the index of an array, the key of a dictionary.
        case key
        /// The identifier of a time zone, as `Europe/Berlin`: a constant. Where it is not written it is ``Zone/utc``.
        case timeZone
    }

    package enum Result: Hashable, Sendable {
        /// A number as ``Arithmetic`` has it for the types of the arguments; nil where it does not fit.
        case arithmetic
        /// Always of this type, and never nil where no argument is.
        case type(ValueType)
        /// Of this type, or nil.
        case partial(ValueType)
        /// Of the argument's type, and never nil where that is not.
        case argument
        /// Of the type of the first argument's elements, or nil.
        case element
    }

    /// What a function makes of arguments that are of its types, none of them nil.
    enum Evaluation {
        case arithmetic(ArithmeticOperator)
        case negation
        case remainder
        /// A function of one argument.
        case value(@Sendable (Value) -> Value)
        /// A function of two arguments.
        case values(@Sendable (Value, Value) -> Value)
        /// A part of a date in the time zone that the second argument names.
        case calendar(CalendarPart)
        /// Nothing: it is a constant before any row is read.
        case constant
    }

    package var entry: Entry {
        switch self {
        case .add: .operation("add:to:", sign: "+", precedence: 5)
        case .subtract: .operation("from:subtract:", sign: "-", precedence: 5)
        case .multiply: .operation("multiply:by:", sign: "*", precedence: 6)
        case .divide: .operation("divide:by:", sign: "/", precedence: 6)
        case .remainder: Entry("modulus:by:", swift: "%", takes: [.integer, .integer], gives: .arithmetic)
        case .negate: Entry("negate:", swift: "-", takes: [.number], gives: .arithmetic, written: .prefix("-"))
        case .lowercase: Entry("lowercase:", swift: "lowercased", takes: [.type(.string)], gives: .type(.string))
        case .uppercase: Entry("uppercase:", swift: "uppercased", takes: [.type(.string)], gives: .type(.string))
        case .power:
            Entry(
                "raise:toPower:", swift: "pow", takes: [.number, .number], gives: .type(.double),
                written: .infix("**", precedence: Self.powerPrecedence))
        case .bitwiseAnd: .bits("bitwiseAnd:with:", sign: "&", precedence: 3)
        case .bitwiseOr: .bits("bitwiseOr:with:", sign: "|", precedence: 1)
        case .bitwiseXor: .bits("bitwiseXor:with:", sign: "^", precedence: 2)
        case .leftShift: .bits("leftshift:by:", sign: "<<", precedence: 4)
        case .rightShift: .bits("rightshift:by:", sign: ">>", precedence: 4)
        case .onesComplement:
            Entry("onesComplement:", swift: "~", takes: [.integer], gives: .arithmetic, written: .prefix("~"))
        case .absolute: Entry("abs:", swift: "abs", takes: [.number], gives: .arithmetic)
        case .squareRoot: Entry("sqrt:", swift: "sqrt", takes: [.number], gives: .type(.double))
        case .logarithm: Entry("log:", swift: "log10", takes: [.number], gives: .type(.double))
        case .naturalLogarithm: Entry("ln:", swift: "log", takes: [.number], gives: .type(.double))
        case .exponential: Entry("exp:", swift: "exp", takes: [.number], gives: .type(.double))
        case .floor: Entry("floor:", swift: "floor", takes: [.number], gives: .arithmetic)
        case .ceiling: Entry("ceiling:", swift: "ceil", takes: [.number], gives: .arithmetic)
        case .truncate: Entry("trunc:", swift: "trunc", takes: [.number], gives: .arithmetic)
        case .round: Entry("round:", swift: "rounded", takes: [.number], gives: .arithmetic)
        case .year: .calendar("year", gives: .int64)
        case .month: .calendar("month", gives: .int64)
        case .day: .calendar("day", gives: .int64)
        case .startOfMonth: .calendar("startOfMonth", gives: .date)
        case .startOfDay: .calendar("startOfDay", gives: .date)
        case .length: Entry("length:", swift: "count", takes: [.measured], gives: .type(.int64))
        case .first: Entry("first:", swift: "first", takes: [.array], gives: .element, written: .brackets("FIRST"))
        case .last: Entry("last:", swift: "last", takes: [.array], gives: .element, written: .brackets("LAST"))
        case .element:
            Entry(
                "objectFrom:withIndex:", swift: "subscript", takes: [.collection, .key], gives: .element,
                written: .brackets(nil))
        case .noIndex: Entry("noindex:", swift: "noindex", takes: [.ordered], gives: .argument)
        case .now: Entry("now", swift: "now", takes: [], gives: .type(.date))
        case .toInteger: .conversion("int64", swift: "Int", from: [.string, .bool, .date], to: .int64)
        case .toInt32: .conversion("int32", swift: "Int32", from: [.string, .bool, .date], to: .int32)
        case .toInt16: .conversion("int16", swift: "Int16", from: [.string, .bool, .date], to: .int16)
        case .toInt8: .conversion("int8", swift: "Int8", from: [.string, .bool, .date], to: .int8)
        case .toUnsigned: .conversion("uint64", swift: "UInt", from: [.string, .bool, .date], to: .uint64)
        case .toUInt32: .conversion("uint32", swift: "UInt32", from: [.string, .bool, .date], to: .uint32)
        case .toUInt16: .conversion("uint16", swift: "UInt16", from: [.string, .bool, .date], to: .uint16)
        case .toUInt8: .conversion("uint8", swift: "UInt8", from: [.string, .bool, .date], to: .uint8)
        case .toDouble: .conversion("double", swift: "Double", from: [.string, .bool, .date], to: .double)
        case .toFloat: .conversion("float", swift: "Float", from: [.string, .bool, .date], to: .float)
        case .toDecimal: .conversion("decimal", swift: "Decimal", from: [.string, .bool, .date], to: .decimal)
        case .toString: .conversion("string", swift: "String", from: [.string, .bool, .uuid, .url], to: .string)
        case .toBool: .conversion("bool", swift: "Bool", from: [.string, .bool], to: .bool)
        case .toDate: .conversion("date", swift: "Date", from: [.date], to: .date)
        case .toUUID: .conversion("uuid", swift: "UUID", from: [.string, .uuid], to: .uuid)
        case .toURL: .conversion("url", swift: "URL", from: [.string, .url], to: .url)
        }
    }

    /// How tightly the power binds: it is read from the right.
    package static let powerPrecedence = 7

    /// Asked for each row: it allocates nothing.
    var evaluation: Evaluation {
        switch self {
        case .add: .arithmetic(.add)
        case .subtract: .arithmetic(.subtract)
        case .multiply: .arithmetic(.multiply)
        case .divide: .arithmetic(.divide)
        case .remainder: .remainder
        case .negate: .negation
        case .lowercase: .value { $0.mapText { $0.lowercased() } }
        case .uppercase: .value { $0.mapText { $0.uppercased() } }
        case .power: .values { .power(of: $0, $1) }
        case .bitwiseAnd: .values { .bits(of: $0, $1, &) }
        case .bitwiseOr: .values { .bits(of: $0, $1, |) }
        case .bitwiseXor: .values { .bits(of: $0, $1, ^) }
        case .leftShift: .values { .shift($0, by: $1, isLeft: true) }
        case .rightShift: .values { .shift($0, by: $1, isLeft: false) }
        case .onesComplement: .value(\.complement)
        case .absolute: .value(\.absolute)
        case .squareRoot: .value { $0.mapDouble { $0.squareRoot() } }
        case .logarithm: .value { $0.mapDouble(log10) }
        case .naturalLogarithm: .value { $0.mapDouble(log) }
        case .exponential: .value { $0.mapDouble(exp) }
        case .floor: .value { $0.rounded(.down, .down) }
        case .ceiling: .value { $0.rounded(.up, .up) }
        case .truncate: .value { $0.rounded(.towardZero, nil) }
        case .round: .value { $0.rounded(.toNearestOrAwayFromZero, .nearest) }
        case .year: .calendar(.year)
        case .month: .calendar(.month)
        case .day: .calendar(.day)
        case .startOfMonth: .calendar(.startOfMonth)
        case .startOfDay: .calendar(.startOfDay)
        case .length: .value(\.length)
        case .first: .value { if case .array(let elements) = $0 { elements.first ?? .null } else { .null } }
        case .last: .value { if case .array(let elements) = $0 { elements.last ?? .null } else { .null } }
        case .element: .values { $0.element(at: $1) }
        case .noIndex: .value { $0 }
        case .now: .constant
        case .toInteger: .value(\.converted.integer)
        case .toInt32: .value { $0.converted.integer(Int32.self) }
        case .toInt16: .value { $0.converted.integer(Int16.self) }
        case .toInt8: .value { $0.converted.integer(Int8.self) }
        case .toUnsigned: .value(\.converted.unsigned)
        case .toUInt32: .value { $0.converted.integer(UInt32.self) }
        case .toUInt16: .value { $0.converted.integer(UInt16.self) }
        case .toUInt8: .value { $0.converted.integer(UInt8.self) }
        case .toDouble: .value(\.converted.double)
        case .toFloat: .value(\.converted.float)
        case .toDecimal: .value(\.converted.decimal)
        case .toString: .value(\.converted.string)
        case .toBool: .value(\.converted.bool)
        case .toDate: .value(\.converted.date)
        case .toUUID: .value(\.converted.uuid)
        case .toURL: .value(\.converted.url)
        }
    }

    /// What the results depend on beside the arguments, as the tables of Unicode in a Swift runtime; nil where there is
    /// nothing. What one version made and kept must not be read by another, and no constraint can be made of it. Those
    /// of dates depend on a time zone: ``Zone/version``.
    ///
    /// The first call for a function of letters takes milliseconds.
    package var version: String? {
        switch self {
        case .lowercase, .uppercase: CaseMapping.version
        case .length: CharacterTables.version
        default: nil
        }
    }
}

extension Function.Entry {
    /// The name before the arguments in parentheses: with one argument the colon is left out, and so is what stands
    /// before a time zone.
    package var calledName: String {
        parameters.count == 1 || takesTimeZone ? String(name.prefix { $0 != ":" }) : name
    }

    /// Whether the last argument is a time zone.
    package var takesTimeZone: Bool { parameters.last == .timeZone }

    /// Whether it makes one value of one other, as the component of an index does.
    package var takesOneValue: Bool { parameters.count == (takesTimeZone ? 2 : 1) }

    /// - Parameter name: with a colon for each parameter.
    fileprivate init(
        _ name: String, swift swiftName: String, takes parameters: [Function.Parameter], gives result: Function.Result,
        written notation: Function.Notation = .call
    ) {
        self.init(name: name, swiftName: swiftName, notation: notation, parameters: parameters, result: result)
    }

    fileprivate static func bits(_ name: String, sign: String, precedence: Int) -> Function.Entry {
        Function.Entry(
            name, swift: sign, takes: [.integer, .integer], gives: .arithmetic,
            written: .infix(sign, precedence: precedence))
    }

    /// Of numbers of any type, and of some other types; what has another name in Swift than the type.
    fileprivate static func conversion(
        _ type: String, swift swiftName: String, from others: [ValueType], to result: ValueType
    ) -> Function.Entry {
        let takesNumbers = result != .uuid && result != .url
        return Function.Entry(
            type + ":", swift: swiftName, takes: [.one(takesNumbers ? others + [.double] : others)],
            gives: .partial(result), written: .cast(type))
    }

    fileprivate static func calendar(_ name: String, gives type: ValueType) -> Function.Entry {
        Function.Entry(name + ":in:", swift: name, takes: [.type(.date), .timeZone], gives: .partial(type))
    }

    fileprivate static func operation(_ name: String, sign: String, precedence: Int) -> Function.Entry {
        Function.Entry(
            name, swift: sign, takes: [.number, .number], gives: .arithmetic,
            written: .infix(sign, precedence: precedence))
    }
}

// MARK: Looking functions up

extension Function {
    /// The function that the format grammar names so: `modulus:by:`, and by its first word alone: `modulus`, `lowercase`.
    package init?(named name: String) {
        guard let function = Self.names[name] else { return nil }
        self = function
    }

    private static let names: [String: Function] = {
        var names: [String: Function] = [:]
        for function in allCases {
            names[function.entry.name] = function
            names[function.entry.calledName] = function
            let first = function.entry.name.prefix { $0 != ":" }
            names[String(first)] = names[String(first)] ?? function
        }
        return names
    }()

    /// The type of the result for arguments of `types`; nil where they do not fit.
    package func type(of types: [ValueType]) -> ValueType? {
        let entry = entry
        guard entry.parameters.count == types.count, zip(entry.parameters, types).allSatisfy({ $0.takes($1) }) else {
            return nil
        }
        switch entry.result {
        case .arithmetic: return arithmeticType(Arithmetic(of: types))
        case .type(let type), .partial(let type): return type
        case .argument: return types.first
        case .element: return types.first?.member(at: types.count > 1 ? types[1] : .int64)
        }
    }

    /// The type of a result of arithmetic. An unsigned number with the other sign is a signed one, or nil.
    func arithmeticType(_ numbers: Arithmetic) -> ValueType {
        self == .negate && numbers == .integer ? .int64 : numbers.type
    }
}

extension Function.Parameter {
    package func takes(_ type: ValueType) -> Bool {
        switch self {
        case .number: type.isNumeric
        case .integer: type.isInteger
        case .type(let own): type == own
        case .one(let types): types.contains(type) || type.isNumeric && types.contains(.double)
        case .ordered: type.isOrdered
        case .array: if case .array = type { true } else { false }
        case .collection: type.member(at: .int64) != nil || type.member(at: .string) != nil
        case .measured: type == .string || type == .data || type.isDictionary
        case .key: type == .string || type.isInteger
        case .timeZone: type == .string
        }
    }
}

extension ValueType {
    fileprivate var isDictionary: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// The type of a structure's member; nil where it has none of this name, and for any other type.
    package func member(named name: String) -> ValueType? {
        guard case .structure(let members) = self else { return nil }
        return members.first { $0.name == name }?.type
    }

    /// The type of what a collection has at an index or a key of this type; nil where it has no such.
    fileprivate func member(at key: ValueType) -> ValueType? {
        switch self {
        case .array(let element, _): key.isInteger ? element : nil
        case .data: key.isInteger ? .uint8 : nil
        case .dictionary(let own, let value, _): own == key || own.isInteger && key.isInteger ? value : nil
        default: nil
        }
    }
}
