package import LoamStorage

/// An expression whose parts are known to fit the entity.
package indirect enum TypedExpression: Hashable, Sendable {
    case constant(Value)
    case property(PropertyPath)
    /// The row id.
    case identifier
    case arithmetic(TypedExpression, ArithmeticOperator, TypedExpression, Arithmetic)
    case negation(TypedExpression, Arithmetic)
    /// A property or reference at the end of to-one relationships; nil where one of them leads nowhere.
    case related([RelationHop], TypedExpression)
    /// The row id that a to-one relationship leads to, where a property does not simply say it.
    case reference(RelationHop)
    /// The number of rows that the last relationship leads to, or of those for which the predicate holds. Only the last
    /// one is to-many; nil where one before it leads nowhere.
    case count([RelationHop], TypedPredicate?)
    /// In the predicate of a count: an expression of the row around.
    case outer(TypedExpression)
}

extension TypedExpression {
    /// The type of the result; nil for the constant nil.
    package var type: ValueType? {
        switch self {
        case .constant(let value): value.scalarType
        case .property(let path): path.type
        case .identifier, .reference: .uint64
        case .count: .int64
        case .related(_, let expression), .outer(let expression): expression.type
        case .arithmetic(_, _, _, let arithmetic), .negation(_, let arithmetic): arithmetic.type
        }
    }

    /// Whether some row may make it nil.
    var isOptional: Bool {
        switch self {
        case .constant(let value): value.isNull
        case .property(let path): path.isOptional
        case .identifier: false
        case .arithmetic(let left, _, let right, .double): left.isOptional || right.isOptional
        case .negation(let operand, .double), .outer(let operand): operand.isOptional
        case .arithmetic, .negation: true
        case .related, .reference: true
        case .count(let hops, _): hops.count > 1
        }
    }

    /// Whether some row may make it a NaN.
    var mayBeNaN: Bool {
        switch self {
        case .constant(.date): false
        default: type.map { $0.isFloatingPoint || $0 == .decimal || $0 == .date } ?? false
        }
    }

    var constant: Value? {
        if case .constant(let value) = self { value } else { nil }
    }
}
