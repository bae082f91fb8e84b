import LoamStorage

/// Writes trees in format grammar. Key paths inside counts have their variables before them by then.
struct FormatPrinter {
    /// Whether constants are written with their types, and not as literals that take that of their neighbour.
    private let isExact: Bool
    /// What the names of the variables of counts begin with: no name of a variable without a value does.
    private let variableName: String

    init(_ expression: QueryExpression, isExact: Bool) {
        self.init(.comparison(expression, .equal, .constant(.null), .none), isExact: isExact)
    }

    init(_ predicate: QueryPredicate, isExact: Bool) {
        self.isExact = isExact
        let taken = predicate.variables
        var name = "x"
        while taken.contains(where: { $0.hasPrefix(name) }) { name += "x" }
        variableName = name
    }

    // MARK: Predicates

    func text(of predicate: QueryPredicate) -> String {
        switch predicate {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let left, let comparison, let right, let options):
            "\(text(of: left)) \(comparison.rawValue)\(options) \(text(of: right))"
        case .text(let left, let text, let right, let options):
            "\(self.text(of: left)) \(text.rawValue)\(options) \(self.text(of: right))"
        case .between(let value, let lower, let upper, let options):
            "\(text(of: value)) BETWEEN\(options) {\(text(of: lower)), \(text(of: upper))}"
        case .isIn(let value, let list, let options): "\(text(of: value)) IN\(options) \(text(of: list))"
        case .and(let parts): joined(parts, by: " AND ", neutral: true)
        case .or(let parts): joined(parts, by: " OR ", neutral: false)
        case .not(let part): "NOT " + nested(part)
        case .quantified(let quantifier, let part): "\(quantifier.rawValue) \(text(of: part))"
        }
    }

    private func joined(_ parts: [QueryPredicate], by separator: String, neutral: Bool) -> String {
        guard let first = parts.first else { return text(of: QueryPredicate.constant(neutral)) }
        return parts.count == 1 ? text(of: first) : parts.map(nested).joined(separator: separator)
    }

    /// In parentheses only what is not read as a part without: text does not nest deeper than what it was read from.
    private func nested(_ predicate: QueryPredicate) -> String {
        switch predicate {
        case .and(let parts), .or(let parts):
            parts.count == 1 ? nested(parts[0]) : parts.isEmpty ? text(of: predicate) : "(\(text(of: predicate)))"
        default: text(of: predicate)
        }
    }

    // MARK: Expressions

    func text(of expression: QueryExpression) -> String {
        switch expression {
        case .constant(let value): isExact ? value.exactText : value.formatText
        case .number(let literal): literal.text
        case .keyPath(let names): path(names)
        case .identifier: "SELF"
        case .variable(let name): "$" + name
        case .call(let function, let arguments): text(of: function, arguments)
        case .list(let elements): "{" + elements.map(text).joined(separator: ", ") + "}"
        case .count(let names, nil): path(names) + ".@count"
        case .count(let names, let predicate?):
            subquery(path(names), variable: expression.variable, predicate) + ".@count"
        case .aggregate(let aggregate, let collection):
            text(of: aggregate, collection, variable: expression.variable)
        case .conditional(let predicate, let first, let second):
            "TERNARY(\(text(of: predicate)), \(text(of: first)), \(text(of: second)))"
        case .outer(let expression): "outer(\(text(of: expression)))"
        }
    }

    private func text(
        of aggregate: Aggregate, _ collection: QueryCollection, variable: String
    ) -> String {
        switch collection {
        case .path(let names): "\(aggregate.rawValue)(\(path(names)))"
        case .list(let elements): "\(aggregate.rawValue)(\(text(of: .list(elements))))"
        case .elements(let array, nil, let members) where array.takesBrackets:
            text(of: array) + suffix(aggregate) + members.map { "." + path([$0]) }.joined()
        // Behind a function in parentheses no aggregate is read.
        case .elements(let array, let predicate, let members):
            subquery(text(of: array), variable: variable, predicate ?? .constant(true)) + suffix(aggregate)
                + members.map { "." + path([$0]) }.joined()
        case .rows(let names, let predicate, let value):
            subquery(path(names), variable: variable, predicate) + suffix(aggregate)
                + (value == .identifier ? "" : "." + text(of: value))
        }
    }

    /// What is asked of the rows of a subquery.
    private func suffix(_ aggregate: Aggregate) -> String {
        aggregate.isEnd ? "[\(aggregate.rawValue.uppercased())]" : ".@" + aggregate.rawValue
    }

    private func subquery(_ rows: String, variable: String, _ predicate: QueryPredicate) -> String {
        "SUBQUERY(\(rows), \(self.variable(variable)), \(text(of: predicate)))"
    }

    private func path(_ names: [String]) -> String {
        names.map { name in
            let text = QueryExpression.quotedName(name)
            return name.hasPrefix(QueryExpression.variableMark) ? variable(text) : text
        }.joined(separator: ".")
    }

    /// - Parameter name: `$x` and perhaps a number.
    private func variable(_ name: String) -> String { "$" + variableName + name.dropFirst(2) }

    // MARK: Functions

    private func text(of function: Function, _ arguments: [QueryExpression]) -> String {
        switch function.entry.notation {
        case .infix(let sign, let precedence) where arguments.count == 2:
            // A power is read from the right, and a sign before its base would be one of the whole.
            let isPower = precedence == Function.powerPrecedence
            let left = text(of: arguments[0], inside: isPower ? Self.atom : precedence)
            return "\(left) \(sign) \(text(of: arguments[1], inside: isPower ? precedence : precedence + 1))"
        case .prefix(let sign) where arguments.count == 1 && !(function == .negate && arguments[0].isNumber):
            let argument = arguments[0]
            let isSigned = precedence(of: argument) == Self.prefix
            return sign + (isSigned ? "(\(text(of: argument)))" : text(of: argument, inside: Function.powerPrecedence))
        case .cast(let type) where arguments.count == 1 && !arguments[0].isWrittenLiteral:
            return "CAST(\(text(of: arguments[0])), '\(type)')"
        case .brackets(let word?) where arguments.count == 1 && arguments[0].takesBrackets:
            return text(of: arguments[0]) + "[\(word)]"
        case .brackets(nil) where arguments.count == 2 && arguments[0].takesBrackets:
            let index = text(of: arguments[1])
            return text(of: arguments[0]) + (BracketWord(index) == nil ? "[\(index)]" : "[#\(index)]")
        case .call, .infix, .prefix, .cast, .brackets:
            return function.entry.calledName + "(" + arguments.map(text).joined(separator: ", ") + ")"
        }
    }

    private static let prefix = Function.powerPrecedence + 1
    private static let atom = prefix + 1

    /// How tightly an expression binds as it is printed: one in parentheses as a name does.
    private func precedence(of expression: QueryExpression) -> Int {
        switch expression {
        case .call(let function, let arguments):
            switch function.entry.notation {
            case .infix(_, let precedence) where arguments.count == 2: precedence
            case .prefix where !(function == .negate && arguments.first?.isNumber == true): Self.prefix
            default: Self.atom
            }
        // A sign that is part of a literal must not meet another one.
        case .number(let literal): literal.text.hasPrefix("-") ? Self.prefix : Self.atom
        default: Self.atom
        }
    }

    private func text(of expression: QueryExpression, inside level: Int) -> String {
        precedence(of: expression) < level ? "(\(text(of: expression)))" : text(of: expression)
    }
}

/// The words that stand in square brackets behind a collection.
enum BracketWord: String {
    case first, last, size

    init?(_ word: String) { self.init(rawValue: word.lowercased()) }
}

extension QueryExpression {
    fileprivate var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    /// Whether CAST makes a constant of it.
    fileprivate var isWrittenLiteral: Bool {
        switch self {
        case .number, .constant(.string), .list: true
        default: false
        }
    }

    /// Whether the grammar reads brackets, and an aggregate, behind what is printed of it.
    fileprivate var takesBrackets: Bool {
        switch self {
        case .keyPath, .variable, .identifier: true
        case .call(let function, let arguments):
            function.isElement && (arguments.first?.takesBrackets ?? false)
        default: false
        }
    }
}
