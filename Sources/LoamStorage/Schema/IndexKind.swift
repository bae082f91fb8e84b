/// What an index is for, and with it what its entries are.
package enum IndexKind: Hashable, Sendable {
    /// One entry for each row, in the order of the components.
    case ordered
    /// One entry for each row, in the order of the components. No two rows have the same values, unless one of the
    /// values is nil.
    case unique
    /// The rows that a to-one relationship leads from, by target and place. Made with its relationship alone.
    case reference
    /// An entry for each three code points that follow each other in a text without case and diacritics, so that parts
    /// of texts are found. A row has as many as it has, and they serve no order, no count and no constraint.
    case trigrams
    /// A kind of another version of Loam, by its name. Such an index is neither read nor maintained.
    case unknown(String)

    private static let known: [IndexKind] = [.ordered, .unique, .reference, .trigrams]

    /// The name under which catalogs and dumps keep the kind.
    package var name: String {
        switch self {
        case .ordered: "ordered"
        case .unique: "unique"
        case .reference: "reference"
        case .trigrams: "trigrams"
        case .unknown(let name): name
        }
    }

    package init(_ name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// Whether each row has one entry, whose key is the values of the components.
    package var hasEntryOfEachRow: Bool {
        switch self {
        case .ordered, .unique, .reference: true
        case .trigrams, .unknown: false
        }
    }

    package var isKnown: Bool {
        if case .unknown = self { false } else { true }
    }
}

extension IndexKind: Codable {
    /// Reads a kind by its name; one that this version does not know becomes ``unknown(_:)``.
    ///
    /// - Throws: `DecodingError` where there is no string.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(name)
    }
}
