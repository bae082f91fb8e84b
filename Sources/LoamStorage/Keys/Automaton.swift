/// A program that matches a text in one pass (Thompson 1968). Each instruction takes one character, or says with which
/// instruction the program goes on.
struct Automaton {
    enum Instruction {
        case scalar(UInt32)
        case atom(Int)
        /// The rest of folded literals. The instruction takes a character whose folding is the beginning of this rest.
        case folded([UInt32])
        case condition(PatternFacts, holds: Bool)
        case fork(Int, Int)
        case jump(Int)
        case accept
    }

    /// In which parts of a text the automaton looks for its pattern.
    enum Search {
        /// The pattern matches from the text's start to its end.
        case whole
        /// The automaton finds all positions where a match ends, wherever it begins. A look-behind asks for them. The
        /// pass goes forward over the text.
        case ends
        /// The automaton finds all positions where a match begins, wherever it ends. A look-ahead asks for them. The
        /// pass goes backward over the text.
        case starts
    }

    private(set) var instructions: [Instruction] = []
    /// The facts that the conditions among the instructions ask for.
    private(set) var wanted: PatternFacts = []
    let search: Search

    /// The most instructions: with more, each character would take long.
    static let mostInstructions = 5_000

    /// Makes the program of a tree that has regular parts only; see ``RegularParts``. Nil where the counts in the
    /// pattern make the program too large.
    init?(_ tree: PatternTree, search: Search) {
        guard tree.size < Self.mostInstructions else { return nil }
        self.search = search
        append(tree)
        instructions.append(.accept)
    }

    private mutating func append(_ tree: PatternTree) {
        switch tree {
        case .scalar(let scalar): instructions.append(.scalar(scalar.value))
        case .atom(let number): instructions.append(.atom(number))
        case .folded(let scalars):
            let values = search == .starts ? scalars.reversed().map(\.value) : scalars.map(\.value)
            for start in values.indices { instructions.append(.folded(Array(values[start...]))) }
        case .condition(let facts, let holds):
            instructions.append(.condition(facts, holds: holds))
            wanted.formUnion(facts)
        case .sequence(let parts): (search == .starts ? parts.reversed() : parts).forEach { append($0) }
        case .alternatives(let parts): append(alternatives: parts[...])
        case .repeated(let part, let count): append(part, least: count.least, most: count.most)
        case .lineBreak, .anything, .group, .atomic, .look, .reference: break
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

    private mutating func append(_ part: PatternTree, least: Int, most: Int?) {
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
