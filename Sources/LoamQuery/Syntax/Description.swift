import LoamStorage

extension QueryExpression: CustomStringConvertible {
    /// The expression in format grammar, as messages show it.
    package var description: String { FormatPrinter(self, isExact: false).text(of: named([])) }

    static func quotedName(_ name: String) -> String {
        if name.hasPrefix(variableMark) { return String(name.dropFirst(variableMark.count)) }
        if (try? Lexer.tokens(of: name).map(\.kind)) == [.word(name), .end] {
            return Keyword.reserves(name) ? "#" + name : name
        }
        return "#" + Value.quoted(name)
    }
}

extension QueryPredicate: CustomStringConvertible {
    /// The predicate in format grammar, as messages show it. Where it has no typed constants, parsing it gives the same
    /// tree; see ``format``.
    package var description: String { FormatPrinter(self, isExact: false).text(of: named([])) }

    /// The predicate in format grammar: parsing it gives the same tree, whichever language that came from.
    ///
    /// A constant that knows its type is written with it, as `CAST(5, 'int64')`; AND and OR have two parts or more, and
    /// `outer` stands around what reads a row, as the parser and `#Predicate` make them.
    package var format: String { FormatPrinter(self, isExact: true).text(of: named([])) }
}

extension StringOptions: CustomStringConvertible {
    package var description: String {
        let letters = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
        let others = (isNormalized ? "n" : "") + (isLocalized ? "l" : "")
        return letters.isEmpty && others.isEmpty ? "" : "[\(letters)\(others)]"
    }
}
