/// An index that a query lacks.
public struct AdvisedIndex: Hashable, Sendable, Codable {
    /// The entity whose rows it is over.
    public let entity: String
    /// Its components, as `loam index STORE add ENTITY` takes them between commas: `fold(name)`, `-population`.
    public let components: [String]

    init(entity: String, components: [String]) { (self.entity, self.components) = (entity, components) }

    /// The command that adds it, for a shell; nil where a name has characters that the command takes for its own.
    ///
    /// ```
    /// loam index world.loam add City 'lowercase(name),-population'
    /// ```
    ///
    /// - Parameter store: the path of the store.
    public func command(store: String = "STORE") -> String? {
        guard components.allSatisfy(Self.isWritten), !entity.isEmpty, entity.first != "-" else { return nil }
        let words = ["loam", "index", store, "add", entity, components.joined(separator: ",")]
        return words.map(Self.quoted).joined(separator: " ")
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
