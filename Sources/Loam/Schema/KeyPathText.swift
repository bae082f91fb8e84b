/// The components of a key path, as Swift prints them: stored properties of structures by name, `?` and `!` for what is
/// unwrapped, and computed properties, which have no name there, by their identity (``ComputedComponents``).
///
/// A model's properties are computed, so what a key path leads through is told by comparing its components with the key
/// paths that `@Model` wrote down.
struct KeyPathText {
    private enum Component: Equatable {
        case computed(ComputedComponents.Identity)
        case name(String)
        case chaining
        case forcing
        /// A computed property of which nothing is known, or what is printed in no known way.
        case unknown

        var isUnwrapping: Bool { self == .chaining || self == .forcing }
    }

    private var rest: ArraySlice<Component>

    init(_ keyPath: AnyKeyPath) {
        let root = "\\" + String(describing: type(of: keyPath).rootType)
        let text = keyPath.debugDescription
        guard text.hasPrefix(root) else {
            rest = [.unknown]
            return
        }
        var printed = Printed(rest: text.dropFirst(root.count).utf8)
        var computed = ComputedComponents(of: keyPath)
        var components: [Component] = []
        while let next = printed.next() {
            switch next {
            case .chaining: components.append(.chaining)
            case .forcing: components.append(.forcing)
            case .name(let name): components.append(.name(name))
            case .computed(let getter):
                components.append(computed?.identity(ofGetter: getter).map(Component.computed) ?? .unknown)
            }
        }
        rest = components[...]
    }

    /// Whether nothing is left but what makes the value optional, where something before it was unwrapped, or unwraps it.
    var isAtEnd: Bool { rest.isEmpty || rest.count == 1 && rest.first?.isUnwrapping == true }

    /// Whether the value is unwrapped by `!` next.
    var isForced: Bool { rest.first == .forcing }

    /// Passes the components of another key path; false, and nothing is passed, where others come next.
    mutating func pass(_ components: KeyPathText) -> Bool {
        guard !components.rest.isEmpty, !components.rest.contains(.unknown), rest.starts(with: components.rest) else {
            return false
        }
        rest = rest.dropFirst(components.rest.count)
        return true
    }

    /// Passes `?` or `!`, where a component follows it.
    mutating func passUnwrapping() {
        if rest.count > 1, rest.first?.isUnwrapping == true { rest = rest.dropFirst() }
    }

    /// Passes a stored property of a structure, and gives its name; nil, and nothing is passed, where none comes next.
    mutating func passName() -> String? {
        guard case .name(let name) = rest.first else { return nil }
        rest = rest.dropFirst()
        return name
    }
}

extension KeyPathText {
    /// What is printed behind the root: `.<computed 0x55d0 (Optional<Course>)>?.name?`.
    private struct Printed {
        enum Component {
            /// With the address of its getter.
            case computed(UInt)
            case name(String)
            case chaining
            case forcing
        }

        var rest: Substring.UTF8View

        /// What is printed in no known way is a name, which no property has.
        mutating func next() -> Component? {
            guard let first = rest.first else { return nil }
            if first == Self.question || first == Self.exclamation {
                rest = rest.dropFirst()
                return first == Self.question ? .chaining : .forcing
            }
            if first == Self.dot { rest = rest.dropFirst() }
            if let getter = passComputed() { return .computed(getter) }
            let name = rest.prefix { !Self.ends.contains($0) }
            // Neither a name nor the end of one.
            guard let text = String(name), !text.isEmpty else {
                rest = rest.dropFirst(rest.count)
                return .name("")
            }
            rest = rest.dropFirst(name.count)
            return .name(text)
        }

        /// Passes `<computed 0x55d0 (Optional<Course>)>`, and gives the address.
        private mutating func passComputed() -> UInt? {
            guard rest.starts(with: Self.prefix) else { return nil }
            let digits = rest.dropFirst(Self.prefix.count).prefix { $0 != Self.space }
            guard let text = String(digits), let getter = UInt(text, radix: 16) else { return nil }
            // Types can have parentheses and angle brackets, too: the component ends where another one may begin.
            var behind = rest.dropFirst(Self.prefix.count + digits.count)
            while let end = behind.firstIndex(of: Self.parenthesis) {
                behind = behind[behind.index(after: end)...]
                guard behind.first == Self.bracket else { continue }
                let next = behind.dropFirst()
                guard next.first.map(Self.ends.contains) ?? true else { continue }
                rest = next
                return getter
            }
            return nil
        }

        private static let prefix = Array("<computed 0x".utf8)
        private static let dot = UInt8(ascii: ".")
        private static let question = UInt8(ascii: "?")
        private static let exclamation = UInt8(ascii: "!")
        private static let space = UInt8(ascii: " ")
        private static let parenthesis = UInt8(ascii: ")")
        private static let bracket = UInt8(ascii: ">")
        private static let ends = [dot, question, exclamation]
    }
}
