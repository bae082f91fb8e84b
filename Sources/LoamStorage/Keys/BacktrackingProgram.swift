/// A pattern as a program for ``BacktrackingMatcher``, which tries the ways to match in ICU's order. The program is
/// about as long as the pattern, for repetitions are counted while it runs.
struct BacktrackingProgram: Sendable {
    struct Instruction {
        var operation: Operation
        var a = 0
        var b = 0
        var c = 0
        var d = 0
    }

    /// To *save* an instruction means to try it later, when the current way fails. Registers get their older values
    /// back when a match goes back to what was saved; slots do not.
    enum Operation: UInt8 {
        // These instructions take characters.
        /// Takes the code point `a`.
        case scalar
        /// Takes one character of the atom `a`.
        case atom
        /// Takes the folded literals number `a`.
        case folded
        /// Takes CR LF, or one character of the atom `a`.
        case lineBreak
        case anything
        /// Takes from `c` to `d` characters of the ``Loop`` kind `b`: the code point or atom `a`. Gives them back one
        /// by one when the match goes back.
        case loop
        /// Takes characters as ``loop`` does, and gives none back.
        case possessiveLoop
        /// Takes what the group with the registers from `a` has matched; case is ignored where `b` is 1.
        case reference

        // These instructions take no character.
        /// Goes on where one of the facts `a` holds (`b` is 1), or where none of them does (`b` is 0).
        case condition
        /// Goes on with the next instruction, and saves `a`.
        case save
        case jump
        /// Goes on at `a`, and saves the next instruction.
        case again
        /// Does what ``again`` does where the position is behind that in register `b`; else goes on with the next
        /// instruction.
        case againIfProgress
        /// Goes on with the next instruction, and saves `a` where the position is behind that in register `b`.
        case saveIfProgress
        /// Does what ``againIfProgress`` and ``saveIfProgress`` do, also where the position is the same, but groups of
        /// the ``Memory`` `b` have changed. ``remember`` keeps what these then compare with.
        case againIfChanged, saveIfChanged
        case remember
        /// Writes the position into register `a`.
        case store
        /// Opens or closes the group with the registers from `a`: start, end, and start of a match that has not ended.
        case open, close
        /// Begins to count the repetitions of a part in register `a`, with the position in the next register. The part
        /// is taken at least `b` times and at most `c` times (-1: any number). The instruction `d` follows the
        /// repetition.
        case count, lazyCount
        /// Counts one more repetition for the instruction `a` that began to count.
        case countAgain, lazyCountAgain
        /// `mark` keeps in slot `a` how much is saved; `cut` drops what was saved since.
        case mark, cut
        /// A look-around with the slot `a`; see ``BacktrackingProgram/append(_:look:)``. `b` and `c` are lengths of a
        /// look-behind, and `d` is where it goes on when nothing matches, or -1.
        case lookAhead, lookEnd, lookFailed, negativeLookEnd, negativeLookPassed
        case lookBehind, lookBehindNext, lookBehindEnd, negativeLookBehindEnd
        case accept
    }

    enum Loop { static let scalar = 0, atom = 1, anything = 2 }

    /// What a repetition keeps of the start of its last round.
    struct Memory {
        /// The register of the position. Those behind it keep two registers of each group.
        var position: Int
        /// The first registers of the groups within the repeated part that are referred to.
        var groups: [Int]
    }

    private(set) var instructions: [Instruction] = []
    private(set) var memories: [Memory] = []
    private(set) var literals: [[UInt32]] = []
    private(set) var registerCount = 0
    private(set) var slotCount = 0
    /// The facts that the conditions among the instructions ask for.
    private(set) var wanted: PatternFacts = []
    let atoms: PatternAtoms
    /// For each group that is referred to, the first of its registers.
    private var groups: [Int: Int] = [:]

    private struct Unbounded: Error {}

    /// Makes the program of a pattern. Nil for a look-behind of any length, which ICU refuses.
    init?(_ pattern: ParsedPattern) {
        atoms = pattern.atoms
        for group in pattern.references { groups[group] = registers(3) }
        guard (try? append(pattern.tree)) != nil else { return nil }
        emit(.accept)
    }

    // MARK: Parts

    private mutating func append(_ tree: PatternTree) throws {
        switch tree {
        case .scalar(let scalar): emit(.scalar, a: Int(scalar.value))
        case .atom(let number): emit(.atom, a: number)
        case .folded(let scalars):
            emit(.folded, a: literals.count)
            literals.append(scalars.map(\.value))
        case .condition(let facts, let holds):
            wanted.formUnion(facts)
            emit(.condition, a: Int(truncatingIfNeeded: facts.rawValue), b: holds ? 1 : 0)
        case .lineBreak(let atom): emit(.lineBreak, a: atom)
        case .anything: emit(.anything)
        case .sequence(let parts): for part in parts { try append(part) }
        case .alternatives(let parts): try append(alternatives: parts)
        case .repeated(let part, let count): try append(part, count: count)
        case .group(let number, let part): try append(part, group: number)
        case .atomic(let part): try atomically { (program) in try program.append(part) }
        case .look(let part, let look): try append(part, look: look)
        case .reference(let number, let ignoresCase):
            emit(.reference, a: groups[number] ?? 0, b: ignoresCase ? 1 : 0)
        }
    }

    private mutating func append(alternatives parts: [PatternTree]) throws {
        var ends: [Int] = []
        for part in parts.dropLast() {
            let save = emit(.save)
            try append(part)
            ends.append(emit(.jump))
            instructions[save].a = instructions.count
        }
        if let last = parts.last { try append(last) }
        for end in ends { instructions[end].a = instructions.count }
    }

    private mutating func append(_ part: PatternTree, group number: Int) throws {
        guard let first = groups[number] else { return try append(part) }
        emit(.open, a: first)
        try append(part)
        emit(.close, a: first)
    }

    private mutating func atomically(_ body: (inout Self) throws -> Void) throws {
        let slot = newSlot()
        emit(.mark, a: slot)
        try body(&self)
        emit(.cut, a: slot)
    }

    // MARK: Repetitions

    private mutating func append(_ part: PatternTree, count: PatternCount) throws {
        if count.most == 0 { return }
        if count.manner != .lazy, let kind = Self.loop(part) {
            let operation: Operation = count.manner == .possessive ? .possessiveLoop : .loop
            emit(operation, a: kind.operand, b: kind.kind, c: count.least, d: count.most ?? .max)
            return
        }
        let endsWithNothing = count.isInterval && Self.isCaptive(part)
        switch (count.manner, count.least, count.most) {
        case (.possessive, 0...1, nil) where !endsWithNothing:
            try append(possessivelyRepeated: part, count.least)
        case (.lazy, _, nil) where endsWithNothing: try append(counted: part, count)
        case (.possessive, let least, let most):
            try atomically { try $0.append(part, count: PatternCount(least: least, most: most)) }
        case (_, 1, 1): try append(part)
        case (.greedy, 0, 1):
            let save = emit(.save)
            try append(part)
            instructions[save].a = instructions.count
        case (.greedy, 0, nil):
            let save = emit(.save)
            try append(repeated: part)
            instructions[save].a = instructions.count
        case (.greedy, 1, nil): try append(repeated: part)
        case (.lazy, 0, let most) where most == nil || most == 1:
            let save = emit(.save)
            let jump = emit(.jump)
            instructions[save].a = instructions.count
            if most == 1 { try append(part) } else { try append(lazilyRepeated: part) }
            instructions[jump].a = instructions.count
        case (.lazy, 1, nil): try append(lazilyRepeated: part)
        default: try append(counted: part, count)
        }
    }

    /// Whether what a part captures says how it matches once it has taken nothing.
    private static func isCaptive(_ part: PatternTree) -> Bool { part.refers && part.lengths.least == 0 }

    /// The kind and operand of ``Operation/loop`` for a part that takes one character at a time; nil for other parts.
    private static func loop(_ part: PatternTree) -> (kind: Int, operand: Int)? {
        switch part.singleScalar ?? part {
        case .scalar(let scalar): (Loop.scalar, Int(scalar.value))
        case .atom(let number): (Loop.atom, number)
        case .anything: (Loop.anything, 0)
        default: nil
        }
    }

    /// Appends a part that is taken once and then as often as it matches. Where it has matched nothing, what follows it
    /// is tried next.
    private mutating func append(repeated part: PatternTree) throws {
        guard part.lengths.least == 0 else {
            let start = instructions.count
            try append(part)
            emit(.again, a: start)
            return
        }
        let register = registers(1)
        emit(.store, a: register)
        let start = instructions.count
        try append(part)
        emit(.againIfProgress, a: start, b: register)
    }

    /// Appends a part that is taken as often as it matches and gives nothing back. Only the end of its last match is
    /// kept.
    private mutating func append(possessivelyRepeated part: PatternTree, _ least: Int) throws {
        let slot = newSlot()
        emit(.mark, a: slot)
        let save = least == 0 ? emit(.save) : nil
        try append(part, again: (.againIfProgress, .againIfChanged)) { $0.emit(.cut, a: slot) }
        if let save { instructions[save].a = instructions.count }
        emit(.cut, a: slot)
    }

    private mutating func append(lazilyRepeated part: PatternTree) throws {
        try append(part, again: (.saveIfProgress, .saveIfChanged)) { _ in }
    }

    /// Appends a part with one of two instructions that repeat it where it has made progress. ICU repeats it in any
    /// case: without end where the next round would do the same, which is where a round has taken nothing, and all
    /// groups that the part refers to have matched what they had matched before.
    private mutating func append(
        _ part: PatternTree, again: (progress: Operation, change: Operation), end: (inout Self) -> Void
    ) throws {
        guard Self.isCaptive(part) else {
            let register = registers(1)
            let start = emit(.store, a: register)
            try append(part)
            end(&self)
            emit(again.progress, a: start + (again.progress == .againIfProgress ? 1 : 0), b: register)
            return
        }
        let inner = part.groups.compactMap { groups[$0] }
        memories.append(Memory(position: registers(1 + 2 * inner.count), groups: inner))
        let memory = memories.count - 1
        let start = emit(.remember, b: memory)
        try append(part)
        end(&self)
        emit(again.change, a: start, b: memory)
    }

    private mutating func append(counted part: PatternTree, _ count: PatternCount) throws {
        let isLazy = count.manner == .lazy
        let start = emit(isLazy ? .lazyCount : .count, a: registers(2), b: count.least, c: count.most ?? -1)
        try append(part)
        emit(isLazy ? .lazyCountAgain : .countAgain, a: start)
        instructions[start].d = instructions.count
    }

    // MARK: Look-arounds

    /// Appends a look-around. A look-ahead saves first where it goes on when its part does not match. A look-behind
    /// saves itself first, to try its part from an earlier position.
    private mutating func append(_ part: PatternTree, look: PatternLook) throws {
        let slot = newSlot()
        guard !look.isBehind else { return try append(behind: part, look: look, slot: slot) }
        emit(.lookAhead, a: slot)
        let save = emit(.save)
        try append(part)
        emit(look.isNegative ? .negativeLookEnd : .lookEnd, a: slot)
        let jump = look.isNegative ? nil : emit(.jump)
        instructions[save].a = instructions.count
        emit(look.isNegative ? .negativeLookPassed : .lookFailed, a: slot)
        if let jump { instructions[jump].a = instructions.count }
    }

    private mutating func append(behind part: PatternTree, look: PatternLook, slot: Int) throws {
        let lengths = part.lengths
        guard let most = lengths.most else { throw Unbounded() }
        emit(.lookBehind, a: slot)
        let next = emit(.lookBehindNext, a: slot, b: lengths.least, c: most, d: -1)
        try append(part)
        emit(look.isNegative ? .negativeLookBehindEnd : .lookBehindEnd, a: slot)
        if look.isNegative { instructions[next].d = instructions.count }
    }

    // MARK: Room

    @discardableResult
    private mutating func emit(_ operation: Operation, a: Int = 0, b: Int = 0, c: Int = 0, d: Int = 0) -> Int {
        instructions.append(Instruction(operation: operation, a: a, b: b, c: c, d: d))
        return instructions.count - 1
    }

    private mutating func registers(_ count: Int) -> Int {
        registerCount += count
        return registerCount - count
    }

    private mutating func newSlot() -> Int {
        slotCount += 1
        return slotCount - 1
    }
}
