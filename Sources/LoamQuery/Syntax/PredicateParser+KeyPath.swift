import LoamStorage

/// Key paths with what stands behind them, variables and subqueries.
extension PredicateParser {
    /// The names that follow `first`, which begin at the row that is tested.
    mutating func keyPath(_ first: [String]) throws(QueryError) -> QueryExpression {
        try keyPath(first, levels: variables.count)
    }

    /// - Parameter levels: how many subqueries lie between the path and the row at which the path begins.
    private mutating func keyPath(_ first: [String], levels: Int) throws(QueryError) -> QueryExpression {
        var names = first
        while isNext(sign: ".") {
            index += 1
            if case .collectionOperator(let name) = token.kind { return try aggregate(name, of: names, levels: levels) }
            let isSubstituted = token.kind == .placeholder(.keyPath)
            let members = try member()
            // `%K` may bring the aggregate along: `cities.@sum.population`.
            if isSubstituted, let place = members.firstIndex(where: { $0.hasPrefix("@") }) {
                return try aggregate(
                    String(members[place].dropFirst()), of: names + members[..<place],
                    then: Array(members[(place + 1)...]), levels: levels)
            }
            names += members
        }
        guard !isNext(sign: "(") else { throw unsupported("the function \(names.joined(separator: "."))") }
        let path = (names.isEmpty ? .identifier : QueryExpression.keyPath(names)).outside(levels)
        return isNext(sign: "[") ? try brackets(behind: path) : path
    }

    /// A name, or those that `%K` stands for.
    private mutating func member() throws(QueryError) -> [String] {
        switch token.kind {
        case .word(let name), .escapedWord(let name):
            index += 1
            return [name]
        case .placeholder(.keyPath):
            let start = token
            index += 1
            return try substitutedNames(start)
        default: throw unexpected("a name behind the dot")
        }
    }

    /// `cities.@count`, `cities.@sum.population`, `scores.@max`: the operator is next.
    private mutating func aggregate(
        _ name: String, of names: [String], levels: Int
    ) throws(QueryError) -> QueryExpression {
        guard Aggregate(named: name) != nil else { throw unsupportedAggregate(name) }
        index += 1
        return try aggregate(name, of: names, then: [], levels: levels)
    }

    /// - Parameter rest: the names behind the aggregate that were read already.
    mutating func aggregate(
        _ name: String, of names: [String], then rest: [String], levels: Int
    ) throws(QueryError) -> QueryExpression {
        guard let aggregate = Aggregate(named: name), !names.isEmpty else { throw unsupportedAggregate(name) }
        let rest = rest + (try members())
        if aggregate == .count, rest.isEmpty { return QueryExpression.count(names, where: nil).outside(levels) }
        return QueryExpression.aggregate(aggregate, of: .path(names + rest)).outside(levels)
    }

    /// The names behind an aggregate, each with its dot.
    private mutating func members() throws(QueryError) -> [String] {
        var names: [String] = []
        while isNext(sign: ".") {
            index += 1
            names += try member()
        }
        return names
    }

    private func unsupportedAggregate(_ name: String) -> QueryError {
        var error = unsupported("the aggregate @\(name)")
        error.suggestion = NearestName.of(name, among: Aggregate.allCases.map(\.rawValue)).map { "@" + $0 }
        return error
    }

    /// `[FIRST]`, `[LAST]`, `[SIZE]` or an index: the bracket is next.
    private mutating func brackets(behind base: QueryExpression) throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        index += 1
        let result: QueryExpression
        let isAlone = tokens[min(index + 1, tokens.count - 1)].kind == .sign("]")
        if isAlone, case .word(let text) = token.kind, let word = BracketWord(text) {
            index += 1
            switch word {
            case .first: result = .call(.first, [base])
            case .last: result = .call(.last, [base])
            case .size:
                guard case .keyPath(let names) = base.withoutOuter else { throw unsupported("the size of a variable") }
                result = QueryExpression.count(names, where: nil).outside(base.outerLevels)
            }
        } else {
            let start = token
            result = .call(.element, [base, try expression(sum(), from: start)])
        }
        try expect(sign: "]")
        if isNext(sign: ".") || isNext(sign: "[") { throw unsupported("a key path behind square brackets") }
        return result
    }

    /// A variable, behind its sign: that of a subquery, which is the related row or the beginning of a key path from it,
    /// or one that is given a value later.
    mutating func variable(_ name: String) throws(QueryError) -> QueryExpression {
        if isNext(sign: ":=") { throw unsupported("an assignment to a variable") }
        guard let depth = variables.lastIndex(of: name) else {
            if isNext(sign: ".") { throw unsupported("a key path behind $\(name), which no subquery around it has") }
            return isNext(sign: "[") ? try brackets(behind: .variable(name)) : .variable(name)
        }
        return try keyPath([], levels: variables.count - 1 - depth)
    }

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

    /// The rows that a subquery finds: those that a path leads to and a predicate holds for.
    struct SubqueryRows {
        let names: [String]
        let predicate: QueryPredicate
        /// How many subqueries lie between it and the row at which the path begins.
        let levels: Int
    }

    /// `SUBQUERY(path, $variable, predicate)` with what is asked of its rows, behind the keyword: `.@count`, `[SIZE]`,
    /// `.@sum.name`.
    mutating func subquery() throws(QueryError) -> QueryExpression { try result(of: subqueryRows()) }

    /// What stands in the parentheses of a subquery, which come next.
    mutating func subqueryRows() throws(QueryError) -> SubqueryRows {
        try enter()
        defer { depth -= 1 }
        try expect(sign: "(")
        let first = token
        let collection = try expression(sum(), from: first)
        guard case .keyPath(let names) = collection.withoutOuter else {
            throw QueryError(.syntax(expected: "a key path"), part: collection.description, position: first.position)
        }
        try expect(sign: ",")
        guard case .variable(let name) = token.kind else { throw unexpected("a variable such as $x") }
        index += 1
        try expect(sign: ",")
        // A path that begins further out takes the predicate with it: the rows in between are not seen from there.
        let around = variables
        variables = variables.dropLast(collection.outerLevels) + [name]
        defer { variables = around }
        let start = token
        let inner = try predicate(disjunction(), from: start)
        try expect(sign: ")")
        return SubqueryRows(names: names, predicate: inner, levels: collection.outerLevels)
    }

    /// What is asked of the rows of a subquery.
    mutating func result(of rows: SubqueryRows) throws(QueryError) -> QueryExpression {
        try result(of: rows.names, where: rows.predicate).outside(rows.levels)
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
            guard rows.levels == 0 || !readsRow else {
                throw unsupported("a subquery of a row further out, compared with what is no constant", at: start)
            }
            condition = .and([condition, quantifier == .all ? .not(test) : test])
        } else if quantifier == .all || !rest.isEmpty {
            throw unexpected("a comparison")
        }
        let found: QueryPredicate =
            quantifier == .any
            ? .any(rows.names, predicate: condition) : .none(rows.names, predicate: condition)
        return rows.levels == 0 ? found : found.mapped { $0.outside(rows.levels) }
    }

    private mutating func result(
        of names: [String], where predicate: QueryPredicate
    ) throws(QueryError) -> QueryExpression {
        if isNext(sign: "[") {
            index += 1
            guard case .word(let word) = token.kind, BracketWord(word) == .size else { throw unexpected("SIZE") }
            index += 1
            try expect(sign: "]")
            return .count(names, where: predicate)
        }
        guard isNext(sign: ".") else { throw unexpected(".@count behind the subquery") }
        index += 1
        guard case .collectionOperator(let name) = token.kind else { throw unexpected("@count or another aggregate") }
        guard let aggregate = Aggregate(named: name) else { throw unsupportedAggregate(name) }
        index += 1
        let rest = try members()
        if aggregate == .count, rest.isEmpty { return .count(names, where: predicate) }
        return .aggregate(
            aggregate, of: .rows(names, where: predicate, value: rest.isEmpty ? .identifier : .keyPath(rest)))
    }
}
