import Foundation

/// Which saves of one store can hold a predicate, as far as its comparisons with tokens tell.
enum HistoryBound: Hashable {
    /// None: all of it demands tokens of other stores.
    case none
    /// Those above a number.
    case above(UInt64)
    case all

    /// What holds both.
    fileprivate func and(_ other: HistoryBound) -> HistoryBound {
        switch (self, other) {
        case (.none, _), (_, .none): .none
        case (.all, let bound), (let bound, .all): bound
        case (.above(let number), .above(let otherNumber)): .above(max(number, otherNumber))
        }
    }

    /// What holds one of the two at least.
    fileprivate func or(_ other: HistoryBound) -> HistoryBound {
        switch (self, other) {
        case (.none, let bound), (let bound, .none): bound
        case (.all, _), (_, .all): .all
        case (.above(let number), .above(let otherNumber)): .above(min(number, otherNumber))
        }
    }
}

extension HistoryDescriptor {
    /// Which saves of a store the predicate may hold for.
    func bound(in store: String) -> HistoryBound {
        (predicate?.expression as? any TokenBounding)?.bound(in: store, isNegated: false) ?? .all
    }
}

/// Nodes of predicates that may bound the saves of a store. Other nodes bound none.
private protocol TokenBounding {
    /// - Parameter isNegated: whether the node's opposite is what has to hold.
    func bound(in store: String, isNegated: Bool) -> HistoryBound
}

private func bound(of node: Any, in store: String, isNegated: Bool) -> HistoryBound {
    (node as? any TokenBounding)?.bound(in: store, isNegated: isNegated) ?? .all
}

extension PredicateExpressions.Conjunction: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound {
        let (left, right) = (
            Loam.bound(of: lhs, in: store, isNegated: isNegated), Loam.bound(of: rhs, in: store, isNegated: isNegated)
        )
        return isNegated ? left.or(right) : left.and(right)
    }
}

extension PredicateExpressions.Disjunction: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound {
        let (left, right) = (
            Loam.bound(of: lhs, in: store, isNegated: isNegated), Loam.bound(of: rhs, in: store, isNegated: isNegated)
        )
        return isNegated ? left.and(right) : left.or(right)
    }
}

extension PredicateExpressions.Negation: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound {
        Loam.bound(of: wrapped, in: store, isNegated: !isNegated)
    }
}

extension PredicateExpressions.Comparison: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound {
        guard let (token, isLeft) = comparedToken(lhs, rhs) else { return .all }
        guard let number = token.save(in: store) else { return .none }
        let isAbove =
            switch (op, isLeft) {
            case (.greaterThan, true), (.lessThan, false): !isNegated
            case (.lessThanOrEqual, true), (.greaterThanOrEqual, false): isNegated
            default: false
            }
        return isAbove ? .above(number) : .all
    }
}

extension PredicateExpressions.Equal: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound { boundOfEquality(lhs, rhs, in: store) }
}

extension PredicateExpressions.NotEqual: TokenBounding {
    fileprivate func bound(in store: String, isNegated: Bool) -> HistoryBound { boundOfEquality(lhs, rhs, in: store) }
}

/// A token of other stores is neither equal to a transaction's nor different from it.
private func boundOfEquality(_ left: Any, _ right: Any, in store: String) -> HistoryBound {
    guard let (token, _) = comparedToken(left, right) else { return .all }
    return token.save(in: store) == nil ? .none : .all
}

/// The constant that a transaction's token is compared with, and whether the transaction is on the left; nil where
/// something else is compared.
private func comparedToken(_ left: Any, _ right: Any) -> (token: DefaultHistoryToken, isLeft: Bool)? {
    let isLeft = isToken(left)
    guard isLeft != isToken(right),
        let constant = (isLeft ? right : left) as? PredicateExpressions.Value<DefaultHistoryToken>
    else { return nil }
    return (constant.value, isLeft)
}

private func isToken(_ side: Any) -> Bool {
    typealias Row = PredicateExpressions.Variable<DefaultHistoryTransaction>
    let path = side as? PredicateExpressions.KeyPath<Row, DefaultHistoryToken>
    return path?.keyPath == \DefaultHistoryTransaction.token
}
