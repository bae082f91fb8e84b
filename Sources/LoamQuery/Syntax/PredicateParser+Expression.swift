import LoamStorage

/// Expressions: operators between signed operands.
extension PredicateParser {
    mutating func sum() throws(QueryError) -> Node { try operations(from: 1) }

    /// The operators that are read from the left, by their signs.
    private static let operators: [String: (function: Function, precedence: Int)] = {
        var operators: [String: (function: Function, precedence: Int)] = [:]
        for function in Function.allCases {
            guard case .infix(let sign, let precedence) = function.entry.notation else { continue }
            if function != .power { operators[sign] = (function, precedence) }
        }
        return operators
    }()

    private static let prefixes: [String: Function] = {
        var prefixes: [String: Function] = [:]
        for function in Function.allCases {
            if case .prefix(let sign) = function.entry.notation { prefixes[sign] = function }
        }
        return prefixes
    }()

    /// Operators that bind at least so tightly, from left to right.
    private mutating func operations(from least: Int) throws(QueryError) -> Node {
        let start = token
        let node = try signed()
        var entered = 0
        defer { depth -= entered }
        guard case .expression(var left) = node else { return node }
        while case .sign(let sign) = token.kind, let found = Self.operators[sign], found.precedence >= least {
            try enter()
            entered += 1
            index += 1
            let first = token
            let right = try expression(operations(from: found.precedence + 1), from: first)
            left = .call(found.function, [try expression(.expression(left), from: start), right])
        }
        return .expression(left)
    }

    private mutating func signed() throws(QueryError) -> Node {
        guard case .sign(let sign) = token.kind else { return try power() }
        let function = Self.prefixes[sign]
        guard function != nil || sign == "+" else { return try power() }
        try enter()
        var entered = 1
        defer { depth -= entered }
        index += 1
        let start = token
        if case .sign(let next) = token.kind, Self.prefixes[next] != nil {
            // As deep as it is printed, with parentheses: what is read here is read again from there.
            try enter()
            entered += 1
        }
        let value = try expression(signed(), from: start)
        guard let function else { return .expression(value) }
        if function == .negate, case .number(let literal) = value { return .expression(.number(literal.negated)) }
        return .expression(.call(function, [value]))
    }

    /// `a ** b ** c` is `a ** (b ** c)`, and a sign before it is one of the whole.
    private mutating func power() throws(QueryError) -> Node {
        let start = token
        let node = try primary()
        guard isNext(sign: "**") else { return node }
        try enter()
        defer { depth -= 1 }
        index += 1
        let base = try expression(node, from: start)
        let first = token
        return .expression(.call(.power, [base, try expression(signed(), from: first)]))
    }

    /// Expressions with commas between them, and the sign behind the last.
    mutating func expressions(before closing: String) throws(QueryError) -> [QueryExpression] {
        var expressions: [QueryExpression] = []
        while !isNext(sign: closing) {
            if !expressions.isEmpty { try expect(sign: ",") }
            let start = token
            expressions.append(try expression(sum(), from: start))
        }
        index += 1
        return expressions
    }

    private mutating func primary() throws(QueryError) -> Node {
        let start = token
        index += 1
        switch start.kind {
        case .string(let text): return .expression(.constant(.string(text)))
        case .number(let literal): return .expression(.number(literal))
        case .placeholder(.keyPath): return .expression(try substitutedKeyPath(start))
        case .placeholder(let placeholder): return .expression(try argument(placeholder, for: start))
        case .escapedWord(let name): return .expression(try keyPath([name]))
        case .word(let word): return try named(word, start: start)
        case .sign("("): return try parenthesized()
        case .sign("{"): return .expression(try list())
        case .variable(let name): return .expression(try variable(name))
        case .collectionOperator(let name): throw unsupported("the aggregate @\(name) without a collection", at: start)
        case .sign, .end:
            index -= 1
            throw unexpected("a value or a key path")
        }
    }

    private mutating func named(_ word: String, start: Token) throws(QueryError) -> Node {
        switch Keyword(word) {
        case .true, .yes: return .expression(.constant(.bool(true)))
        case .false, .no: return .expression(.constant(.bool(false)))
        case .null, .nil: return .expression(.constant(.null))
        case .truePredicate: return .predicate(.constant(true))
        case .falsePredicate: return .predicate(.constant(false))
        // `SELF` is the row's identifier; before a dot it adds nothing.
        case .self: return .expression(try keyPath([]))
        case .cast where isNext(sign: "("): return .expression(try cast(start))
        case .ternary where isNext(sign: "("): return .expression(try conditional())
        case .function where isNext(sign: "("): return .expression(try function(start))
        case .subquery where isNext(sign: "("): return .expression(try subquery())
        case .any, .someOf, .all, .noneOf: throw unsupported("the quantifier \(word) in this place", at: start)
        case .anyKey: throw unsupported("the expression \(word)", at: start)
        // What stands in the place of a value, and calls nothing, is a property of that name.
        case .union, .intersect, .minus, .cast, .ternary, .function, .subquery: return .expression(try keyPath([word]))
        case .and, .or, .not, .in, .between: throw operatorInPlaceOfValue(word)
        case nil:
            guard TextOperator(word: word) == nil else { throw operatorInPlaceOfValue(word) }
            if let name = calledName(word) { return .expression(try call(name, start: start)) }
            return .expression(try keyPath([word]))
        }
    }

    /// The error for an operator in the place of a value. The word of the operator was passed.
    private mutating func operatorInPlaceOfValue(_ word: String) -> QueryError {
        index -= 1
        return unexpected("a value or a key path (a property of that name is written #\(word))")
    }

    private mutating func parenthesized() throws(QueryError) -> Node {
        try enter()
        defer { depth -= 1 }
        if isSubqueryAlone {
            index += 1
            let rows = try subqueryRows()
            try expect(sign: ")")
            return .expression(try result(of: rows))
        }
        let node = try disjunction()
        try expect(sign: ")")
        return node
    }

    private mutating func list() throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        return .list(try expressions(before: "}"))
    }
}
