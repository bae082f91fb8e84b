import LoamStorage

/// An index that a query lacks.
public struct AdvisedIndex: Hashable, Sendable {
    /// What an index has entries for. The raw values stand in JSON; those of a later version may have others than these
    /// here.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The name in JSON.
        public let rawValue: String

        /// The kind of a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The values of its components, in their order.
        public static let ordered = Kind(rawValue: "ordered")
        /// Each three letters that follow each other in a text, for parts of texts.
        public static let trigrams = Kind(rawValue: "trigrams")
    }

    /// The entity whose rows it is over.
    public let entity: String
    /// What it has entries for.
    public let kind: Kind
    /// Its components, as `loam index STORE add ENTITY` takes them between commas: `fold(name)`, `-population`.
    public let components: [String]

    init(entity: String, kind: Kind = .ordered, components: [String]) {
        (self.entity, self.kind, self.components) = (entity, kind, components)
    }

    /// - Parameter index: one of trigrams, or else an ordered one.
    init(_ index: IndexDefinition, entity: String) {
        let isOfTrigrams = index.kind == .trigrams
        self.init(
            entity: entity, kind: isOfTrigrams ? .trigrams : .ordered,
            components: index.components.map(isOfTrigrams ? \.written : \.description))
    }

    /// The command that adds it, for a shell; nil where a name has characters that the command takes for its own, and for
    /// a kind that is not known here.
    ///
    /// ```
    /// loam index world.loam add City 'lowercase(name),-population'
    /// loam index world.loam add City name --trigrams
    /// ```
    ///
    /// - Parameter store: the path of the store.
    public func command(store: String = "STORE") -> String? {
        guard let options, components.allSatisfy(Self.isWritten), !entity.isEmpty, entity.first != "-" else {
            return nil
        }
        let words = ["loam", "index", store, "add", entity, components.joined(separator: ",")] + options
        return words.map(Self.quoted).joined(separator: " ")
    }

    /// What the command takes for the kind behind the components; nil for one that is not known.
    private var options: [String]? {
        switch kind {
        case .ordered: []
        case .trigrams: ["--trigrams"]
        default: nil
        }
    }

    /// Where it is, in words.
    ///
    /// - Parameter entity: the one that is asked about, which is not named.
    func words(in entity: String) -> String {
        let kind =
            switch self.kind {
            case .ordered: ""
            case .trigrams: "of trigrams "
            default: "of the kind \(self.kind.rawValue) "
            }
        let place = self.entity == entity ? "" : self.entity + " "
        return "\(kind)on \(place)(\(components.joined(separator: ", ")))"
    }

    /// Whether a component is names joined by dots, in a function or a form, so that nothing in it is taken for something
    /// else: a comma, a parenthesis, a sign or a space in a name would be.
    private static func isWritten(_ component: String) -> Bool {
        var rest = component[...]
        if rest.first == "-" { rest = rest.dropFirst() }
        while let start = rest.firstIndex(of: "("), rest.last == ")", rest[..<start].allSatisfy({ $0.isLetter }) {
            rest = rest[rest.index(after: start)...].dropLast()
        }
        if rest.last == "'", let comma = rest.firstIndex(of: ",") { rest = rest[..<comma] }
        return !rest.isEmpty && rest.first != "-" && rest.first != "+"
            && !rest.contains { $0.isWhitespace || "(),'\"".contains($0) }
    }

    /// The word as a shell takes it for one.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_.,/:@%+=".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension AdvisedIndex: Codable {
    private enum Key: String, CodingKey { case entity, kind, components }

    /// Reads an index. Where no kind is told, as by versions up to 2, it is an ordered one.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            entity: try values.decode(String.self, forKey: .entity),
            kind: try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .ordered,
            components: try values.decode([String].self, forKey: .components))
    }
}
