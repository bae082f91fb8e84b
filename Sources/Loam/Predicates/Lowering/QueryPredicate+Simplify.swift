import LoamQuery
import LoamStorage

/// Conditions without needless constants and levels.
extension QueryPredicate {
    static func both(_ left: QueryPredicate, _ right: QueryPredicate) -> QueryPredicate {
        switch (left, right) {
        case (.constant(false), _), (_, .constant(false)): .constant(false)
        case (.constant(true), let other), (let other, .constant(true)): other
        case (.and(let left), .and(let right)): .and(left + right)
        case (.and(let left), let right): .and(left + [right])
        case (let left, .and(let right)): .and([left] + right)
        default: .and([left, right])
        }
    }

    static func either(_ left: QueryPredicate, _ right: QueryPredicate) -> QueryPredicate {
        switch (left, right) {
        case (.constant(true), _), (_, .constant(true)): .constant(true)
        case (.constant(false), let other), (let other, .constant(false)): other
        case (.or(let left), .or(let right)): .or(left + right)
        case (.or(let left), let right): .or(left + [right])
        case (let left, .or(let right)): .or([left] + right)
        default: .or([left, right])
        }
    }

    /// Whether some part holds. Linear, where joining one by one is quadratic.
    static func any(_ parts: [QueryPredicate]) -> QueryPredicate {
        if parts.contains(.constant(true)) { return .constant(true) }
        let parts = parts.filter { $0 != .constant(false) }
        return parts.count > 1 ? .or(parts) : parts.first ?? .constant(false)
    }

    var negated: QueryPredicate {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        case .comparison(let left, .equal, let right, let options): .comparison(left, .notEqual, right, options)
        case .comparison(let left, .notEqual, let right, let options): .comparison(left, .equal, right, options)
        default: .not(self)
        }
    }
}

extension Lowered {
    /// The condition that all cases together make.
    func predicate() throws -> QueryPredicate {
        if let value { return try value.predicate() }
        var result = QueryPredicate.constant(false)
        for next in cases {
            result = .either(result, .both(next.condition ?? .constant(true), try next.value.predicate()))
        }
        return result
    }

    /// The cases with another value each.
    func map(_ transform: (LoweredValue) throws -> LoweredValue) rethrows -> Lowered {
        if let value { return Lowered(try transform(value)) }
        return Lowered(cases: try cases.map { Case(condition: $0.condition, value: try transform($0.value)) })
    }

    /// Each case replaced by the cases of what it becomes.
    func flatMap(_ transform: (LoweredValue) throws -> Lowered) throws -> Lowered {
        if let value { return try transform(value) }
        var result: [Case] = []
        for outer in cases {
            for inner in try transform(outer.value).cases {
                guard let condition = outer.condition else {
                    result.append(inner)
                    continue
                }
                let both = inner.condition.map { QueryPredicate.both(condition, $0) } ?? condition
                if both != .constant(false) { result.append(Case(condition: both, value: inner.value)) }
            }
        }
        guard result.count <= Self.limit else { throw Unsupported("so many alternatives of ?? and ?:") }
        return Lowered(cases: result)
    }

    /// The value of two operands, for each pair of their cases. Where there are more pairs than ``limit``, the cases of
    /// each become one value first, if they can.
    static func combine(
        _ left: Lowered, _ right: Lowered, _ transform: (LoweredValue, LoweredValue) throws -> LoweredValue
    ) throws -> Lowered {
        if let left = left.value, let right = right.value { return Lowered(try transform(left, right)) }
        let isMany = left.count * right.count > limit
        let (left, right) = isMany ? (left.merged, right.merged) : (left, right)
        return try left.flatMap { left in try right.map { try transform(left, $0) } }
    }

    /// One value in place of several cases, computed with their conditions: nil where none of them holds. What is said of
    /// it is looked for in no index, but there may be any number of cases. Itself where a case is no value.
    var merged: Lowered {
        guard count > 1 else { return self }
        var merged = QueryExpression.constant(.null)
        for next in cases.reversed() {
            guard next.value.isValue, let value = try? next.value.expression() else { return self }
            merged = next.condition.map { .conditional($0, value, merged) } ?? value
        }
        return Lowered(.expression(merged))
    }

    /// The condition on two operands, for each pair of their cases.
    static func test(
        _ left: Lowered, _ right: Lowered, _ transform: (LoweredValue, LoweredValue) throws -> QueryPredicate
    ) throws -> Lowered {
        if let left = left.value, let right = right.value { return Lowered(.predicate(try transform(left, right))) }
        return Lowered(.predicate(try combine(left, right) { .predicate(try transform($0, $1)) }.predicate()))
    }
}

extension LoweredValue {
    /// Whether it is captured, or computed of the row: no model and no condition.
    fileprivate var isValue: Bool {
        switch self {
        case .constant, .expression: true
        case .predicate, .row, .end, .related, .elements, .chosen, .range: false
        }
    }
}
