import LoamQuery

/// A predicate that was given in an argument, with what is wrong in it marked.
struct FormatArgument {
    /// What is wrong, the predicate, and a mark below the place.
    struct Failure: Error, CustomStringConvertible {
        let error: QueryError
        let format: String

        var description: String {
            guard let position = error.position, format.unicodeScalars.allSatisfy(\.isPlain) else { return "\(error)" }
            return "\(error)\n  \(format)\n  " + String(repeating: " ", count: position) + "^"
        }
    }

    /// - Throws: ``Failure`` for what cannot be read.
    static func predicate(_ format: String) throws -> QueryPredicate {
        do {
            return try PredicateParser.parse(format)
        } catch {
            throw Failure(error: error, format: format)
        }
    }
}

extension Unicode.Scalar {
    /// Whether every terminal shows it in one column.
    fileprivate var isPlain: Bool { (" "..."~").contains(self) }
}
