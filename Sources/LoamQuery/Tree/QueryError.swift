import LoamStorage

/// What is wrong with a query: a case to act on, and the part that it is about.
///
/// Messages are constant sentences that say the way out. Unlike the storage layer's errors they show the offending
/// part of the query, which the caller wrote.
package struct QueryError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The format string does not follow the grammar.
        case syntax(expected: String)
        /// The grammar knows it, this version cannot run it: the word says what it is.
        case unsupported(String)
        /// The predicate nests deeper than the limit; each step along a relationship is a level.
        case tooDeep(limit: Int)
        /// A constant has more arrays, dictionaries and structures inside each other than any row's value.
        case valueTooDeep(limit: Int)
        /// The format string has more or fewer placeholders than there are arguments.
        case argumentCount(expected: Int, found: Int)
        /// The argument of a placeholder cannot stand there.
        case argumentType(expected: String)
        case unknownEntity
        case unknownProperty(entity: String)
        /// The two sides cannot be compared, or the operator does not apply to the type.
        case typeMismatch(String)
        /// A literal that does not read as the type that stands beside it.
        case invalidLiteral(type: String)
        /// The pattern of MATCHES is malformed.
        case invalidPattern
        /// The pattern of MATCHES can match some row's text in so many ways that trying them was given up, and has
        /// parts that no text can be matched with in one go: back-references, possessive or atomic groups, more than 16
        /// look-arounds, or counts that come to 5,000 characters. Or it is one of the few patterns that ICU alone reads,
        /// and the text is longer than ICU has room for.
        case costlyPattern
        /// A part of the query besides the predicate makes no sense: a limit, a sort key, a section.
        case invalidQuery(String)
        /// The sum of the values of a group does not fit into its type.
        case sumOutOfRange(type: String)
    }

    package var kind: Kind
    /// The offending part, in format grammar.
    package var part: String?
    /// Where the part begins in the format string: Unicode scalars from 0.
    package var position: Int?
    /// The name that may have been meant.
    package var suggestion: String?

    package init(_ kind: Kind, part: String? = nil, position: Int? = nil, suggestion: String? = nil) {
        self.kind = kind
        self.part = part
        self.position = position
        self.suggestion = suggestion
    }
}

extension QueryError {
    /// A call with more or fewer arguments than the function takes.
    init(argumentsOf function: Function, part: String, position: Int? = nil) {
        let (name, count) = (function.entry.name, function.entry.parameters.count)
        let arguments = count == 1 ? "1 argument" : count == 0 ? "no argument" : "\(count) arguments"
        self.init(.syntax(expected: "\(arguments) of \(name)"), part: part, position: position)
    }
}

extension QueryError: CustomStringConvertible {
    package var description: String {
        var text = kind.message
        if let part { text += " Part: \(part)" }
        if let suggestion { text += (part == nil ? "" : ".") + " Did you mean \(suggestion)?" }
        if let position { text += " (character \(position + 1))" }
        return text
    }
}

extension QueryError.Kind {
    /// The sentence that people read; each stands here once.
    package var message: String {
        switch self {
        case .syntax(let expected): "The predicate cannot be read: expected \(expected)."
        case .unsupported(let what): "Not supported: \(what)."
        case .tooDeep(let limit): "The predicate nests deeper than \(limit) levels."
        case .valueTooDeep(let limit):
            "A value that rows are compared with nests deeper than the \(limit) levels that a row can have: none equals it."
        case .argumentCount(let expected, let found):
            "The predicate has \(expected) placeholders, but there are \(found) arguments."
        case .argumentType(let expected): "The argument cannot be used here: expected \(expected)."
        case .unknownEntity: "There is no entity of this name."
        case .unknownProperty(let entity): "Entity \(entity) has no property at this key path."
        case .typeMismatch(let why): "The types do not fit: \(why)."
        case .invalidLiteral(let type): "The literal cannot be read as \(type)."
        case .invalidPattern: "The pattern is not a valid regular expression."
        case .costlyPattern:
            "The pattern can match a row's text in too many ways, so nobody knows whether it does. Write it with one "
                + "way, as a+ in place of (a+)+, or without back-references, possessive or atomic groups and counts in "
                + "the thousands: then it is matched in one go."
        case .invalidQuery(let why): "The query makes no sense: \(why)."
        case .sumOutOfRange(let type):
            "The sum of the values does not fit into \(type). Ask for their average, or for the sums of smaller groups."
        }
    }
}
