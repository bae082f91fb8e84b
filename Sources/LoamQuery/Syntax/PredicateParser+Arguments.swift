import LoamStorage

/// What stands in the places of placeholders.
extension PredicateParser {
    mutating func substitutedKeyPath(_ start: Token) throws(QueryError) -> QueryExpression {
        guard case .constant(.string(let text)) = try argument(.keyPath, for: start) else {
            throw QueryError(.argumentType(expected: "a string for %K"), part: start.source, position: start.position)
        }
        if text == "SELF" || text == "self" { return try keyPath([]) }
        let names = try names(of: text, at: start)
        guard let place = names.firstIndex(where: { $0.hasPrefix("@") }) else { return try keyPath(names) }
        return try aggregate(
            String(names[place].dropFirst()), of: Array(names[..<place]), then: Array(names[(place + 1)...]),
            levels: variables.count)
    }

    /// The names of a `%K` inside a key path.
    mutating func substitutedNames(_ start: Token) throws(QueryError) -> [String] {
        guard case .constant(.string(let text)) = try argument(.keyPath, for: start) else {
            throw QueryError(.argumentType(expected: "a string for %K"), part: start.source, position: start.position)
        }
        return try names(of: text, at: start)
    }

    private func names(of text: String, at start: Token) throws(QueryError) -> [String] {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(""), !text.contains("\u{0}") else {
            throw QueryError(.argumentType(expected: "a key path for %K"), part: text, position: start.position)
        }
        return names
    }

    /// The next argument, which has to be what its placeholder says.
    mutating func argument(_ placeholder: Token.Placeholder, for token: Token) throws(QueryError) -> QueryExpression {
        guard usedArguments < arguments.count else {
            throw QueryError(
                .argumentCount(expected: placeholderCount, found: arguments.count), part: token.source,
                position: token.position)
        }
        usedArguments += 1
        let argument = arguments[usedArguments - 1]
        var value = Value.null
        if case .constant(let constant) = argument { value = constant }
        guard let expected = placeholder.refusal(of: value) else { return argument }
        throw QueryError(
            .argumentType(expected: "\(expected) for \(token.source)"), part: argument.description,
            position: token.position)
    }

    private var placeholderCount: Int {
        tokens.count { if case .placeholder = $0.kind { true } else { false } }
    }
}

extension Token.Placeholder {
    /// What it takes, where that is not the value; nil where it is.
    fileprivate func refusal(of value: Value) -> String? {
        switch (self, value) {
        case (.value, _), (.keyPath, _), (.integer, .int), (.integer, .uint), (.integer, .bool): nil
        case (.number, .int), (.number, .uint), (.number, .float), (.number, .double), (.number, .decimal): nil
        case (.text, .string): nil
        case (.character, .string(let text)) where text.count == 1: nil
        case (.integer, _): "a whole number"
        case (.number, _): "a number"
        case (.text, _): "a string"
        case (.character, _): "a string of one character"
        }
    }
}
