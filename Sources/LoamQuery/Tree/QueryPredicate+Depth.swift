import LoamStorage

/// How deep a tree nests: what checks, plans and tests it calls itself as often, and a stack ends.
///
/// Measuring stops at the limits, so that a tree of any depth can be measured.
struct TreeDepth {
    /// Predicates and expressions inside each other.
    static let levelLimit = 1000
    /// Steps along relationships behind each other, those of counts inside counts among them.
    static let stepLimit = 200
    /// Collections inside each other in a constant: a list has the deepest values that rows have.
    private static let valueLimit = CompositeCodec.maximumDepth + 1

    private var levels = 0
    private var steps = 0

    /// - Throws: ``QueryError`` for a predicate that is deeper than the limits.
    static func check(_ predicate: QueryPredicate) throws(QueryError) {
        try TreeDepth().measure(predicate)
    }

    /// - Throws: ``QueryError`` for a key path that is longer than the limit.
    static func check(path names: [String]) throws(QueryError) {
        _ = try TreeDepth().along(names)
    }

    private func measure(_ predicate: QueryPredicate) throws(QueryError) {
        let inside = try deeper()
        try predicate.forEachChild(
            predicate: { (part) throws(QueryError) in try inside.measure(part) },
            expression: { (part) throws(QueryError) in try inside.measure(part) })
    }

    private func measure(_ expression: QueryExpression) throws(QueryError) {
        switch expression {
        case .constant(let value):
            guard !value.nests(deeperThan: Self.valueLimit) else {
                throw QueryError(.valueTooDeep(limit: CompositeCodec.maximumDepth))
            }
        case .number, .identifier, .variable: break
        case .keyPath(let names), .aggregate(_, .path(let names)): _ = try along(names)
        case .aggregate(_, .rows(let names, let predicate, let value)):
            let inside = try along(names)
            try inside.measure(predicate)
            try inside.measure(value)
        case .aggregate(_, .elements(let array, let predicate, let members)):
            let inside = try along(members)
            try inside.measure(array)
            if let predicate { try inside.measure(predicate) }
        case .conditional(let predicate, let first, let second):
            let inside = try deeper()
            try inside.measure(predicate)
            try inside.measure(first)
            try inside.measure(second)
        case .count(let names, let predicate):
            let inside = try along(names)
            if let predicate { try inside.measure(predicate) }
        case .call, .list, .outer, .aggregate(_, .list):
            let inside = try deeper()
            try expression.forEachChild { (child) throws(QueryError) in try inside.measure(child) }
        }
    }

    private func deeper() throws(QueryError) -> TreeDepth {
        var inside = self
        inside.levels += 1
        guard inside.levels <= Self.levelLimit else { throw QueryError(.tooDeep(limit: Self.levelLimit)) }
        return inside
    }

    private func along(_ names: [String]) throws(QueryError) -> TreeDepth {
        var inside = try deeper()
        inside.steps += names.count
        guard inside.steps <= Self.stepLimit else {
            throw QueryError(.tooDeep(limit: Self.stepLimit), part: names.prefix(3).joined(separator: ".") + "…")
        }
        return inside
    }
}

extension Value {
    /// Whether more collections than this lie inside each other. Looks no deeper.
    fileprivate func nests(deeperThan limit: Int) -> Bool {
        switch self {
        case .array(let elements): limit == 0 || elements.contains { $0.nests(deeperThan: limit - 1) }
        case .dictionary(let pairs):
            limit == 0
                || pairs.contains { $0.key.nests(deeperThan: limit - 1) || $0.value.nests(deeperThan: limit - 1) }
        case .structure(let members): limit == 0 || members.values.contains { $0.nests(deeperThan: limit - 1) }
        default: false
        }
    }
}
