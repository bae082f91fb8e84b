import Foundation

/// A function with the types that it takes and gives: what is evaluated for a row.
///
/// Small, and without references but for a type that is no single word, so that evaluating counts none.
package struct TypedFunction: Hashable, Sendable {
    package let function: Function
    /// The kind of numbers in which arithmetic is carried out.
    let numbers: Arithmetic
    /// The type of the result.
    package let type: ValueType
    /// The time zone in which it takes a date, where that is known before any row is read.
    package let zone: Zone?
    /// Whether the first argument is a structure, of which the second names a member.
    let isOfStructure: Bool

    /// Types a function; nil where it does not take arguments of these types.
    ///
    /// - Parameter zone: the time zone that the last argument names, where that is a constant.
    package init?(_ function: Function, of types: [ValueType], in zone: Zone? = nil) {
        guard let type = function.type(of: types) else { return nil }
        self.function = function
        self.type = type
        self.zone = zone
        numbers = Arithmetic(of: types)
        isOfStructure = false
    }

    /// The member of a structure that is computed, or taken out of a collection; nil where it has none of this name.
    package init?(member name: String, of structure: ValueType) {
        guard let type = structure.member(named: name) else { return nil }
        (function, self.type, zone) = (.element, type, nil)
        numbers = Arithmetic(of: [])
        isOfStructure = true
    }

    /// Types the function of an index's component; nil where it is not known, or takes no value of the type.
    ///
    /// - Parameter type: of the value, the one argument that is no time zone.
    package init?(_ function: IndexFunction, of type: ValueType) {
        guard let known = function.known else { return nil }
        self.init(known, of: known.entry.takesTimeZone ? [type, .string] : [type], in: function.zone)
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
        case .calendar(let part):
            guard case .date(let date) = argument, let zone else { return .null }
            return Value(zone.part(part, of: date.seconds))
        case .arithmetic, .remainder, .values, .constant: return .null
        }
    }

    /// The result of a function of two arguments, each of the function's types or nil.
    ///
    /// Nothing is allocated but what the result itself needs.
    package func result(of first: Value, and second: Value) -> Value {
        if first.isNull || second.isNull { return .null }
        switch function.evaluation {
        case .arithmetic(let operation): return numbers.apply(operation, left: first, right: second)
        case .remainder: return numbers.remainder(of: first, by: second)
        case .values(let body): return body(first, second)
        case .calendar(let part):
            guard case .date(let date) = first, case .string(let name) = second, let zone = zone ?? Zone(name) else {
                return .null
            }
            return Value(zone.part(part, of: date.seconds))
        case .negation, .value, .constant: return .null
        }
    }
}

extension Value {
    fileprivate init(_ result: CalendarPart.Result?) {
        switch result {
        case .number(let number): self = .int(number)
        case .seconds(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case nil: self = .null
        }
    }
}
