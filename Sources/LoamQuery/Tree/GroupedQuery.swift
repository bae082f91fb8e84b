/// What to compute of rows that have the same values at some key paths, and of all rows where there are no key paths.
///
/// ```
/// let query = GroupedQuery(
///     entity: "City", predicate: try PredicateParser.parse("population > 0"), keys: ["country"],
///     aggregates: [.count, GroupAggregate(.sum, of: "population")],
///     having: try PredicateParser.parse(having: "count() > 10"), sort: [SortKey("sum(population)", direction: .descending)])
/// ```
package struct GroupedQuery: Hashable, Sendable {
    package var entity: String
    /// Which rows belong to groups.
    package var predicate: QueryPredicate?
    /// The key paths whose values make a group, or functions of these, written as in ``SortKey/path``. Without any, all rows
    /// are one group, also where there is none.
    package var keys: [String]
    package var aggregates: [GroupAggregate]
    /// Which groups are wanted: over the keys, a function as a call of it, and over aggregates by their names
    /// (``GroupAggregate/name``), also of such as are no column of the result.
    package var having: QueryPredicate?
    /// The order of the groups, by keys and aggregates. Groups that are equal in it come in the order of their keys.
    package var sort: [SortKey]
    package var limit: Int?
    package var offset: Int

    package init(
        entity: String, predicate: QueryPredicate? = nil, keys: [String] = [], aggregates: [GroupAggregate] = [],
        having: QueryPredicate? = nil, sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.entity = entity
        self.predicate = predicate
        self.keys = keys
        self.aggregates = aggregates
        self.having = having
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

extension QueryPredicate {
    /// Every key path in the predicate, but those of related rows inside counts.
    var keyPaths: [[String]] {
        var found: [[String]] = []
        forEachChild(predicate: { found += $0.keyPaths }, expression: { found += $0.keyPaths })
        return found
    }
}

extension QueryExpression {
    fileprivate var keyPaths: [[String]] {
        if case .keyPath(let names) = self { return [names] }
        var found: [[String]] = []
        if case .conditional(let condition, _, _) = self { found += condition.keyPaths }
        forEachChild { found += $0.keyPaths }
        return found
    }

    /// The expression with each part that `body` names replaced by a key path of one name.
    func namingParts(_ body: (QueryExpression) -> String?) -> QueryExpression {
        if let name = body(self) { return .keyPath([name]) }
        return mapScopes(
            same: { $0.namingParts(body) },
            condition: { condition in condition.mapped { $0.namingParts(body) } },
            inner: { $0 })
    }
}
