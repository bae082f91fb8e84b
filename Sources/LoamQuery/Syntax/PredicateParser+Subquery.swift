import LoamStorage

/// Subqueries, and what is asked of what they find.
extension PredicateParser {
    /// Whether nothing but a subquery, without what is asked of its rows, stands up to the parenthesis that closes the
    /// one before the next token.
    var isSubqueryAlone: Bool {
        guard isNext(.subquery), index + 1 < tokens.count, tokens[index + 1].kind == .sign("(") else { return false }
        var (next, open) = (index + 1, 0)
        while next < tokens.count {
            if tokens[next].kind == .sign("(") { open += 1 }
            if tokens[next].kind == .sign(")") { open -= 1 }
            next += 1
            if open == 0 { break }
        }
        return next < tokens.count && tokens[next].kind == .sign(")")
    }

    /// The rows (or elements) that a subquery finds: those of a collection that a predicate holds for.
    struct SubqueryRows {
        let collection: Collection
        let predicate: QueryPredicate

        enum Collection {
            /// - Parameter levels: how many subqueries lie between it and the row at which the path begins.
            case path([String], levels: Int)
            /// A collection that is computed, or an element of another one.
            case array(QueryExpression)
        }
    }

    /// `SUBQUERY(path, $variable, predicate)` with what is asked of its rows, behind the keyword: `.@count`, `[SIZE]`,
    /// `.@sum.name`, `[FIRST]`.
    mutating func subquery() throws(QueryError) -> QueryExpression { try result(of: subqueryRows()) }

    /// What stands in the parentheses of a subquery, which come next.
    mutating func subqueryRows() throws(QueryError) -> SubqueryRows {
        try enter()
        defer { depth -= 1 }
        try expect(sign: "(")
        let first = token
        let collection = try expression(sum(), from: first)
        var rows: SubqueryRows.Collection
        switch collection.withoutOuter {
        case .keyPath(let names): rows = .path(names, levels: collection.outerLevels)
        case .identifier where !variables.isEmpty: rows = .array(collection)
        case .call, .conditional: rows = .array(collection)
        case .aggregate(let aggregate, _) where aggregate.isEnd: rows = .array(collection)
        // A list, or a variable that is given one later.
        case .variable, .list, .constant(.array): rows = .array(collection)
        default:
            throw QueryError(.syntax(expected: "a key path"), part: collection.description, position: first.position)
        }
        try expect(sign: ",")
        guard case .variable(let name) = token.kind else { throw unexpected("a variable such as $x") }
        index += 1
        try expect(sign: ",")
        let around = variables
        if case .path(_, let levels) = rows {
            // A path that begins further out takes the predicate with it: the rows in between are not seen from there.
            // Where one of them is read, the collection is an array, whose predicate stays where it stands.
            let hidden = Set(variables.suffix(levels)).subtracting(variables.dropLast(levels)).subtracting([name])
            if readsVariable(of: hidden) {
                rows = .array(collection)
            } else {
                variables = variables.dropLast(levels)
            }
        }
        variables.append(name)
        defer { variables = around }
        let start = token
        let inner = try predicate(disjunction(), from: start)
        try expect(sign: ")")
        return SubqueryRows(collection: rows, predicate: inner)
    }

    /// Whether what stands up to the parenthesis that closes the one before the next token reads one of some variables, and
    /// none of a subquery inside that is called so.
    private func readsVariable(of names: Set<String>) -> Bool {
        guard !names.isEmpty else { return false }
        var open = 0
        // The subqueries inside: how many parentheses are open in each, and its variable behind the first comma.
        var inner: [(open: Int, name: String?)] = []
        var next = index
        while next < tokens.count, open >= 0 {
            switch tokens[next].kind {
            case .sign("("), .sign("["), .sign("{"):
                open += 1
                guard next > 0, case .word(let word) = tokens[next - 1].kind, Keyword(word) == .subquery else { break }
                inner.append((open, nil))
            case .sign(")"), .sign("]"), .sign("}"):
                if inner.last?.open == open { inner.removeLast() }
                open -= 1
            case .sign(",") where inner.last?.open == open && inner.last?.name == nil:
                guard next + 1 < tokens.count, case .variable(let name) = tokens[next + 1].kind else { break }
                inner[inner.count - 1].name = name
                next += 1
            case .variable(let name):
                if names.contains(name), !inner.contains(where: { $0.name == name }) { return true }
            default: break
            }
            next += 1
        }
        return false
    }

    /// What is asked of the rows of a subquery.
    mutating func result(of rows: SubqueryRows) throws(QueryError) -> QueryExpression {
        let (aggregate, rest) = try resultAggregate()
        if aggregate.isEnd { return try end(aggregate, of: rows, then: rest) }
        switch rows.collection {
        case .array(let array): return elements(aggregate, of: array, where: rows.predicate, members: rest)
        case .path(let names, let levels):
            if aggregate == .count, rest.isEmpty {
                return QueryExpression.count(names, where: rows.predicate).outside(levels)
            }
            let value: QueryExpression = rest.isEmpty ? .identifier : .keyPath(rest)
            return QueryExpression.aggregate(aggregate, of: .rows(names, where: rows.predicate, value: value))
                .outside(levels)
        }
    }

    /// The first or the last element that a subquery finds, or a member of it.
    private mutating func end(
        _ aggregate: Aggregate, of rows: SubqueryRows, then rest: [String]
    ) throws(QueryError) -> QueryExpression {
        let element: QueryExpression =
            switch rows.collection {
            case .array(let array): .aggregate(aggregate, of: .elements(array, where: rows.predicate))
            case .path(let names, let levels):
                QueryExpression.aggregate(aggregate, of: .rows(names, where: rows.predicate, value: .identifier))
                    .outside(levels)
            }
        return rest.reduce(element) { .call(.element, [$0, .constant(.string($1))]) }
    }

    /// `SUBQUERY(…)`, which comes next, behind ANY, ALL or NONE: with a comparison of each row, or of a value of it; ANY
    /// and NONE also with nothing behind it.
    mutating func quantifiedSubquery(_ quantifier: Quantifier) throws(QueryError) -> QueryPredicate {
        index += 1
        let rows = try subqueryRows()
        let rest = try members()
        let member: QueryExpression = rest.isEmpty ? .identifier : .keyPath(rest)
        let start = token
        // Stands for the member until the other side is written as it is inside the subquery.
        let marker = QueryExpression.variable(QueryExpression.variableMark)
        var condition = rows.predicate
        if case .predicate(let comparison) = try comparison(behind: marker) {
            var readsRow = false
            let test = comparison.mapped { part in
                if part == marker { return member }
                readsRow = readsRow || !part.isLiteral
                return part.outside(1)
            }
            guard !rows.isFurtherOut || !readsRow else {
                throw unsupported("a subquery of a row further out, compared with what is no constant", at: start)
            }
            condition = .and([condition, quantifier == .all ? .not(test) : test])
        } else if quantifier == .all || !rest.isEmpty {
            throw unexpected("a comparison")
        }
        let count: QueryExpression =
            switch rows.collection {
            case .array(let array): .aggregate(.count, of: .elements(array, where: condition))
            case .path(let names, let levels): QueryExpression.count(names, where: condition).outside(levels)
            }
        let none = QueryExpression.number(NumberLiteral(0 as Int64))
        return .comparison(count, quantifier == .any ? .greater : .equal, none, .none)
    }

    /// `[SIZE]`, `[FIRST]`, `[LAST]`, `.@count` or another aggregate, and the names behind it.
    private mutating func resultAggregate() throws(QueryError) -> (Aggregate, rest: [String]) {
        if isNext(sign: "[") {
            index += 1
            guard case .word(let text) = token.kind, let word = BracketWord(text) else {
                throw unexpected("SIZE, FIRST or LAST")
            }
            index += 1
            try expect(sign: "]")
            switch word {
            case .size: return (.count, [])
            case .first: return (.first, try members())
            case .last: return (.last, try members())
            }
        }
        guard isNext(sign: ".") else { throw unexpected(".@count behind the subquery") }
        index += 1
        guard case .collectionOperator(let name) = token.kind else { throw unexpected("@count or another aggregate") }
        guard let aggregate = Aggregate(named: name) else { throw unsupportedAggregate(name) }
        index += 1
        return (aggregate, try members())
    }
}

extension PredicateParser.SubqueryRows {
    /// Whether the path begins at a row around, and takes the predicate with it.
    fileprivate var isFurtherOut: Bool {
        if case .path(_, let levels) = collection { levels > 0 } else { false }
    }
}
