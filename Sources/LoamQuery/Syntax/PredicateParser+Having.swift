import LoamStorage

extension PredicateParser {
    /// The tree of a condition on groups: a predicate in which aggregates stand as they are written, such as
    /// `count() > 10 AND sum(population) >= 1e6`.
    ///
    /// An aggregate becomes a key path of its name (``GroupAggregate/name``).
    ///
    /// - Throws: ``QueryError``; its position counts from the beginning of the rewritten text.
    package static func parse(having text: String) throws(QueryError) -> QueryPredicate {
        try parse(Self.quotingAggregates(in: text))
    }

    /// The text with each aggregate as a quoted name. What stands in quotes is left alone, and so is a function that is
    /// no aggregate.
    static func quotingAggregates(in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "\"" || character == "'" {
                result += takeQuoted(&rest, by: character)
            } else if character.isLetter || character == "_" || character == "#" {
                result += takeName(&rest)
            } else if character.isNumber {
                // The exponent of a number is no name.
                let number = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
                result += number
                rest = rest.dropFirst(number.count)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func takeQuoted(_ rest: inout Substring, by quote: Character) -> String {
        var taken = String(quote)
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            taken.append(character)
            if character == quote { break }
            if character == "\\", let next = rest.popFirst() { taken.append(next) }
        }
        return taken
    }

    private static func takeName(_ rest: inout Substring) -> String {
        let name = rest.prefix(1) + rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
        let behind = rest.dropFirst(name.count)
        let gap = behind.prefix(while: \.isWhitespace)
        let call = behind.dropFirst(gap.count)
        let function = name.last == ":" ? name.dropLast() : name
        guard call.first == "(", AggregateFunction(word: String(function)) != nil,
            let end = closingParenthesis(of: call) ?? call.firstIndex(of: ")"),
            let aggregate = try? GroupAggregate(String(name) + String(call[...end]))
        else {
            rest = behind
            return String(name)
        }
        rest = call[call.index(after: end)...]
        return "#" + Value.quoted(aggregate.name)
    }

    /// Where the parenthesis closes with which a text begins; nil where it does not, as with a name that has another one.
    private static func closingParenthesis(of call: Substring) -> Substring.Index? {
        var (depth, quote): (Int, Character?) = (0, nil)
        for index in call.indices {
            switch call[index] {
            case let mark where mark == quote: quote = nil
            case _ where quote != nil: break
            case "'", "\"": quote = call[index]
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }
}
