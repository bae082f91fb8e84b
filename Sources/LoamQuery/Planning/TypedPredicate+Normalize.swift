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
        case .exists(let hops, let predicate):
            return Self.existence(hops, predicate: predicate.normalized, negated: negated)
        default: return mapped({ $0 }, \.normalized).leaf(negated: negated)
        }
    }

    private static func flattened(_ parts: [TypedPredicate], negated: Bool, isConjunction: Bool) -> TypedPredicate {
        var flat: [TypedPredicate] = []
        for part in parts.map({ $0.normalized(negated: negated) }) {
            switch part {
            case .constant(let value) where value == isConjunction: continue
            case .constant: return part
            case .and(let inner) where isConjunction: flat += inner
            case .or(let inner) where !isConjunction: flat += inner
            default: flat.append(part)
            }
        }
        return joined(flat, isConjunction: isConjunction)
    }

    private static func joined(_ parts: [TypedPredicate], isConjunction: Bool) -> TypedPredicate {
        switch parts.count {
        case 0: .constant(isConjunction)
        case 1: parts[0]
        default: isConjunction ? .and(parts) : .or(parts)
        }
    }

    private func leaf(negated: Bool) -> TypedPredicate {
        if let value = constantValue { return .constant(value != negated) }
        if let (hops, predicate, isPresent) = existence {
            return Self.existence(hops, predicate: predicate, negated: negated == isPresent)
        }
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

    /// A comparison of a count with 0 or 1 as a question whether there is any row, and what the answer has to be.
    private var existence: ([RelationHop], TypedPredicate, isPresent: Bool)? {
        guard case .comparison(.count(let hops, let counted), let comparison, .constant(.int(let bound)), _) = self
        else { return nil }
        let predicate = counted ?? .constant(true)
        switch (comparison, bound) {
        case (.greater, 0), (.greaterOrEqual, 1): return (hops, predicate, true)
        // Nothing is counted where a relationship before the last one leads nowhere: neither holds there.
        case (.equal, 0) where hops.count == 1, (.less, 1) where hops.count == 1,
            (.lessOrEqual, 0) where hops.count == 1:
            return (hops, predicate, false)
        case (.notEqual, 0) where hops.count == 1: return (hops, predicate, true)
        default: return nil
        }
    }

    /// - Parameter predicate: normalized.
    private static func existence(
        _ hops: [RelationHop], predicate: TypedPredicate, negated: Bool
    ) -> TypedPredicate {
        if predicate == .constant(false) { return .constant(negated) }
        return negated ? .not(.exists(hops, predicate)) : .exists(hops, predicate)
    }

    /// The value of a predicate that reads no row; nil where it does, or where computing it fails.
    private var constantValue: Bool? {
        isConstant ? try? holds(rowID: 0, values: []) : nil
    }

    private var isConstant: Bool {
        switch self {
        case .constant: true
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            left.constant != nil && right.constant != nil
        case .between(let value, let lower, let upper, _):
            [value, lower, upper].allSatisfy { $0.constant != nil }
        case .isIn(let value, let elements, _):
            elements.isEmpty || value.constant != nil && elements.areConstants
        default: false
        }
    }
}
