package import LoamStorage

/// A predicate whose parts are known to fit the entity: what is planned, compiled and evaluated.
///
/// Nil equals only nil, `!=` is the opposite of `==`, every other comparison with nil is false. Floating point follows
/// IEEE 754: NaN equals nothing. `not` is the opposite of what it holds.
package indirect enum TypedPredicate: Hashable, Sendable {
    case constant(Bool)
    /// The form matters for strings only.
    case comparison(TypedExpression, ComparisonOperator, TypedExpression, StringForm)
    case text(TypedExpression, TextOperator, TypedExpression, StringForm)
    case between(TypedExpression, TypedExpression, TypedExpression, StringForm)
    /// Equal to any element; true for nil exactly when an element is nil.
    case isIn(TypedExpression, ElementList, StringForm)
    /// The element stands in the array that the path leads to; false when that is nil.
    case hasElement(PropertyPath, TypedExpression, StringForm)
    /// The predicate holds for at least one element of an array, which is what ``PropertyPath/element(of:)`` leads to in
    /// it, and the row around is that of the array; false where the array is nil.
    case existsElement(TypedExpression, TypedPredicate)
    /// At least one row at the end of the relationships exists for which the predicate holds. Where one on the way
    /// leads nowhere there is none.
    case exists([RelationHop], TypedPredicate)
    /// Evaluated from left to right, up to the first that decides.
    case and([TypedPredicate])
    case or([TypedPredicate])
    case not(TypedPredicate)
}

extension TypedPredicate {
    /// The parts that all must hold.
    var conjuncts: [TypedPredicate] {
        switch self {
        case .constant(true): []
        case .and(let parts): parts.contains(where: \.isJoined) ? parts.flatMap(\.conjuncts) : parts
        default: [self]
        }
    }

    /// Whether it is no single conjunct.
    private var isJoined: Bool {
        switch self {
        case .and, .constant(true): true
        default: false
        }
    }

    /// The conjunction of `parts`, without needless levels.
    static func all(_ parts: [TypedPredicate]) -> TypedPredicate {
        switch parts.count {
        case 0: .constant(true)
        case 1: parts[0]
        default: .and(parts)
        }
    }
}
