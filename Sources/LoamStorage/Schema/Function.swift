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
    /// What is left of an integer that was divided, with its sign.
    case remainder
    case negate
    case lowercase, uppercase

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
    }

    /// What an argument has to be.
    package enum Parameter: Hashable, Sendable {
        /// A number of any type.
        case number
        /// A number without a fraction, with or without sign.
        case integer
        case type(ValueType)
    }

    package enum Result: Hashable, Sendable {
        /// A number as ``Arithmetic`` has it for the types of the arguments; nil where it does not fit.
        case arithmetic
        /// Always of this type, and never nil where no argument is.
        case type(ValueType)
    }

    /// What a function makes of arguments that are of its types, none of them nil.
    enum Evaluation {
        case arithmetic(ArithmeticOperator)
        case negation
        /// A function of one argument.
        case value(@Sendable (Value) -> Value)
        /// A function of two arguments.
        case values(@Sendable (Value, Value) -> Value)
    }

    package var entry: Entry {
        switch self {
        case .add: .operation("add:to:", sign: "+", precedence: 1)
        case .subtract: .operation("from:subtract:", sign: "-", precedence: 1)
        case .multiply: .operation("multiply:by:", sign: "*", precedence: 2)
        case .divide: .operation("divide:by:", sign: "/", precedence: 2)
        case .remainder: Entry("modulus:by:", swift: "%", takes: [.integer, .integer], gives: .arithmetic)
        case .negate: Entry("negate:", swift: "-", takes: [.number], gives: .arithmetic, written: .prefix("-"))
        case .lowercase: Entry("lowercase:", swift: "lowercased", takes: [.type(.string)], gives: .type(.string))
        case .uppercase: Entry("uppercase:", swift: "uppercased", takes: [.type(.string)], gives: .type(.string))
        }
    }

    /// Asked for each row: it allocates nothing.
    var evaluation: Evaluation {
        switch self {
        case .add: .arithmetic(.add)
        case .subtract: .arithmetic(.subtract)
        case .multiply: .arithmetic(.multiply)
        case .divide: .arithmetic(.divide)
        case .remainder: .values { Value.remainder(of: $0, by: $1) }
        case .negate: .negation
        case .lowercase: .value { $0.mapText { $0.lowercased() } }
        case .uppercase: .value { $0.mapText { $0.uppercased() } }
        }
    }

    /// What the results depend on beside the arguments, as the tables of Unicode in a Swift runtime; nil where there is
    /// nothing. What one version made and kept must not be read by another, and no constraint can be made of it.
    ///
    /// The first call for a function of letters takes milliseconds.
    package var version: String? {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder, .negate: nil
        case .lowercase, .uppercase: CaseMapping.version
        }
    }
}

extension Function.Entry {
    /// The name before the arguments in parentheses: with one argument the colon is left out.
    package var calledName: String { parameters.count == 1 ? String(name.dropLast()) : name }

    /// - Parameter name: with a colon for each parameter.
    fileprivate init(
        _ name: String, swift swiftName: String, takes parameters: [Function.Parameter], gives result: Function.Result,
        written notation: Function.Notation = .call
    ) {
        self.init(name: name, swiftName: swiftName, notation: notation, parameters: parameters, result: result)
    }

    fileprivate static func operation(_ name: String, sign: String, precedence: Int) -> Function.Entry {
        Function.Entry(
            name, swift: sign, takes: [.number, .number], gives: .arithmetic,
            written: .infix(sign, precedence: precedence))
    }
}

// MARK: Looking functions up

extension Function {
    /// The function that the format grammar names so: `modulus:by:`, and with one argument `lowercase:` or `lowercase`.
    package init?(named name: String) {
        guard let function = Self.names[name] else { return nil }
        self = function
    }

    private static let names: [String: Function] = {
        var names: [String: Function] = [:]
        for function in allCases {
            names[function.entry.name] = function
            names[function.entry.calledName] = function
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
        case .type(let type): return type
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
        }
    }
}

// MARK: What they mean

extension Value {
    fileprivate func mapText(_ body: (String) -> String) -> Value {
        if case .string(let text) = self { .string(body(text)) } else { .null }
    }

    /// The remainder of a division, with the sign of the number; nil where the divisor is zero.
    fileprivate static func remainder(of number: Value, by divisor: Value) -> Value {
        guard let number = number.integer, let divisor = divisor.integer, divisor != 0 else { return .null }
        let rest = number % divisor
        return Int64(exactly: rest).map(Value.int) ?? UInt64(exactly: rest).map(Value.uint) ?? .null
    }

    /// An integer of either kind; nil for anything else.
    var integer: Int128? {
        switch self {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: nil
        }
    }
}
