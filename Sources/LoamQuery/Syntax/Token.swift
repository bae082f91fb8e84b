/// One word or sign of a format string.
struct Token: Hashable {
    enum Kind: Hashable {
        /// A name that may be a keyword.
        case word(String)
        /// A name written `#name`: never a keyword.
        case escapedWord(String)
        case string(String)
        case number(NumberLiteral)
        /// One of ``Lexer/signs``.
        case sign(String)
        case placeholder(Placeholder)
        /// `$name`
        case variable(String)
        /// `@name` inside a key path.
        case collectionOperator(String)
        case end
    }

    /// What an argument is put in the place of.
    enum Placeholder: Hashable {
        /// `%@` and `%K`.
        case value, keyPath
        /// As printf has them, whatever the width: `%d` and `%lu`, `%f` and `%lg`, `%s`, `%c`.
        case integer, number, text, character
    }

    var kind: Kind
    /// Unicode scalars before it in the format string.
    var position: Int
    /// The token as it was written, for messages.
    var source: String
}
