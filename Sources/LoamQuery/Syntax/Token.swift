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
        /// `%@` and `%K`.
        case valuePlaceholder, keyPathPlaceholder
        /// `$name`
        case variable(String)
        /// `@name` inside a key path.
        case collectionOperator(String)
        case end
    }

    var kind: Kind
    /// Unicode scalars before it in the format string.
    var position: Int
    /// The token as it was written, for messages.
    var source: String
}
