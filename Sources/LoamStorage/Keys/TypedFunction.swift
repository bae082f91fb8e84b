/// A function with the types that it takes and gives: what is evaluated for a row.
///
/// Small, and without references but for a type that is no single word, so that evaluating counts none.
package struct TypedFunction: Hashable, Sendable {
    package let function: Function
    /// The kind of numbers in which arithmetic is carried out.
    let numbers: Arithmetic
    /// The type of the result.
    package let type: ValueType

    /// Types a function; nil where it does not take arguments of these types.
    package init?(_ function: Function, of types: [ValueType]) {
        guard let type = function.type(of: types) else { return nil }
        self.function = function
        self.type = type
        numbers = Arithmetic(of: types)
    }

    /// Whether there is a result for all arguments, none of them nil.
    package var isTotal: Bool {
        switch function.entry.result {
        case .arithmetic: numbers == .double
        case .type, .argument: true
        case .partial, .element: false
        }
    }

    /// The result of a function of one argument, which is of the function's types or nil.
    ///
    /// Nothing is allocated but what the result itself needs.
    package func result(of argument: Value) -> Value {
        if argument.isNull { return .null }
        switch function.evaluation {
        case .negation: return numbers.negate(argument)
        case .value(let body): return body(argument)
        case .arithmetic, .values, .constant: return .null
        }
    }

    /// The result of a function of two arguments, each of the function's types or nil.
    ///
    /// Nothing is allocated but what the result itself needs.
    package func result(of first: Value, and second: Value) -> Value {
        if first.isNull || second.isNull { return .null }
        switch function.evaluation {
        case .arithmetic(let operation): return numbers.apply(operation, left: first, right: second)
        case .values(let body): return body(first, second)
        case .negation, .value, .constant: return .null
        }
    }
}
