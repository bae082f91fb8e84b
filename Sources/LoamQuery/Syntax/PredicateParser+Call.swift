import LoamStorage

/// Functions with their arguments in parentheses.
extension PredicateParser {
    /// The name of the function that is called behind its first word: words and colons up to a parenthesis. Nil where
    /// none follows.
    func calledName(_ first: String) -> String? {
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
    mutating func call(_ name: String, start: Token) throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        while !isNext(sign: "(") { index += 1 }
        if name == "castObject:toType:" || name == "castObject" { return try cast(start) }
        guard let aggregate = Aggregate(named: name) else {
            guard let function = Function(named: name) else { throw unknownFunction(name, at: start) }
            index += 1
            return try call(function, of: expressions(before: ")"), start: start)
        }
        index += 1
        return try self.aggregate(aggregate, of: expressions(before: ")"), start: start)
    }

    private func call(
        _ function: Function, of arguments: [QueryExpression], start: Token
    ) throws(QueryError) -> QueryExpression {
        var arguments = arguments
        let parameters = function.entry.parameters
        if function.entry.takesTimeZone, arguments.count == parameters.count - 1 {
            arguments.append(.constant(.string(Zone.utc)))
        }
        guard arguments.count == parameters.count else {
            throw QueryError(argumentsOf: function, part: start.source, position: start.position)
        }
        return .call(function, arguments)
    }

    /// An aggregate of a path, of a list, or of several values.
    private func aggregate(
        _ aggregate: Aggregate, of arguments: [QueryExpression], start: Token
    ) throws(QueryError) -> QueryExpression {
        guard let first = arguments.first else {
            throw QueryError(
                .syntax(expected: "a collection for \(aggregate.rawValue)"), part: start.source,
                position: start.position)
        }
        if arguments.count == 1 {
            switch first.withoutOuter {
            case .keyPath(let names):
                return QueryExpression.aggregate(aggregate, of: .path(names)).outside(first.outerLevels)
            // `count(SUBQUERY(…))` is what stands behind it, and a count of that.
            case .list(let elements): return .aggregate(aggregate, of: .list(elements))
            case .constant(.array(let values)):
                return .aggregate(aggregate, of: .list(values.map(QueryExpression.constant)))
            default: break
            }
        }
        return .aggregate(aggregate, of: .list(arguments))
    }

    private func unknownFunction(_ name: String, at start: Token) -> QueryError {
        if let reason = Self.refused[String(name.prefix { $0 != ":" })] {
            return unsupported("the function \(name): \(reason)", at: start)
        }
        let meant = Function.allCases.first { $0.entry.notation == .call && $0.entry.swiftName == name }
        let hint = meant.map { ", which is \($0.entry.calledName) here" } ?? ""
        var error = unsupported("the function \(name)\(hint)", at: start)
        let known = Function.allCases.map(\.entry.calledName) + Aggregate.named.map(\.rawValue)
        if meant == nil { error.suggestion = NearestName.of(name, among: known) }
        return error
    }

    /// What Core Data knows, and why it has no answer here.
    private static let refused = [
        "random": "each plan would give another answer", "randomn": "each plan would give another answer",
        "distanceToLocation": "no attribute is a location",
    ]

    /// `TERNARY(predicate, value, other)`, behind the keyword.
    mutating func conditional() throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        index += 1
        let start = token
        let condition = try predicate(disjunction(), from: start)
        try expect(sign: ",")
        let first = token
        let value = try expression(sum(), from: first)
        try expect(sign: ",")
        let second = token
        let other = try expression(sum(), from: second)
        try expect(sign: ")")
        return .conditional(condition, value, other)
    }

    /// `FUNCTION(value, 'selector:', argument)`, behind the keyword: the function of that name, or the method of
    /// Foundation's that does the same.
    mutating func function(_ start: Token) throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        index += 1
        var arguments = try expressions(before: ")")
        guard arguments.count >= 2, case .constant(.string(let selector)) = arguments.remove(at: 1) else {
            throw QueryError(
                .syntax(expected: "a value and the name of a function in quotes behind FUNCTION"), part: start.source,
                position: start.position)
        }
        if let aggregate = Aggregate(named: selector), Self.methods[selector] == nil {
            return try self.aggregate(aggregate, of: arguments, start: start)
        }
        guard let function = Self.methods[selector] ?? Function(named: selector) else {
            throw unknownFunction(selector, at: start)
        }
        return try call(function, of: arguments, start: start)
    }

    private static let methods: [String: Function] = [
        "lowercaseString": .lowercase, "uppercaseString": .uppercase, "doubleValue": .toDouble,
        "floatValue": .toFloat, "intValue": .toInteger, "integerValue": .toInteger, "longLongValue": .toInteger,
        "unsignedLongLongValue": .toUnsigned, "boolValue": .toBool, "stringValue": .toString,
        "decimalValue": .toDecimal, "objectAtIndex:": .element, "objectForKey:": .element, "valueForKey:": .element,
        "firstObject": .first, "lastObject": .last,
    ]

    /// `CAST(value, 'type')`: of a literal a constant of exactly that type, of anything else a conversion. The
    /// parenthesis is next.
    mutating func cast(_ start: Token) throws(QueryError) -> QueryExpression {
        try enter()
        defer { depth -= 1 }
        index += 1
        let operand = token
        let value = try expression(sum(), from: operand)
        try expect(sign: ",")
        guard case .string(let type) = token.kind else { throw unexpected("the name of a type in quotes") }
        index += 1
        try expect(sign: ")")
        if let constant = CastLiteral.value(of: value, as: type) { return .constant(constant) }
        if !value.isLiteral || value.isCall, let function = CastLiteral.conversion(to: type) {
            return .call(function, [value])
        }
        var error = QueryError(
            .unsupported(
                value.isLiteral
                    ? "CAST of anything but a literal of that type"
                    : "CAST to this type; there are \(CastLiteral.conversions.joined(separator: ", "))"),
            part: "\(value) as '\(type)'", position: start.position)
        error.suggestion = NearestName.of(type, among: CastLiteral.conversions)
        throw error
    }
}

extension QueryExpression {
    /// Whether it is computed, be it of literals alone.
    fileprivate var isCall: Bool {
        switch self {
        case .call, .variable, .constant(.date), .constant(.uuid), .constant(.int), .constant(.uint),
            .constant(.double),
            .constant(.float), .constant(.decimal), .constant(.bool), .constant(.url), .constant(.array),
            .constant(.null), .constant(.data), .constant(.dictionary), .constant(.structure):
            true
        default: false
        }
    }
}
