import LoamStorage

extension TypedPredicate {
    /// The same meaning in fewer shapes: NOT stands only before comparisons, properties stand left of constants, AND
    /// and OR are flat and hold no constants, what has no variable part is computed.
    ///
    /// The opposite of an ordered comparison is taken only where neither side can be nil or a NaN.
    var normalized: TypedPredicate {
        normalized(negated: false)
    }

    private func normalized(negated: Bool) -> TypedPredicate {
        switch self {
        case .not(let part): return part.normalized(negated: !negated)
        case .and(let parts): return Self.flattened(parts, negated: negated, isConjunction: !negated)
        case .or(let parts): return Self.flattened(parts, negated: negated, isConjunction: negated)
        case .constant(let value): return .constant(value != negated)
        default: return leaf(negated: negated)
        }
    }

    private static func flattened(_ parts: [TypedPredicate], negated: Bool, isConjunction: Bool) -> TypedPredicate {
        var flat: [TypedPredicate] = []
        for part in parts.map({ $0.normalized(negated: negated) }) {
            switch part {
            case .constant(let value) where value == isConjunction: continue
            case .constant:
                // What stands before it may still fail on a row, as it would without this.
                return flat.isEmpty || !flat.contains(where: \.mayFail) ? part : joined(flat + [part], isConjunction)
            case .and(let inner) where isConjunction: flat += inner
            case .or(let inner) where !isConjunction: flat += inner
            default: flat.append(part)
            }
        }
        return joined(flat, isConjunction)
    }

    private static func joined(_ parts: [TypedPredicate], _ isConjunction: Bool) -> TypedPredicate {
        switch parts.count {
        case 0: .constant(isConjunction)
        case 1: parts[0]
        default: isConjunction ? .and(parts) : .or(parts)
        }
    }

    private func leaf(negated: Bool) -> TypedPredicate {
        if let value = constantValue { return .constant(value != negated) }
        switch self {
        case .comparison(.constant(let constant), let comparison, let right, let form):
            return TypedPredicate.comparison(right, comparison.mirrored, .constant(constant), form)
                .leaf(negated: negated)
        case .comparison(let left, let comparison, let right, let form) where negated:
            let isTotal = [left, right].allSatisfy { !$0.isOptional && !$0.mayBeNaN }
            return !comparison.isOrdering || isTotal
                ? .comparison(left, comparison.opposite, right, form) : .not(self)
        default: return negated ? .not(self) : self
        }
    }

    /// The value of a predicate that reads no row; nil where it does, or where computing it fails.
    private var constantValue: Bool? {
        isConstant ? try? holds(rowID: 0, []) : nil
    }

    private var isConstant: Bool {
        switch self {
        case .constant: true
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            left.constant != nil && right.constant != nil
        case .between(let value, let lower, let upper, _):
            [value, lower, upper].allSatisfy { $0.constant != nil }
        case .isIn(let value, let elements, _):
            elements.isEmpty && !value.mayFail || ([value] + elements).allSatisfy { $0.constant != nil }
        default: false
        }
    }

    /// Whether evaluating it may throw on some row.
    var mayFail: Bool {
        switch self {
        case .constant: false
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _): left.mayFail || right.mayFail
        case .between(let value, let lower, let upper, _): value.mayFail || lower.mayFail || upper.mayFail
        case .isIn(let value, let elements, _): value.mayFail || elements.contains(where: \.mayFail)
        case .hasElement(_, let element, _): element.mayFail
        case .and(let parts), .or(let parts): parts.contains(where: \.mayFail)
        case .not(let part): part.mayFail
        }
    }
}

extension TypedExpression {
    /// Whether evaluating it may throw on some row.
    var mayFail: Bool {
        switch self {
        case .constant, .property, .identifier: false
        case .arithmetic(_, _, _, .double), .negation(_, .double): false
        case .arithmetic, .negation: true
        }
    }
}
