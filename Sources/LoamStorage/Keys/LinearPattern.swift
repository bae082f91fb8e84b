/// A pattern that is regular: whether a text matches follows from one pass over it, and from one more for each
/// look-around. ``LinearMatcher`` matches with it.
struct LinearPattern: Sendable {
    let main: Automaton
    /// The automata of the look-arounds, by the number of their fact. Each asks only for facts of those before it.
    let looks: [Automaton]
    let atoms: PatternAtoms
    /// The facts that all automata together ask for.
    let wanted: PatternFacts

    /// Makes the automata of a pattern; nil where it has parts that are not regular, or is too large.
    init?(_ pattern: ParsedPattern) {
        var parts = RegularParts()
        guard let tree = parts.regular(pattern.tree, isBehind: false) else { return nil }
        guard let main = Automaton(tree, search: .whole) else { return nil }
        let looks = parts.looks.compactMap { Automaton($0.tree, search: $0.isBehind ? .ends : .starts) }
        guard looks.count == parts.looks.count else { return nil }
        self.main = main
        self.looks = looks
        atoms = pattern.atoms
        wanted = looks.reduce(main.wanted) { $0.union($1.wanted) }
    }
}

/// Writes a tree with characters, conditions, alternatives and repetitions only, and its look-arounds beside it.
///
/// A part that matches only one way, as `a*+`, is regular where one look at the next character says that it has taken
/// all it can. Not so within a look-behind, where ICU ends the text at the position from which it looks; the same holds
/// for CR LF, which some parts take as one.
struct RegularParts {
    private(set) var looks: [(tree: PatternTree, isBehind: Bool)] = []

    /// The tree without look-arounds, possessive and atomic parts; nil where some part is not regular.
    mutating func regular(_ tree: PatternTree, isBehind: Bool) -> PatternTree? {
        switch tree {
        case .scalar, .atom, .folded, .condition: return tree
        case .lineBreak(let atom), .anything(let atom): return isBehind ? nil : Self.orCRLF(atom)
        case .sequence(let parts): return regular(parts, isBehind: isBehind).map(PatternTree.sequence)
        case .alternatives(let parts): return regular(parts, isBehind: isBehind).map(PatternTree.alternatives)
        case .group(_, let part): return regular(part, isBehind: isBehind)
        case .repeated(let part, let count) where count.manner == .possessive:
            return isBehind ? nil : part.singleScalar.flatMap { possessive($0, count: count) }
        case .repeated(let part, let count):
            return regular(part, isBehind: isBehind).map { .repeated($0, count) }
        case .atomic(let part): return atomic(part, isBehind: isBehind)
        case .look(let part, let look):
            guard let part = regular(part, isBehind: look.isBehind) else { return nil }
            return condition(part, look: look)
        case .reference: return nil
        }
    }

    private mutating func regular(_ parts: [PatternTree], isBehind: Bool) -> [PatternTree]? {
        var all: [PatternTree] = []
        for part in parts {
            guard let part = regular(part, isBehind: isBehind) else { return nil }
            all.append(part)
        }
        return all
    }

    private static func orCRLF(_ atom: Int) -> PatternTree {
        let one = PatternTree.sequence([.condition(.beforeCRLF, holds: false), .atom(atom)])
        return .alternatives([.sequence([.scalar("\r"), .scalar("\n")]), one])
    }

    private mutating func condition(_ part: PatternTree, look: PatternLook) -> PatternTree? {
        guard looks.count < PatternFacts.mostLooks else { return nil }
        looks.append((part, look.isBehind))
        return .condition(.look(looks.count - 1), holds: !look.isNegative)
    }

    /// A possessive repetition as a regular part: as many characters as may be taken, or fewer where a character of
    /// another kind follows.
    private mutating func possessive(_ part: PatternTree, count: PatternCount) -> PatternTree? {
        if let most = count.most, most <= count.least { return .repeated(part, PatternCount(least: most, most: most)) }
        guard let end = condition(part, look: PatternLook(isBehind: false, isNegative: true)) else { return nil }
        let fewer = PatternCount(least: count.least, most: count.most.map { $0 - 1 })
        let ended = PatternTree.sequence([.repeated(part, fewer), end])
        guard let most = count.most else { return ended }
        return .alternatives([.repeated(part, PatternCount(least: most, most: most)), ended])
    }

    private mutating func atomic(_ part: PatternTree, isBehind: Bool) -> PatternTree? {
        switch part {
        case .scalar, .atom, .folded, .condition, .lineBreak, .anything, .look, .atomic:
            return regular(part, isBehind: isBehind)
        case .sequence(let parts): return atomic(parts, isBehind: isBehind)
        case .group(_, let part): return atomic(part, isBehind: isBehind)
        case .repeated(let part, let count) where count.manner == .greedy:
            let possessive = PatternCount(least: count.least, most: count.most, manner: .possessive)
            return regular(.repeated(part, possessive), isBehind: isBehind)
        default: return nil
        }
    }

    /// An atomic sequence as a regular part; nil where a part other than the last may match in several ways. Going back
    /// into such a part could give the way that is tried first.
    private mutating func atomic(_ parts: [PatternTree], isBehind: Bool) -> PatternTree? {
        guard let last = parts.last else { return .sequence([]) }
        for part in parts.dropLast() {
            switch part {
            case .scalar, .atom, .folded, .condition, .lineBreak, .anything, .look: continue
            default: return nil
            }
        }
        guard let first = regular(Array(parts.dropLast()), isBehind: isBehind) else { return nil }
        return atomic(last, isBehind: isBehind).map { .sequence(first + [$0]) }
    }
}
