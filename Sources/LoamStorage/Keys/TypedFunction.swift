/// A function with the types that it takes and gives: what is evaluated for a row.
///
/// Small and without references, so that evaluating counts none.
package struct TypedFunction: Hashable, Sendable {
    package let function: Function
    /// The kind of numbers in which arithmetic is carried out.
    private let numbers: Arithmetic

    /// Types a function; nil where it does not take arguments of these types.
    package init?(_ function: Function, of types: [ValueType]) {
        guard function.type(of: types) != nil else { return nil }
        self.function = function
        numbers = Arithmetic(of: types)
    }

    /// The type of the result.
    package var type: ValueType {
        switch function.entry.result {
        case .arithmetic: function.arithmeticType(numbers)
        case .type(let type): type
        }
    }

    /// Whether there is a result for all arguments, none of them nil.
    package var isTotal: Bool {
        switch function.entry.result {
        case .arithmetic: numbers == .double
        case .type: true
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
        case .arithmetic, .values: return .null
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
        case .negation, .value: return .null
        }
    }
}
