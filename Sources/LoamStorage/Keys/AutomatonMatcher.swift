/// Goes over texts with an ``Automaton``, whose instructions it follows all at once.
///
/// Which instructions may take the next character is a *state*; where a character leads from a state, and to which
/// facts, is found once and kept. Most texts know few states, so most characters cost one look-up. States are forgotten
/// where they, or the instructions in them, are many, so memory is bounded (a few megabytes), and no character costs
/// more than a step of each instruction.
///
/// For one thread at a time.
final class AutomatonMatcher {
    private let automaton: Automaton
    private let atoms: PatternAtoms
    /// The number of automata that the pattern has. Together they keep as much as one alone would.
    private let share: Int

    /// For each state its instructions that take a character, or accept, in ascending order. The first state has none.
    private var states: [[Int]] = []
    private var numbers: [[Int]: Int32] = [:]
    /// For each state and each ASCII character behind which no fact holds: the next state, or -1 when it is not known.
    private var ascii: ContiguousArray<Int32> = []
    /// For each state the next states for all other characters and facts.
    private var others: [[UInt64: Int32]] = []
    private var otherCount = 0
    /// The number of instructions in all states together.
    private var memberCount = 0
    /// The number of times that all states were forgotten.
    private var generation = 0

    /// For each instruction the value of `now` when it was reached last.
    private var marks: [Int]
    private var now = 0
    private var stepsLeft = mostSteps

    private static let dead: Int32 = 0
    private static let mostStates = 1_000
    private static let mostOthers = 20_000
    private static let mostMembers = 1 << 16
    /// The most instructions that a pass follows one by one, for characters and states that it has not met before. They
    /// take about a minute.
    private static let mostSteps = 4_000_000_000

    /// - Parameter share: the number of automata that the pattern has. Together they keep as much as one alone would.
    init(_ automaton: Automaton, atoms: PatternAtoms, share: Int) {
        self.automaton = automaton
        self.atoms = atoms
        self.share = share
        marks = Array(repeating: 0, count: automaton.instructions.count)
        _ = number(of: [])
    }

    // MARK: Passes

    /// Whether the whole text matches; nil where that takes more than ``mostSteps``. Linear in the text.
    func matches(_ facts: TextFacts) -> Bool? {
        let text = facts.text
        let wanted = automaton.wanted
        stepsLeft = Self.mostSteps
        var state = first(at: facts.facts(at: 0, of: wanted))
        // At the positions before `open`, no fact holds.
        let open = wanted.isEmpty ? text.count + 1 : wanted.isSubset(of: .outer) ? text.count - 2 : 0
        var position = 0
        while position < text.count {
            let unit = text[position]
            if unit < 0x80, position + 1 < open {
                let next = ascii[Int(state) << 7 | Int(unit)]
                if next > 0 {
                    state = next
                    position += 1
                    continue
                }
            }
            if state == Self.dead { return false }
            let (scalar, end) = text.scalar(at: position)
            state = next(state, scalar: scalar, at: end < open ? [] : facts.facts(at: end, of: wanted))
            position = end
            if stepsLeft < 0 { return nil }
        }
        return isAccepting(state)
    }

    /// The positions where what the automaton looks for ends, or where it starts; nil where finding them takes more
    /// than ``mostSteps``. Linear in the text.
    func positions(_ facts: TextFacts) -> PositionSet? {
        let text = facts.text
        let wanted = automaton.wanted
        let isForward = automaton.search == .ends
        stepsLeft = Self.mostSteps
        var bits = PositionSet(count: text.count)
        var position = isForward ? 0 : text.count
        var state = first(at: facts.facts(at: position, of: wanted))
        if isAccepting(state) { bits.insert(position) }
        while isForward ? position < text.count : position > 0 {
            let start = isForward ? position : text.position(before: position)
            let (scalar, end) = text.scalar(at: start)
            position = isForward ? end : start
            state = next(state, scalar: scalar, at: wanted.isEmpty ? [] : facts.facts(at: position, of: wanted))
            if isAccepting(state) { bits.insert(position) }
            if stepsLeft < 0 { return nil }
        }
        return bits
    }

    private func isAccepting(_ state: Int32) -> Bool {
        states[Int(state)].last == automaton.instructions.count - 1
    }

    // MARK: States

    private func first(at facts: PatternFacts) -> Int32 { number(of: reached(from: [0], at: facts)) }

    private func number(of state: [Int]) -> Int32 {
        if let known = numbers[state] { return known }
        if states.count * share > Self.mostStates || otherCount * share > Self.mostOthers
            || memberCount * share > Self.mostMembers
        {
            forget()
        }
        let number = Int32(states.count)
        memberCount += state.count
        states.append(state)
        numbers[state] = number
        others.append([:])
        ascii.append(contentsOf: repeatElement(-1, count: 128))
        return number
    }

    private func forget() {
        (states, numbers, others, otherCount, memberCount, ascii) = ([], [:], [], 0, 0, [])
        generation += 1
        _ = number(of: [])
    }

    private func next(_ state: Int32, scalar: UInt32, at facts: PatternFacts) -> Int32 {
        let isPlain = scalar < 0x80 && facts.isEmpty
        let index = Int(state) << 7 | Int(scalar & 0x7F)
        let key = UInt64(scalar) << PatternFacts.width | facts.rawValue
        if isPlain, ascii[index] >= 0 { return ascii[index] }
        if !isPlain, let known = others[Int(state)][key] { return known }
        let generation = generation
        let next = number(of: after(states[Int(state)], scalar: scalar, at: facts))
        // When all states were forgotten meanwhile, the number of this state belongs to another one.
        guard self.generation == generation else { return next }
        if isPlain {
            ascii[index] = next
        } else {
            others[Int(state)][key] = next
            otherCount += 1
        }
        return next
    }

    // MARK: Instructions

    private func after(_ state: [Int], scalar: UInt32, at facts: PatternFacts) -> [Int] {
        var folding: [UInt32]?
        var targets = automaton.search == .whole ? [] : [0]
        for index in state {
            switch automaton.instructions[index] {
            case .scalar(scalar): targets.append(index + 1)
            case .atom(let number): if atoms.holds(number, scalar: scalar) { targets.append(index + 1) }
            case .folded(let rest):
                let folded = folding ?? self.folding(scalar)
                folding = folded
                if rest.starts(with: folded) { targets.append(index + folded.count) }
            default: continue
            }
        }
        stepsLeft -= state.count
        return reached(from: targets, at: facts)
    }

    private func folding(_ scalar: UInt32) -> [UInt32] {
        let folding = atoms.folding(of: scalar)
        return automaton.search == .starts ? folding.reversed() : folding
    }

    /// The instructions that take a character, or accept, and that are reached from these without taking a character.
    private func reached(from targets: [Int], at facts: PatternFacts) -> [Int] {
        now += 1
        var open = targets
        var state: [Int] = []
        while let index = open.popLast() {
            guard marks[index] < now else { continue }
            marks[index] = now
            stepsLeft -= 1
            switch automaton.instructions[index] {
            case .fork(let first, let second): open += [second, first]
            case .jump(let target): open.append(target)
            case .condition(let wanted, let holds):
                if facts.isDisjoint(with: wanted) != holds { open.append(index + 1) }
            case .scalar, .atom, .folded, .accept: state.append(index)
            }
        }
        return state.sorted()
    }
}

/// Matches texts with a ``LinearPattern``; keeps what it learns of its states for the next text.
///
/// Takes a bit for each position of a text and each look-around, while it matches. For one thread at a time; handed on
/// from match to match under a mutex of ``RegularExpression``.
final class LinearMatcher: @unchecked Sendable {
    private let pattern: LinearPattern
    private let atoms: PatternAtoms
    private let main: AutomatonMatcher
    private let looks: [AutomatonMatcher]

    init(_ pattern: LinearPattern) {
        let atoms = pattern.atoms.clone()
        let share = 1 + pattern.looks.count
        self.pattern = pattern
        self.atoms = atoms
        main = AutomatonMatcher(pattern.main, atoms: atoms, share: share)
        looks = pattern.looks.map { AutomatonMatcher($0, atoms: atoms, share: share) }
    }

    /// Whether the whole text matches; nil where that takes too many steps, or where there is no memory. Linear in the
    /// text, times one more than there are look-arounds.
    func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        guard var facts = TextFacts(text, wanted: pattern.wanted, atoms: atoms) else { return nil }
        for (number, look) in looks.enumerated() {
            guard let positions = look.positions(facts) else { return nil }
            facts.insert(positions, for: .look(number))
        }
        let answer = main.matches(facts)
        return atoms.lacksMemory ? nil : answer
    }
}
