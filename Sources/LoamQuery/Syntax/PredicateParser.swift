package import LoamStorage

/// Reads the predicate format grammar of Core Data.
///
/// ```
/// let predicate = try PredicateParser.parse("country == %@ AND population >= 1e6", arguments: [.string("PE")])
/// ```
///
/// `SUBQUERY(cities, $c, $c.population > 5).@count > 0` counts related rows; key paths without a variable begin at the
/// row itself, inside as well. `modulus:by:(a, 2)` calls a ``Function``. A variable that no subquery has is given a
/// value later, by ``QueryPredicate/substituting(_:)``. What the grammar knows and Loam does not run (`random()`,
/// `ANYKEY`, UTI-CONFORMS-TO) is refused with an error that names the part.
package struct PredicateParser {
    /// Parentheses, negations and operators inside each other.
    package static let depthLimit = 200

    var tokens: [Token]
    var index = 0
    var depth = 0
    var arguments: [QueryExpression]
    var usedArguments = 0
    /// The variables of the subqueries around the current token, outermost first.
    var variables: [String] = []

    /// The tree of `format`, with each `%@` and `%K` replaced by the next argument. `%@` takes any value, an array
    /// where a list may stand; `%K` takes a string, the names of a key path with dots between them.
    ///
    /// - Throws: ``QueryError`` with the position of the part that cannot be read.
    package static func parse(_ format: String, arguments: [Value] = []) throws(QueryError) -> QueryPredicate {
        try parse(format, expressions: arguments.map(QueryExpression.constant))
    }

    /// The tree of `format`, with each `%@` replaced by the next of some expressions, of which only constants can stand
    /// in the place of another placeholder.
    ///
    /// - Throws: ``QueryError`` with the position of the part that cannot be read.
    package static func parse(
        _ format: String, expressions arguments: [QueryExpression]
    ) throws(QueryError) -> QueryPredicate {
        var parser = PredicateParser(tokens: try Lexer.tokens(of: format), arguments: arguments)
        let predicate = try parser.predicate(parser.disjunction(), from: parser.tokens[0])
        guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end") }
        guard parser.usedArguments == arguments.count else {
            throw QueryError(.argumentCount(expected: parser.usedArguments, found: arguments.count))
        }
        return predicate
    }

    init(tokens: [Token], arguments: [QueryExpression]) {
        self.tokens = tokens
        self.arguments = arguments
    }

    /// What a piece of the text turned out to be: parentheses may hold either.
    enum Node {
        case predicate(QueryPredicate)
        case expression(QueryExpression)
    }

    mutating func disjunction() throws(QueryError) -> Node {
        try chain(
            separatedBy: .or, sign: "||", element: { (parser) throws(QueryError) in try parser.conjunction() },
            combine: { .or($0) })
    }

    private mutating func conjunction() throws(QueryError) -> Node {
        try chain(
            separatedBy: .and, sign: "&&", element: { (parser) throws(QueryError) in try parser.negation() },
            combine: { .and($0) })
    }

    private mutating func chain(
        separatedBy word: Keyword, sign: String, element: (inout PredicateParser) throws(QueryError) -> Node,
        combine: ([QueryPredicate]) -> QueryPredicate
    ) throws(QueryError) -> Node {
        let start = token
        let first = try element(&self)
        guard isNext(word) || isNext(sign: sign) else { return first }
        var parts = [try predicate(first, from: start)]
        while isNext(word) || isNext(sign: sign) {
            index += 1
            let start = token
            parts.append(try predicate(element(&self), from: start))
        }
        return .predicate(combine(parts))
    }

    private mutating func negation() throws(QueryError) -> Node {
        guard isNext(.not) || isNext(sign: "!") else { return try comparison() }
        try enter()
        defer { depth -= 1 }
        index += 1
        let start = token
        return .predicate(.not(try predicate(negation(), from: start)))
    }

    private mutating func comparison() throws(QueryError) -> Node {
        if let quantifier { return .predicate(try quantified(quantifier)) }
        let node = try sum()
        guard case .expression(let left) = node else { return node }
        return try comparison(behind: left)
    }

    /// An operator with its right side, behind its left side; that alone where none comes next.
    mutating func comparison(behind left: QueryExpression) throws(QueryError) -> Node {
        let node = Node.expression(left)
        if case .sign(let sign) = token.kind, let comparison = Self.comparisons[sign] {
            index += 1
            let options = try stringOptions()
            return .predicate(.comparison(left, comparison, try operand(), options))
        }
        guard case .word(let word) = token.kind else { return node }
        // `a NOT IN b` is NOT (a IN b).
        if Keyword(word) == .not, isOperator(tokens[min(index + 1, tokens.count - 1)]) {
            let start = token
            index += 1
            return .predicate(.not(try predicate(operation(on: left, node), from: start)))
        }
        return try operation(on: left, node)
    }

    /// Whether a word stands between two operands.
    private func isOperator(_ token: Token) -> Bool {
        guard case .word(let word) = token.kind else { return false }
        return TextOperator(word: word) != nil || [.in, .between].contains(Keyword(word))
    }

    /// An operator that is a word, behind its left side; `node` where none comes next.
    private mutating func operation(on left: QueryExpression, _ node: Node) throws(QueryError) -> Node {
        guard case .word(let word) = token.kind else { return node }
        if let text = TextOperator(word: word) {
            index += 1
            let options = try stringOptions()
            return .predicate(.text(left, text, try operand(), options))
        }
        switch Keyword(word) {
        case .in:
            index += 1
            let options = try stringOptions()
            return .predicate(try membership(of: left, options))
        case .between:
            index += 1
            return .predicate(try bounds(of: left, options: stringOptions()))
        default:
            if word.uppercased() == "UTI", tokens[min(index + 1, tokens.count - 1)].kind == .sign("-") {
                throw unsupported("UTI-CONFORMS-TO and UTI-EQUALS: Linux has no types of files")
            }
            return node
        }
    }

    /// IN with its right side: collections joined by UNION, INTERSECT and MINUS, from left to right.
    private mutating func membership(
        of value: QueryExpression, _ options: StringOptions
    ) throws(QueryError) -> QueryPredicate {
        let first = QueryPredicate.isIn(value, try operand(), options)
        // Joined by AND or, behind UNION, by OR. What changes from one to the other nests, and printed it nests as deep.
        var (parts, isUnion) = ([first], nil as Bool?)
        func found(_ isUnion: Bool) -> QueryPredicate { isUnion ? .or(parts) : .and(parts) }
        var entered = 0
        defer { depth -= entered }
        while case .word(let word) = token.kind, let keyword = Keyword(word) {
            guard [.union, .intersect, .minus].contains(keyword) else { break }
            if let isUnion, isUnion != (keyword == .union) {
                for _ in 0..<2 {
                    try enter()
                    entered += 1
                }
                parts = [found(isUnion)]
            }
            isUnion = keyword == .union
            index += 1
            let next = QueryPredicate.isIn(value, try operand(), options)
            parts.append(keyword == .minus ? .not(next) : next)
        }
        return isUnion.map(found) ?? first
    }

    /// The keyword is next; a comparison whose left side is a key path or a list must follow.
    private mutating func quantified(_ quantifier: Quantifier) throws(QueryError) -> QueryPredicate {
        try enter()
        defer { depth -= 1 }
        index += 1
        try refuseQuantifier()
        if isNext(.subquery), index + 1 < tokens.count, tokens[index + 1].kind == .sign("(") {
            return try quantifiedSubquery(quantifier)
        }
        let start = token
        let part = try predicate(comparison(), from: start)
        if case .constant(.array(let values))? = part.left {
            return .quantified(quantifier, part.replacingLeft(.list(values.map(QueryExpression.constant))))
        }
        switch part.left?.withoutOuter {
        case .keyPath?, .list?: break
        case .call(let function, _)? where function.isElement: break
        case .identifier? where !variables.isEmpty: break
        default:
            throw QueryError(
                .syntax(expected: "a comparison of a key path, an array or a list behind \(quantifier.rawValue)"),
                part: part.description, position: start.position)
        }
        return .quantified(quantifier, part)
    }

    private mutating func bounds(
        of value: QueryExpression, options: StringOptions
    ) throws(QueryError) -> QueryPredicate {
        let start = token
        switch try operand() {
        case .list(let bounds) where bounds.count == 2: return .between(value, bounds[0], bounds[1], options)
        case .constant(.array(let bounds)) where bounds.count == 2:
            return .between(value, .constant(bounds[0]), .constant(bounds[1]), options)
        case .variable(let name):
            let bounds = [0 as Int64, 1].map {
                QueryExpression.call(.element, [.variable(name), .number(NumberLiteral($0))])
            }
            return .between(value, bounds[0], bounds[1], options)
        default:
            throw QueryError(
                .syntax(expected: "two bounds in braces behind BETWEEN"), part: start.source, position: start.position)
        }
    }

    /// The right side of an operator.
    private mutating func operand() throws(QueryError) -> QueryExpression {
        try refuseQuantifier()
        let start = token
        return try expression(sum(), from: start)
    }

    private mutating func stringOptions() throws(QueryError) -> StringOptions {
        guard isNext(sign: "[") else { return .none }
        index += 1
        guard case .word(let letters) = token.kind else { throw unexpected("the options c, d, n or l") }
        var options = StringOptions()
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.ignoresCase = true
            case "d": options.ignoresDiacritics = true
            case "n": options.isNormalized = true
            case "l": options.isLocalized = true
            default: throw unsupported("the string option '\(letter)'; there are c, d, n and l")
            }
        }
        index += 1
        try expect(sign: "]")
        return options
    }

    private static let comparisons: [String: ComparisonOperator] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
        "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]
}
