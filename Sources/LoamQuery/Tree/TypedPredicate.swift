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
    case isIn(TypedExpression, [TypedExpression], StringForm)
    /// The element stands in the array that the path leads to; false when that is nil.
    case hasElement(PropertyPath, TypedExpression, StringForm)
    /// Evaluated from left to right, up to the first that decides.
    case and([TypedPredicate])
    case or([TypedPredicate])
    case not(TypedPredicate)
}

extension TypedPredicate {
    /// Every property that the predicate reads.
    package var paths: Set<PropertyPath> {
        var paths: Set<PropertyPath> = []
        collectPaths(into: &paths)
        return paths
    }

    private func collectPaths(into paths: inout Set<PropertyPath>) {
        switch self {
        case .constant: break
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            left.collectPaths(into: &paths)
            right.collectPaths(into: &paths)
        case .between(let value, let lower, let upper, _):
            for part in [value, lower, upper] { part.collectPaths(into: &paths) }
        case .isIn(let value, let elements, _):
            for part in [value] + elements { part.collectPaths(into: &paths) }
        case .hasElement(let path, let element, _):
            paths.insert(path)
            element.collectPaths(into: &paths)
        case .and(let parts), .or(let parts): for part in parts { part.collectPaths(into: &paths) }
        case .not(let part): part.collectPaths(into: &paths)
        }
    }

    /// The parts that all must hold.
    var conjuncts: [TypedPredicate] {
        switch self {
        case .constant(true): []
        case .and(let parts): parts.flatMap(\.conjuncts)
        default: [self]
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
