/// A function with the types that it takes and gives: what is evaluated for a row.
package struct TypedFunction: Hashable, Sendable {
    package let function: Function
    /// The type of the result.
    package let type: ValueType

    /// Nil where arguments of these types are none of the function's.
    package init?(_ function: Function, of types: [ValueType]) {
        guard let type = function.type(of: types) else { return nil }
        self.function = function
        self.type = type
    }

    /// Whether there is a result for all arguments, none of them nil.
    package var isTotal: Bool {
        switch function.entry.result {
        case .arithmetic: type == .double
        case .type: true
        }
    }

    /// The result for as many arguments as the function takes, each of its types or nil.
    package func result(of arguments: [Value]) -> Value {
        arguments.count == 1 ? result(of: arguments[0]) : result(of: arguments[0], and: arguments[1])
    }

    /// The result of a function of one argument, which is of the function's types or nil.
    ///
    /// Nothing is allocated but what the result itself needs.
    package func result(of argument: Value) -> Value {
        if argument.isNull { return .null }
        switch function.evaluation {
        case .negation: return Arithmetic(resultType: type).negate(argument)
        case .value(let body): return body(argument)
        case .arithmetic, .values: return .null
        }
    }

    /// The result of a function of two arguments, each of the function's types or nil.
    ///
    /// Nothing is allocated but what the result itself needs.
    package func result(of first: Value, and second: Value) -> Value {
        if first.isNull || second.isNull { return .null }
        switch function.evaluation {
        case .arithmetic(let operation): return Arithmetic(resultType: type).apply(operation, first, second)
        case .values(let body): return body(first, second)
        case .negation, .value: return .null
        }
    }
}
