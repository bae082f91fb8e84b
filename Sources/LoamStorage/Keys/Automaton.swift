/// A program that goes over a text once, for a ``PatternTree`` (Thompson 1968): each instruction takes one character, or
/// says where to go on.
struct Automaton {
    enum Instruction {
        case scalar(UInt32)
        case atom(Int)
        /// The rest of a folded run: a character is taken whose folding it begins with.
        case folded([UInt32])
        case place(PatternPlace)
        case fork(Int, Int)
        case jump(Int)
        case accept
    }

    private(set) var instructions: [Instruction] = []
    let atoms: [ICU.Matcher]
    /// Whether what may follow depends on how much of the text is left.
    private(set) var asksForEnd = false

    /// A larger one would be slow for every character.
    static let mostInstructions = 5_000

    /// Nil where the counts in the pattern make it too large.
    init?(_ pattern: ParsedPattern) {
        guard pattern.tree.size < Self.mostInstructions else { return nil }
        atoms = pattern.atoms
        append(pattern.tree)
        instructions.append(.accept)
    }

    private mutating func append(_ tree: PatternTree) {
        switch tree {
        case .scalar(let scalar): instructions.append(.scalar(scalar.value))
        case .atom(let number): instructions.append(.atom(number))
        case .folded(let scalars):
            let values = scalars.map(\.value)
            for start in values.indices { instructions.append(.folded(Array(values[start...]))) }
        case .place(let place):
            instructions.append(.place(place))
            asksForEnd = asksForEnd || place != .start
        case .sequence(let parts): parts.forEach { append($0) }
        case .alternatives(let parts): append(alternatives: parts[...])
        case .repeated(let part, let least, let most): append(part, least, most)
        }
    }

    private mutating func append(alternatives parts: ArraySlice<PatternTree>) {
        var ends: [Int] = []
        for part in parts.dropLast() {
            let fork = reserve()
            append(part)
            ends.append(reserve())
            instructions[fork] = .fork(fork + 1, instructions.count)
        }
        if let last = parts.last { append(last) }
        for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func append(_ part: PatternTree, _ least: Int, _ most: Int?) {
        // Of nothing, any number is nothing.
        guard part.size > 0 else { return }
        for _ in 0..<least { append(part) }
        guard let most else {
            let fork = reserve()
            append(part)
            instructions.append(.jump(fork))
            instructions[fork] = .fork(fork + 1, instructions.count)
            return
        }
        guard least < most else { return }
        var forks: [Int] = []
        for _ in least..<most {
            forks.append(reserve())
            append(part)
        }
        for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
    }

    private mutating func reserve() -> Int {
        instructions.append(.jump(0))
        return instructions.count - 1
    }
}
