extension PredicateParser {
    /// The tree of an expression alone, such as `length(name)`.
    ///
    /// - Throws: ``QueryError`` with the position of the part that cannot be read, and for a predicate.
    static func expression(_ format: String) throws(QueryError) -> QueryExpression {
        var parser = PredicateParser(tokens: try Lexer.tokens(of: format), arguments: [])
        let expression = try parser.expression(parser.sum(), from: parser.tokens[0])
        guard parser.token.kind == .end else { throw parser.unexpected("the end") }
        return expression
    }
}

extension SortKey {
    /// The key as predicates write it. What cannot be read is a key path of that name, which a fetch refuses.
    package var expression: QueryExpression {
        if Self.isFunction(path), let expression = try? PredicateParser.expression(path),
            case .call(_, let arguments) = expression, case .keyPath? = arguments.first, arguments.count < 3,
            arguments.dropFirst().allSatisfy(\.isConstant)
        {
            return expression
        }
        return .keyPath(path.split(separator: ".").map(String.init))
    }

    /// Whether a path is written as a function, if no property, and no key path with dots, is called so.
    static func isFunction(_ path: String) -> Bool {
        path.utf8.contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }
    }
}

extension QueryExpression {
    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}
