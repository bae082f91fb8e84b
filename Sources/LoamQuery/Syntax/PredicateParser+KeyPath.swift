import LoamStorage

/// Key paths with what stands behind them, and variables.
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
        guard let aggregate = Aggregate(named: name) else { throw unsupportedAggregate(name) }
        let rest = rest + (try members())
        if names.isEmpty {
            return elements(aggregate, of: QueryExpression.identifier.outside(levels), where: nil, members: rest)
        }
        if aggregate == .count, rest.isEmpty { return QueryExpression.count(names, where: nil).outside(levels) }
        return QueryExpression.aggregate(aggregate, of: .path(names + rest)).outside(levels)
    }

    /// The names behind an aggregate, each with its dot.
    mutating func members() throws(QueryError) -> [String] {
        var names: [String] = []
        while isNext(sign: ".") {
            index += 1
            names += try member()
        }
        return names
    }

    func unsupportedAggregate(_ name: String) -> QueryError {
        var error = unsupported("the aggregate @\(name)")
        error.suggestion = NearestName.of(name, among: Aggregate.named.map(\.rawValue)).map { "@" + $0 }
        return error
    }

    /// What stands in brackets behind a collection and behind dots behind these, one behind the other, and an aggregate of
    /// what they lead to: the base itself where neither is next.
    private mutating func brackets(behind base: QueryExpression) throws(QueryError) -> QueryExpression {
        var base = base
        var entered = 0
        defer { depth -= entered }
        while true {
            if isNext(sign: "[") {
                try enter()
                entered += 1
                let (value, isSize) = try bracket(behind: base)
                base = value
                guard isSize else { continue }
                if isNext(sign: ".") || isNext(sign: "[") { throw unsupported("a part of a number") }
                return base
            }
            guard isNext(sign: ".") else { return base }
            index += 1
            if case .collectionOperator(let name) = token.kind {
                guard let aggregate = Aggregate(named: name) else { throw unsupportedAggregate(name) }
                index += 1
                return elements(aggregate, of: base, where: nil, members: try members())
            }
            for name in try member() {
                try enter()
                entered += 1
                base = .call(.element, [base, .constant(.string(name))])
            }
        }
    }

    /// Whether the dot that is next stands before an aggregate.
    private var isAggregateNext: Bool {
        if case .collectionOperator = tokens[min(index + 1, tokens.count - 1)].kind { true } else { false }
    }

    /// An aggregate of the elements of an array, or of the members of these that names lead to.
    func elements(
        _ aggregate: Aggregate, of array: QueryExpression, where predicate: QueryPredicate?, members: [String]
    ) -> QueryExpression {
        .aggregate(aggregate, of: .elements(array, where: predicate, members: members))
    }

    /// `[FIRST]`, `[LAST]`, `[SIZE]` or an index: the bracket is next.
    private mutating func bracket(
        behind base: QueryExpression
    ) throws(QueryError) -> (value: QueryExpression, isSize: Bool) {
        index += 1
        let result: QueryExpression
        var isSize = false
        let isAlone = tokens[min(index + 1, tokens.count - 1)].kind == .sign("]")
        if isAlone, case .word(let text) = token.kind, let word = BracketWord(text) {
            index += 1
            switch word {
            case .first: result = .call(.first, [base])
            case .last: result = .call(.last, [base])
            case .size:
                isSize = true
                switch base.withoutOuter {
                case .keyPath(let names):
                    result = QueryExpression.count(names, where: nil).outside(base.outerLevels)
                default: result = .aggregate(.count, of: .elements(base, where: nil))
                }
            }
        } else {
            let start = token
            result = .call(.element, [base, try expression(sum(), from: start)])
        }
        try expect(sign: "]")
        return (result, isSize)
    }

    /// A variable, behind its sign: that of a subquery, which is the related row or the beginning of a key path from it,
    /// or one that is given a value later.
    mutating func variable(_ name: String) throws(QueryError) -> QueryExpression {
        if isNext(sign: ":=") { throw unsupported("an assignment to a variable") }
        guard let depth = variables.lastIndex(of: name) else {
            if isNext(sign: "."), !isAggregateNext {
                throw unsupported("a key path behind $\(name), which no subquery around it has")
            }
            return try brackets(behind: .variable(name))
        }
        return try keyPath([], levels: variables.count - 1 - depth)
    }
}

extension QueryExpression {
    /// Whether it is a variable, or an element of one.
    var isOfVariable: Bool {
        switch self {
        case .variable: true
        case .call(let function, let arguments): function.isElement && (arguments.first?.isOfVariable ?? false)
        default: false
        }
    }
}

extension Function {
    /// Whether it takes an element out of a collection, or a member out of a structure.
    package var isElement: Bool {
        if case .brackets = entry.notation { true } else { false }
    }
}
