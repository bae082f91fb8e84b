/// What an index is for, and with it what its entries are.
package enum IndexKind: Hashable, Sendable {
    /// One entry for each row, in the order of the components.
    case ordered
    /// As ordered, and no two rows have the same values, but where one of them is nil.
    case unique
    /// The rows that a to-one relationship leads from, by target and place. Made with its relationship alone.
    case reference
    /// A kind of another version of Loam, by its name. Such an index is neither read nor maintained.
    case unknown(String)

    private static let known: [IndexKind] = [.ordered, .unique, .reference]

    /// The name under which catalogs and dumps keep the kind.
    package var name: String {
        switch self {
        case .ordered: "ordered"
        case .unique: "unique"
        case .reference: "reference"
        case .unknown(let name): name
        }
    }

    package init(_ name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    package var isKnown: Bool {
        if case .unknown = self { false } else { true }
    }
}

extension IndexKind: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(name)
    }
}
