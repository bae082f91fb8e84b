import Foundation
import LoamStorage

extension QueryExpression: CustomStringConvertible {
    /// The expression in format grammar.
    package var description: String { named([]).text }

    fileprivate var text: String {
        switch self {
        case .constant(let value): value.formatText
        case .number(let literal): literal.text
        case .keyPath(let names): names.map(Self.quotedName).joined(separator: ".")
        case .identifier: "SELF"
        case .call(let function, let arguments): Self.text(of: function, arguments)
        case .list(let elements): "{" + elements.map(\.text).joined(separator: ", ") + "}"
        case .count(let names, nil): Self.keyPath(names).text + ".@count"
        case .count(let names, let predicate?):
            "SUBQUERY(\(Self.keyPath(names).text), \(variable), \(predicate.text)).@count"
        case .outer(let expression): "outer(\(expression.text))"
        }
    }

    private static func text(of function: Function, _ arguments: [QueryExpression]) -> String {
        switch function.entry.notation {
        case .infix(let sign, let precedence) where arguments.count == 2:
            "\(arguments[0].text(inside: precedence)) \(sign) \(arguments[1].text(inside: precedence + 1))"
        case .prefix(let sign) where arguments.count == 1: sign + arguments[0].text(inside: 3)
        case .call, .infix, .prefix:
            function.entry.calledName + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
        }
    }

    private var precedence: Int {
        switch self {
        case .call(let function, _): function.entry.precedence
        // A sign that is part of a literal must not meet another one.
        case .number(let literal): literal.text.hasPrefix("-") ? 3 : 4
        default: 4
        }
    }

    private func text(inside level: Int) -> String {
        precedence < level || (level == 3 && precedence == 3) ? "(\(text))" : text
    }

    static func quotedName(_ name: String) -> String {
        if name.hasPrefix(variableMark) { return String(name.dropFirst(variableMark.count)) }
        if (try? Lexer.tokens(of: name).map(\.kind)) == [.word(name), .end] {
            return Keyword.reserves(name) ? "#" + name : name
        }
        return "#" + Value.quoted(name)
    }
}

extension QueryPredicate: CustomStringConvertible {
    /// The predicate in format grammar: parsing it gives the same tree.
    package var description: String { named([]).text }

    fileprivate var text: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let left, let comparison, let right, let options):
            "\(left.text) \(comparison.rawValue)\(options) \(right.text)"
        case .text(let left, let text, let right, let options): "\(left.text) \(text.rawValue)\(options) \(right.text)"
        case .between(let value, let lower, let upper, let options):
            "\(value.text) BETWEEN\(options) {\(lower.text), \(upper.text)}"
        case .isIn(let value, let list, let options): "\(value.text) IN\(options) \(list.text)"
        case .and(let parts): Self.joined(parts, by: " AND ", neutral: true)
        case .or(let parts): Self.joined(parts, by: " OR ", neutral: false)
        case .not(let part): "NOT " + part.nested
        case .quantified(let quantifier, let part): "\(quantifier.rawValue) \(part.text)"
        }
    }

    private static func joined(_ parts: [QueryPredicate], by separator: String, neutral: Bool) -> String {
        guard let first = parts.first else { return QueryPredicate.constant(neutral).text }
        return parts.count == 1 ? first.text : parts.map(\.nested).joined(separator: separator)
    }

    private var nested: String {
        switch self {
        case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1: "(\(text))"
        case .not: "(\(text))"
        default: text
        }
    }
}

extension Function.Entry {
    /// How tightly a call binds as it is printed: one in parentheses as a name does.
    fileprivate var precedence: Int {
        switch notation {
        case .infix(_, let precedence): precedence
        case .prefix: 2
        case .call: 4
        }
    }
}

extension StringOptions: CustomStringConvertible {
    package var description: String {
        let letters = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

extension Value {
    /// The value as a literal of the format grammar, with a cast where a bare literal would say something else.
    package var formatText: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "TRUE" : "FALSE"
        case .int(let value): String(value)
        case .uint(let value): String(value)
        case .float(let value): Self.cast(Double(value), text: "\(value)", type: "float")
        case .double(let value): Self.cast(value, text: "\(value)", type: "double")
        case .decimal(let value): Self.cast(value.description, type: "decimal")
        case .string(let value): Self.quoted(value)
        case .date(let value):
            ISO8601.text(of: value).map { "'\($0)'" }
                ?? Self.cast(value.seconds, text: "\(value.seconds)", type: "NSDate")
        case .uuid(let value): Self.quoted(value.uuidString)
        case .url(let value): Self.quoted(value.absoluteString)
        case .data(let value): Self.cast(Self.quoted(value.base64EncodedString()), type: "data")
        case .array(let values): "{" + values.map(\.formatText).joined(separator: ", ") + "}"
        // No literal of the grammar writes these; only messages show them.
        case .dictionary(let values): "a dictionary of \(values.count) elements"
        case .structure(let members): "a structure of \(members.count) members"
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }

    /// Infinities and NaN are no number literals; they are quoted.
    private static func cast(_ number: Double, text: String, type: String) -> String {
        cast(number.isNaN ? "'nan'" : number.isInfinite ? quoted(text) : text, type: type)
    }

    private static func cast(_ literal: String, type: String) -> String {
        "CAST(\(literal), '\(type)')"
    }
}
