/// The components of a key path, as Swift prints them: the accessors of computed properties by their address, stored
/// properties of structures by name, `?` and `!` for what is unwrapped.
///
/// A model's properties are computed, so what a key path leads through is told by comparing its text with that of the
/// key paths that `@Model` wrote down. Two accessors never print alike; where one accessor prints differently in two
/// modules, the property is not found, and no other one is taken for it.
struct KeyPathText {
    private var rest: Substring.UTF8View

    init(_ keyPath: AnyKeyPath) {
        let root = "\\" + String(describing: type(of: keyPath).rootType)
        let text = keyPath.debugDescription
        rest = (text.hasPrefix(root) ? text.dropFirst(root.count) : "").utf8
    }

    /// Whether nothing is left but what makes the value optional, where something before it was unwrapped, or unwraps it.
    var isAtEnd: Bool { rest.isEmpty || rest.elementsEqual("?".utf8) || rest.elementsEqual("!".utf8) }

    /// Whether the value is unwrapped by `!` next.
    var isForced: Bool { rest.first == UInt8(ascii: "!") }

    /// Passes the components of another key path; false, and nothing is passed, where others come next.
    mutating func pass(_ components: KeyPathText) -> Bool {
        guard !components.rest.isEmpty, rest.starts(with: components.rest) else { return false }
        let behind = rest.dropFirst(components.rest.count)
        guard behind.first.map({ Self.ends.contains($0) }) ?? true else { return false }
        rest = behind
        return true
    }

    /// Passes `?` or `!`, where a component follows it.
    mutating func passUnwrapping() {
        guard let first = rest.first, Self.unwrappings.contains(first), rest.dropFirst().first == Self.dot else {
            return
        }
        rest = rest.dropFirst()
    }

    /// Passes a stored property of a structure, and gives its name; nil, and nothing is passed, where none comes next.
    mutating func passName() -> String? {
        guard rest.first == Self.dot else { return nil }
        let name = rest.dropFirst().prefix { !Self.ends.contains($0) }
        guard let first = name.first, first != UInt8(ascii: "<") else { return nil }
        rest = rest.dropFirst(name.count + 1)
        return String(Substring(name))
    }

    private static let dot = UInt8(ascii: ".")
    private static let unwrappings: Set<UInt8> = [UInt8(ascii: "?"), UInt8(ascii: "!")]
    private static let ends: Set<UInt8> = unwrappings.union([dot])
}
