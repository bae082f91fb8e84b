import LoamStorage

/// Expressions: sums of products of signed operands.
extension PredicateParser {
    mutating func sum() throws(QueryError) -> Node { try operations(precedence: 1) }

    /// The operators by how tightly they bind, each by its sign.
    private static let operators: [Int: [String: Function]] = {
        var operators: [Int: [String: Function]] = [:]
        for function in Function.allCases {
            guard case .infix(let sign, let precedence) = function.entry.notation else { continue }
            operators[precedence, default: [:]][sign] = function
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

    /// Operators of one precedence, from left to right, of operands that bind tighter.
    private mutating func operations(precedence: Int) throws(QueryError) -> Node {
        guard let operators = Self.operators[precedence] else { return try signed() }
        let start = token
        let node = try operations(precedence: precedence + 1)
        var entered = 0
        defer { depth -= entered }
        guard case .expression(var left) = node else { return node }
        while case .sign(let sign) = token.kind {
            guard sign != "**" else { throw unsupported("the power operator **") }
            guard let function = operators[sign] else { break }
            try enter()
            entered += 1
            index += 1
            let first = token
            let right = try expression(operations(precedence: precedence + 1), from: first)
            left = .call(function, [try expression(.expression(left), from: start), right])
        }
        return .expression(left)
    }

    private mutating func signed() throws(QueryError) -> Node {
        guard case .sign(let sign) = token.kind else { return try primary() }
        let function = Self.prefixes[sign]
        guard function != nil || sign == "+" else { return try primary() }
        try enter()
        defer { depth -= 1 }
        index += 1
        let start = token
        let value = try expression(signed(), from: start)
        guard let function else { return .expression(value) }
        if function == .negate, case .number(let literal) = value { return .expression(.number(literal.negated)) }
        return .expression(.call(function, [value]))
    }

    /// The name of the function that is called behind its first word: words and colons up to a parenthesis. Nil where
    /// none follows.
    private func calledName(_ first: String) -> String? {
        var (name, next) = (first, index)
        while next < tokens.count {
            switch tokens[next].kind {
            case .sign("("): return name
            case .sign(":"): name += ":"
            case .word(let word) where name.hasSuffix(":"): name += word
            default: return nil
            }
            next += 1
        }
        return nil
    }

    /// A function with its arguments in parentheses, behind the first word of its name.
    private mutating func call(_ name: String, start: Token) throws(QueryError) -> QueryExpression {
        guard let function = Function(named: name) else {
            let meant = Function.allCases.first { $0.entry.notation == .call && $0.entry.swiftName == name }
            let hint = meant.map { ", which is \($0.entry.calledName) here" } ?? ""
            throw unsupported("the function \(name)\(hint)", at: start)
        }
        try enter()
        defer { depth -= 1 }
        while !isNext(sign: "(") { index += 1 }
        index += 1
        let arguments = try expressions(before: ")")
        guard arguments.count == function.entry.parameters.count else {
            throw QueryError(argumentsOf: function, part: start.source, position: start.position)
        }
        return .call(function, arguments)
    }

    /// Expressions with commas between them, and the sign behind the last.
    private mutating func expressions(before closing: String) throws(QueryError) -> [QueryExpression] {
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
        case .valuePlaceholder: return .expression(.constant(try argument(for: start)))
        case .keyPathPlaceholder: return .expression(try substitutedKeyPath(start))
        case .escapedWord(let name): return .expression(try keyPath(from: name))
        case .word(let word): return try named(word, start: start)
        case .sign("("): return try parenthesized()
        case .sign("{"): return .expression(try list())
        case .variable(let name): return .expression(try variable(name, start: start))
        case .collectionOperator(let name): throw unsupported("the aggregate @\(name)", at: start)
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
        case .self: return .expression(try identifier())
        case .cast where isNext(sign: "("): return .expression(try cast(start))
        case .subquery: return .expression(try subquery())
        case .any, .someOf, .all, .noneOf: throw unsupported("the quantifier \(word) in this place", at: start)
        case .function, .ternary, .anyKey, .union, .intersect, .minus, .cast:
            throw unsupported("the expression \(word)", at: start)
        case .and, .or, .not, .in, .between: throw operatorInPlaceOfValue(word)
        case nil:
            guard TextOperator(word: word) == nil else { throw operatorInPlaceOfValue(word) }
            if let name = calledName(word) { return .expression(try call(name, start: start)) }
            return .expression(try keyPath(from: word))
        }
    }

    /// The error for an operator in the place of a value. The word of the operator was passed.
    private mutating func operatorInPlaceOfValue(_ word: String) -> QueryError {
        index -= 1
        return unexpected("a value or a key path (a property of that name is written #\(word))")
    }

    /// `SELF` is the row's identifier; before a dot it adds nothing.
    private mutating func identifier() throws(QueryError) -> QueryExpression {
        try keyPath([], levels: variables.count)
    }

    private mutating func keyPath(from first: String) throws(QueryError) -> QueryExpression {
        try keyPath([first], levels: variables.count)
    }

    /// The names that follow `first`.
    ///
    /// - Parameter levels: how many subqueries lie between the path and the row at which the path begins.
    private mutating func keyPath(_ first: [String], levels: Int) throws(QueryError) -> QueryExpression {
        var names = first
        while isNext(sign: ".") {
            index += 1
            if case .collectionOperator("count") = token.kind, !names.isEmpty {
                index += 1
                return .count(names, where: nil).outside(levels)
            }
            names.append(try member())
        }
        guard !isNext(sign: "[") else { throw unsupported("an index in square brackets") }
        guard !isNext(sign: "(") else { throw unsupported("the function \(names.joined(separator: "."))") }
        return (names.isEmpty ? .identifier : QueryExpression.keyPath(names)).outside(levels)
    }

    /// A variable of a subquery, behind its sign: the related row, or a key path from it.
    private mutating func variable(_ name: String, start: Token) throws(QueryError) -> QueryExpression {
        guard let depth = variables.lastIndex(of: name) else {
            throw unsupported("the variable $\(name), which no subquery around it has", at: start)
        }
        return try keyPath([], levels: variables.count - 1 - depth)
    }

    /// `SUBQUERY(path, $variable, predicate).@count`, behind the keyword.
    private mutating func subquery() throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        try expect(sign: "(")
        let first = token
        let collection = try expression(sum(), from: first)
        guard case .keyPath(let names) = collection.withoutOuter else {
            throw QueryError(
                .syntax(expected: "a key path"), part: collection.description, position: first.position)
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
        guard isNext(sign: ".") else { throw unexpected(".@count behind the subquery") }
        index += 1
        guard case .collectionOperator("count") = token.kind else { throw unexpected("@count") }
        index += 1
        return .count(names, where: inner).outside(collection.outerLevels)
    }

    private mutating func member() throws(QueryError) -> String {
        switch token.kind {
        case .word(let name), .escapedWord(let name):
            index += 1
            return name
        case .collectionOperator(let name): throw unsupported("the aggregate @\(name)")
        default: throw unexpected("a name behind the dot")
        }
    }

    private mutating func parenthesized() throws(QueryError) -> Node {
        try enter()
        defer { depth -= 1 }
        let node = try disjunction()
        try expect(sign: ")")
        return node
    }

    private mutating func list() throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        return .list(try expressions(before: "}"))
    }

    /// `CAST(literal, 'type')`: a constant of exactly that type.
    private mutating func cast(_ start: Token) throws(QueryError) -> QueryExpression {
        index += 1
        let operand = token
        let value = try expression(sum(), from: operand)
        try expect(sign: ",")
        guard case .string(let type) = token.kind else { throw unexpected("the name of a type in quotes") }
        index += 1
        try expect(sign: ")")
        guard let constant = CastLiteral.value(of: value, as: type) else {
            throw QueryError(
                .unsupported("CAST of anything but a literal of that type"), part: "\(value) as '\(type)'",
                position: start.position)
        }
        return .constant(constant)
    }

    private mutating func substitutedKeyPath(_ start: Token) throws(QueryError) -> QueryExpression {
        guard case .string(let text) = try argument(for: start) else {
            throw QueryError(.argumentType(expected: "a string for %K"), part: "%K", position: start.position)
        }
        if text == "SELF" || text == "self" { return .identifier.outside(variables.count) }
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else {
            throw QueryError(.argumentType(expected: "a key path for %K"), part: text, position: start.position)
        }
        guard !isNext(sign: ".") else { throw unexpected("an operator behind %K") }
        return .keyPath(names).outside(variables.count)
    }

    private mutating func argument(for placeholder: Token) throws(QueryError) -> Value {
        guard usedArguments < arguments.count else {
            let count = tokens.count { $0.kind == .valuePlaceholder || $0.kind == .keyPathPlaceholder }
            throw QueryError(
                .argumentCount(expected: count, found: arguments.count), part: placeholder.source,
                position: placeholder.position)
        }
        usedArguments += 1
        return arguments[usedArguments - 1]
    }
}
