/// What is computed of all rows of a group: their number, or something of the values at a key path.
///
/// Written `count()`, `count(country)`, `sum(population)`. Nil is no value: it is not counted, added or compared.
package struct GroupAggregate: Hashable, Sendable {
    package var function: AggregateFunction
    /// A key path or a function of one, written as in ``SortKey/path``; nil for the number of rows.
    package var path: String?

    package init(_ function: AggregateFunction, of path: String? = nil) {
        self.function = function
        self.path = path
    }

    /// The number of rows.
    package static let count = GroupAggregate(.count)

    /// The name of its column, as it is written.
    package var name: String { "\(function.rawValue)(\(path ?? ""))" }

    /// Reads an aggregate as it is written: a function's name with a key path in parentheses. `count(*)` is `count()`,
    /// and Core Data's `average:` spellings are taken too.
    ///
    /// - Throws: ``QueryError`` for a name that is no function, and where a function lacks its key path.
    package init(_ text: String) throws(QueryError) {
        let trimmed = text.trimming
        guard trimmed.last == ")", let start = trimmed.firstIndex(of: "(") else {
            throw QueryError(.invalidQuery("an aggregate is written as count() or sum(population)"), part: trimmed)
        }
        var name = String(trimmed[..<start]).trimming
        if name.last == ":" { name.removeLast() }
        guard let function = AggregateFunction(word: name) else {
            throw QueryError(
                .invalidQuery("the aggregates are count, sum, average, minimum and maximum"), part: trimmed)
        }
        let path = String(trimmed[trimmed.index(after: start)...].dropLast()).trimming
        guard function == .count || !path.isEmpty else {
            throw QueryError(.invalidQuery("\(function.rawValue) needs a key path in its parentheses"), part: trimmed)
        }
        self.init(function, of: path.isEmpty || path == "*" ? nil : path)
    }
}

/// A function of the values of many rows. A raw value is its name in a query.
package enum AggregateFunction: String, CaseIterable, Hashable, Sendable {
    case count, sum, average, minimum, maximum

    /// The function with this name, or with its short one.
    package init?(word: String) {
        switch word.lowercased() {
        case "avg": self = .average
        case "min": self = .minimum
        case "max": self = .maximum
        case let word: self.init(rawValue: word)
        }
    }
}

extension GroupAggregate: CustomStringConvertible {
    package var description: String { name }
}

extension StringProtocol {
    fileprivate var trimming: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
