/// A predicate over a row where another row is at hand, from which a path leads to the first.
extension QueryPredicate {
    /// The predicate asked of the row at the end of a path.
    ///
    /// - Parameters:
    ///   - names: to-one relationships, from the row at which the path begins.
    ///   - levels: how many counts lie between that row and the place where the predicate is to stand.
    package func moved(behind names: [String], levels: Int) -> QueryPredicate {
        names.isEmpty && levels == 0 ? self : moved(behind: names, levels: levels, depth: 0)
    }

    /// - Parameter depth: how many counts lie around this part of the predicate.
    fileprivate func moved(behind names: [String], levels: Int, depth: Int) -> QueryPredicate {
        mapped { $0.moved(behind: names, levels: levels, depth: depth) }
    }
}

extension QueryExpression {
    fileprivate func moved(behind names: [String], levels: Int, depth: Int) -> QueryExpression {
        let outer = outerLevels
        switch withoutOuter {
        case .constant, .number, .variable: return self
        case .keyPath(let rest): return outer == depth ? Self.keyPath(names + rest).outside(outer + levels) : self
        case .identifier:
            guard outer == depth else { return self }
            return (names.isEmpty ? .identifier : Self.keyPath(names)).outside(outer + levels)
        case .count(let path, let predicate):
            let inner = predicate?.movedInside(behind: names, levels: levels, depth: depth, outer: outer)
            return Self.count(outer == depth ? names + path : path, where: inner)
                .outside(outer == depth ? outer + levels : outer)
        case .aggregate(let aggregate, .path(let path)):
            guard outer == depth else { return self }
            return Self.aggregate(aggregate, of: .path(names + path)).outside(outer + levels)
        case .aggregate(let aggregate, .rows(let path, let predicate, let value)):
            let inner = predicate.movedInside(behind: names, levels: levels, depth: depth, outer: outer)
            return Self.aggregate(
                aggregate, of: .rows(outer == depth ? names + path : path, where: inner, value: value)
            ).outside(outer == depth ? outer + levels : outer)
        case .aggregate(_, .elements):
            return mapScopes(
                same: { $0.moved(behind: names, levels: levels, depth: depth) }, condition: { $0 },
                inner: { $0.moved(behind: names, levels: levels, depth: depth + 1) })
        case .call, .list, .aggregate(_, .list), .conditional, .outer:
            return mapScopes(
                same: { $0.moved(behind: names, levels: levels, depth: depth) },
                condition: { $0.moved(behind: names, levels: levels, depth: depth) }, inner: { $0 })
        }
    }
}

extension QueryPredicate {
    /// The predicate of a count that stands so many levels out from its place. Of the moved row itself it takes no
    /// further levels: the count has moved with it.
    fileprivate func movedInside(behind names: [String], levels: Int, depth: Int, outer: Int) -> QueryPredicate {
        moved(behind: names, levels: outer == depth ? 0 : levels, depth: depth - outer + 1)
    }
}
