/// Looking at tokens, and what is said when they do not fit.
extension PredicateParser {
    /// The next token; the end is never passed.
    var token: Token {
        tokens[min(index, tokens.count - 1)]
    }

    func isNext(_ keyword: Keyword) -> Bool {
        if case .word(let word) = token.kind { Keyword(word) == keyword } else { false }
    }

    func isNext(sign: String) -> Bool {
        token.kind == .sign(sign)
    }

    mutating func expect(sign: String) throws(QueryError) {
        guard isNext(sign: sign) else { throw unexpected("'\(sign)'") }
        index += 1
    }

    /// Goes one level deeper. Whoever calls this takes the level back.
    mutating func enter() throws(QueryError) {
        guard depth < Self.depthLimit else {
            throw QueryError(.tooDeep(limit: Self.depthLimit), position: token.position)
        }
        depth += 1
    }

    func predicate(_ node: Node, from start: Token) throws(QueryError) -> QueryPredicate {
        switch node {
        case .predicate(let predicate): return predicate
        case .expression(let expression):
            throw QueryError(
                .syntax(expected: "a comparison"), part: expression.description, position: start.position)
        }
    }

    func expression(_ node: Node, from start: Token) throws(QueryError) -> QueryExpression {
        switch node {
        case .expression(let expression): return expression
        case .predicate(let predicate):
            throw QueryError(
                .syntax(expected: "a value, not a comparison"), part: predicate.description, position: start.position)
        }
    }

    /// The quantifier that comes next.
    var quantifier: Quantifier? {
        guard case .word(let word) = token.kind else { return nil }
        switch Keyword(word) {
        case .any, .someOf: return .any
        case .all: return .all
        case .noneOf: return Quantifier.none
        default: return nil
        }
    }

    func refuseQuantifier() throws(QueryError) {
        if quantifier != nil { throw unsupported("the quantifier \(token.source) in this place") }
    }

    func unexpected(_ expected: String) -> QueryError {
        QueryError(
            .syntax(expected: expected), part: token.kind == .end ? "the end" : token.source, position: token.position)
    }

    func unsupported(_ what: String, at token: Token? = nil) -> QueryError {
        let token = token ?? self.token
        return QueryError(.unsupported(what), part: token.source, position: token.position)
    }
}
