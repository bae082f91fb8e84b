package import LoamQuery

extension Query {
    /// Queries that are a step simpler: without one of their parts, or with a part of their predicate in its place.
    package var smaller: [Query] {
        var queries: [Query] = []
        func add(_ change: (inout Query) -> Void) {
            var query = self
            change(&query)
            if query != self { queries.append(query) }
        }
        add { $0.predicate = nil }
        for smaller in predicate?.smaller ?? [] { add { $0.predicate = smaller } }
        add { $0.sort = [] }
        for index in sort.indices { add { $0.sort.remove(at: index) } }
        add { $0.limit = nil }
        add { $0.offset = 0 }
        add {
            $0.section = nil
            if $0.result == .sections { $0.result = .rows }
        }
        add { $0.columns = [] }
        return queries
    }

    /// The simplest query that still fails, as far as single steps lead. It asks for each step of each query on the way.
    ///
    /// - Parameter fails: whether a query fails.
    /// - Throws: what `fails` throws.
    package func smallest(where fails: (Query) throws -> Bool) rethrows -> Query {
        var smallest = self
        while let smaller = try smallest.smaller.first(where: fails) { smallest = smaller }
        return smallest
    }
}

extension QueryPredicate {
    fileprivate var smaller: [QueryPredicate] {
        switch self {
        case .and(let parts): Self.smaller(parts, QueryPredicate.and)
        case .or(let parts): Self.smaller(parts, QueryPredicate.or)
        case .not(let part): [part] + part.smaller.map(QueryPredicate.not)
        case .isIn(let value, .list(let elements), let options):
            elements.indices.map { index in
                var fewer = elements
                fewer.remove(at: index)
                return .isIn(value, .list(fewer), options)
            }
        case .comparison, .between, .isIn, .text, .quantified, .constant: []
        }
    }

    private static func smaller(
        _ parts: [QueryPredicate], _ joined: ([QueryPredicate]) -> QueryPredicate
    ) -> [QueryPredicate] {
        parts
            + parts.indices.flatMap { index in
                var others = parts
                others.remove(at: index)
                return [joined(others)]
                    + parts[index].smaller.map { smaller in
                        var changed = parts
                        changed[index] = smaller
                        return joined(changed)
                    }
            }
    }
}
