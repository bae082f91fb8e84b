import Foundation
import LoamStorage

extension TypedPredicate: CustomStringConvertible {
    /// The predicate in format grammar; checked against the same entity it means the same.
    package var description: String { source.description }

    /// The tree that this one was checked from, constants written as their neighbours read them.
    var source: QueryPredicate {
        switch self {
        case .constant(let value): .constant(value)
        case .comparison(let left, let comparison, let right, let form):
            .comparison(
                left.source(beside: right), comparison, right.source(beside: left), StringOptions(form: form))
        case .text(let left, let text, let right, let form):
            .text(left.source(beside: nil), text, right.source(beside: nil), StringOptions(form: form))
        case .between(let value, let lower, let upper, let form):
            .between(
                value.source(beside: lower), lower.source(beside: value), upper.source(beside: value),
                StringOptions(form: form))
        case .isIn(let value, let elements, let form):
            .isIn(
                value.source(beside: elements.first { $0.constant == nil }),
                .list(elements.map { $0.source(beside: value) }), StringOptions(form: form))
        case .hasElement(let path, let element, let form):
            .isIn(element.source(type: path.elementType), .keyPath(path.names), StringOptions(form: form))
        case .and(let parts): .and(parts.map(\.source))
        case .or(let parts): .or(parts.map(\.source))
        case .not(let part): .not(part.source)
        }
    }
}

extension TypedExpression: CustomStringConvertible {
    /// The expression in format grammar.
    package var description: String { source(beside: nil).description }

    fileprivate func source(beside other: TypedExpression?) -> QueryExpression {
        source(type: other.flatMap { $0.constant == nil ? $0.type : nil })
    }

    fileprivate func source(type: ValueType?) -> QueryExpression {
        switch self {
        case .constant(let value): value.source(type: type)
        case .property(let path): .keyPath(path.names)
        case .identifier: .identifier
        case .arithmetic(let left, let operation, let right, let arithmetic):
            .arithmetic(
                left.source(type: left.constant == nil ? type : arithmetic.type), operation,
                right.source(type: right.constant == nil ? type : arithmetic.type))
        case .negation(let operand, let arithmetic): .negation(operand.source(type: arithmetic.type))
        }
    }
}

extension Value {
    /// A bare number where the neighbour's type makes it this very value again, else the literal with its cast.
    fileprivate func source(type: ValueType?) -> QueryExpression {
        let text: String? =
            switch self {
            case .double(let value) where value.isFinite: "\(value)"
            case .float(let value) where value.isFinite: "\(value)"
            case .decimal(let value) where !value.isNaN: value.description
            default: nil
            }
        if let text, let type, let literal = NumberLiteral(text), NumberTyping.value(of: literal, beside: type) == self
        {
            return .number(literal)
        }
        switch self {
        case .int(let value): return .number(NumberLiteral(value))
        case .uint(let value): return .number(NumberLiteral(value))
        default: return .constant(self)
        }
    }
}
