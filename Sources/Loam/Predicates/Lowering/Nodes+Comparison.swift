import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.Equal: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .test(lowering.lower(lhs), lowering.lower(rhs)) { try LoweredValue.equal($0, $1, as: LHS.Output.self) }
    }
}

extension PredicateExpressions.NotEqual: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .test(lowering.lower(lhs), lowering.lower(rhs)) {
            try LoweredValue.equal($0, $1, as: LHS.Output.self).negated
        }
    }
}

extension PredicateExpressions.Comparison: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let comparison: LoamQuery.ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw Unsupported("a comparison of a later version")
            }
        return try .test(lowering.lower(lhs), lowering.lower(rhs)) { left, right in
            if left.isNil || right.isNil { return .constant(false) }
            if case .constant(let left) = left, case .constant(let right) = right,
                let left = left as? LHS.Output, let right = right as? LHS.Output
            {
                return .constant(comparison.holds(left, right))
            }
            try CaseOrder.checkOperand(LHS.Output.self)
            return .comparison(try left.expression(), comparison, try right.expression(), .none)
        }
    }
}

extension PredicateExpressions.Range: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .combine(lowering.lower(lower), lowering.lower(upper)) { lower, upper in
            guard let (lower, upper) = LoweredValue.bounds(lower, upper, as: LHS.Output.self) else {
                return .range(lower, upper, isClosed: false)
            }
            return .constant(lower..<upper)
        }
    }
}

extension PredicateExpressions.ClosedRange: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .combine(lowering.lower(lower), lowering.lower(upper)) { lower, upper in
            guard let (lower, upper) = LoweredValue.bounds(lower, upper, as: LHS.Output.self) else {
                return .range(lower, upper, isClosed: true)
            }
            return .constant(lower...upper)
        }
    }
}

extension PredicateExpressions.RangeExpressionContains: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try CaseOrder.checkOperand(Element.Output.self)
        return try .test(lowering.lower(range), lowering.lower(element)) { range, element in
            guard let predicate = try LoweredValue.contains(element, in: range) else {
                throw Unsupported("contains(_:) of this range")
            }
            return predicate
        }
    }
}

extension LoamQuery.ComparisonOperator {
    /// Whether Swift says so of two values.
    fileprivate func holds<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
    }
}

extension LoweredValue {
    /// Captured bounds that Swift makes a range of; nil for others, which contain nothing or depend on the row.
    fileprivate static func bounds<Bound: Comparable>(
        _ lower: LoweredValue, _ upper: LoweredValue, as type: Bound.Type
    ) -> (Bound, Bound)? {
        guard case .constant(let lower) = lower, case .constant(let upper) = upper, let lower = lower as? Bound,
            let upper = upper as? Bound, lower <= upper
        else { return nil }
        return (lower, upper)
    }

    /// Swift's `==` of values of a type: sets are stored as arrays, whose order says nothing.
    ///
    /// - Throws: ``Unsupported`` for a type whose stored values do not tell what is equal.
    static func equal(
        _ left: LoweredValue, _ right: LoweredValue, as type: any Any.Type
    ) throws -> QueryPredicate {
        if left.isNil || right.isNil { return try equal(left, right) }
        if case .constant(let left) = left, case .constant(let right) = right,
            let areEqual = StoredEquality.areEqual(left, right, as: type)
        {
            return .constant(areEqual)
        }
        if PlainType.includes(type) { return try equal(left, right) }
        guard let set = StoredEquality.wrapped(type) as? any StoredSet.Type else {
            if !left.isRow, !right.isRow { try StoredEquality.check(type) }
            return try equal(left, right)
        }
        try StoredEquality.check(elementsOf: set)
        switch (left, right) {
        case (.expression(let set), .constant(let other)), (.constant(let other), .expression(let set)):
            return try areEqual(set, other)
        case (.expression(let left), .expression(let right)): return try areEqual(left, right)
        default: return try equal(left, right)
        }
    }

    /// Whether a stored set is a captured one: it has as many elements, and none that the other has not.
    private static func areEqual(_ set: QueryExpression, _ other: Any) throws -> QueryPredicate {
        guard let array = LoweredArray(set), let elements = ConstantValue.elements(of: other) else {
            throw Unsupported("the comparison of a set that is computed")
        }
        let count = QueryExpression.number(NumberLiteral(Int64(elements.count)))
        let values = try elements.map { try ConstantValue.value(of: $0) }
        let list = values.filter { !$0.isNull }.map { QueryExpression.constant($0) }
        var isElsewhere: [QueryPredicate] = []
        if !list.isEmpty { isElsewhere.append(.isIn(.identifier, .list(list), .none)) }
        if list.count < values.count { isElsewhere.append(.comparison(.identifier, .equal, .constant(.null), .none)) }
        let hasSameCount = QueryPredicate.comparison(array.counted(where: nil), .equal, count, .none)
        return values.isEmpty ? hasSameCount : .both(hasSameCount, array.none(.not(.any(isElsewhere))))
    }

    /// Whether two stored sets are equal: the elements are taken of the one that is nearer, from where the other can be
    /// read.
    private static func areEqual(_ left: QueryExpression, _ right: QueryExpression) throws -> QueryPredicate {
        guard let first = LoweredPath(left), let second = LoweredPath(right) else {
            throw Unsupported("the comparison of a set that is computed")
        }
        let (near, far) = first.levels <= second.levels ? (first, second) : (second, first)
        let other = LoweredPath(names: far.names, levels: far.levels - near.levels + 1).expression
        let areEqual = QueryPredicate.both(
            .comparison(near.counted(where: nil), .equal, far.counted(where: nil), .none),
            near.none(.not(.isIn(.identifier, other, .none))))
        let areNil = [left, right].map { QueryPredicate.comparison($0, .equal, .constant(.null), .none) }
        return .either(.and(areNil), areEqual)
    }

    /// Swift's `==`: nil equals nil.
    static func equal(_ left: LoweredValue, _ right: LoweredValue) throws -> QueryPredicate {
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return .constant(try ConstantValue.value(of: left) == ConstantValue.value(of: right))
        case (.predicate(let predicate), .constant(let value)), (.constant(let value), .predicate(let predicate)):
            guard let value = ConstantValue.unwrapped(value) else { return .constant(false) }
            return value as? Bool == true ? predicate : predicate.negated
        case (.predicate(let left), _):
            return .either(.both(left, try right.predicate()), .both(left.negated, try right.isFalse()))
        case (_, .predicate): return try equal(right, left)
        case (.related, _) where right.isNil, (.elements, _) where right.isNil, (.range, _) where right.isNil:
            return try left.isNull()
        case (_, .related) where left.isNil, (_, .elements) where left.isNil, (_, .range) where left.isNil:
            return try right.isNull()
        case (.related, _), (_, .related): throw Unsupported("the comparison of a to-many relationship")
        case (.row(let path, _), .constant(let value))
        where path.names.isEmpty && ConstantValue.unwrapped(value) == nil:
            return .constant(false)
        default:
            return .comparison(try left.expression(beside: right), .equal, try right.expression(beside: left), .none)
        }
    }

    private func isFalse() throws -> QueryPredicate {
        if case .expression(let expression) = self {
            return .comparison(expression, .equal, .constant(.bool(false)), .none)
        }
        return try predicate().negated
    }

    /// Whether a range contains an element; nil where `range` is none.
    static func contains(_ element: LoweredValue, in range: LoweredValue) throws -> QueryPredicate? {
        let lower: LoweredValue?
        let upper: LoweredValue?
        let closed: Bool
        switch range {
        case .range(let first, let last, let isClosed): (lower, upper, closed) = (first, last, isClosed)
        case .constant(let value):
            guard let range = ConstantValue.unwrapped(value) as? any ConstantRange else { return nil }
            lower = range.lowerConstant.map { .constant($0) }
            upper = range.upperConstant.map { .constant($0) }
            closed = range.isClosedConstant
        default: return nil
        }
        if element.isNil || lower?.isNil == true || upper?.isNil == true { return .constant(false) }
        let element = try element.expression()
        if closed, let lower, let upper {
            return .between(element, try lower.expression(), try upper.expression(), .none)
        }
        var result = QueryPredicate.constant(true)
        if let lower { result = .comparison(element, .greaterOrEqual, try lower.expression(), .none) }
        if let upper {
            result = .both(result, .comparison(element, closed ? .lessOrEqual : .less, try upper.expression(), .none))
        }
        return result
    }
}
