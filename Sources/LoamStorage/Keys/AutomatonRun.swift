/// Matches texts with an ``Automaton``, whose instructions it follows all at once.
///
/// Which instructions may take the next character is a *state*; where a character leads from a state is found once and
/// kept. Most texts know few states, so most characters cost one look-up. States are forgotten where they, or the
/// instructions in them, are many, so memory is bounded (a few megabytes), and no character costs more than a step of
/// each instruction.
///
/// For one thread at a time, as the matchers of its atoms are; handed on from match to match under a mutex of
/// ``RegularExpression``.
final class AutomatonRun: @unchecked Sendable {
    private let automaton: Automaton
    private let atoms: [ICU.Matcher]
    /// By atom: the characters that were asked for.
    private var known: [[UInt32: Bool]]

    /// By state: its instructions that take a character, or accept, in ascending order. The first state has none.
    private var states: [[Int]] = []
    private var numbers: [[Int]: Int32] = [:]
    /// By state and ASCII character: the next state, or -1.
    private var ascii: ContiguousArray<Int32> = []
    /// By state and other character.
    private var others: [[UInt32: Int32]] = []
    private var otherCount = 0
    /// Instructions in all states.
    private var memberCount = 0
    /// Answers in ``known``.
    private var knownCount = 0
    /// How often all states were forgotten.
    private var generation = 0

    /// When each instruction was reached last.
    private var marks: [Int]
    private var now = 0
    private var stepsLeft = mostSteps

    private static let dead: Int32 = 0
    private static let mostStates = 1_000
    private static let mostOthers = 20_000
    private static let mostMembers = 1 << 16
    /// Of single instructions, for characters and states that were not met before: about a minute.
    private static let mostSteps = 4_000_000_000

    /// Nil where there is no memory for it.
    init?(_ automaton: Automaton) {
        let clones = automaton.atoms.compactMap { $0.clone() }
        guard clones.count == automaton.atoms.count else { return nil }
        self.automaton = automaton
        atoms = clones
        known = Array(repeating: [:], count: clones.count)
        marks = Array(repeating: 0, count: automaton.instructions.count)
        _ = number(of: [])
    }

    /// Whether the whole text matches; nil where that takes more than ``mostSteps``. Linear in the text.
    func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        stepsLeft = Self.mostSteps
        var state = number(of: reached(from: [0], at: Self.places(0, in: text)))
        var position = 0
        // Before it, nothing is near the end.
        let open = automaton.asksForEnd ? text.count - 2 : text.count + 1
        while position < text.count {
            let unit = text[position]
            position += 1
            if unit < 0x80, position < open {
                let next = ascii[Int(state) << 7 | Int(unit)]
                if next > 0 {
                    state = next
                    continue
                }
            }
            if state == Self.dead { return false }
            var scalar = UInt32(unit)
            if UTF16.isLeadSurrogate(unit), position < text.count, UTF16.isTrailSurrogate(text[position]) {
                scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + UInt32(text[position]) & 0x3FF
                position += 1
            }
            state = next(state, scalar, at: position < open ? [] : Self.places(position, in: text))
            if stepsLeft < 0 { return nil }
        }
        return states[Int(state)].last == automaton.instructions.count - 1
    }

    /// As ICU has them: a line ends with one of seven characters, or with CR LF.
    private static func places(_ position: Int, in text: UnsafeBufferPointer<UInt16>) -> PatternPlace {
        var places: PatternPlace = position == 0 ? .start : []
        switch text.count - position {
        case 0: places.formUnion([.end, .lineEnd])
        case 1 where isLineEnd(text[position]):
            let isWithin = text[position] == 0xA && position > 0 && text[position - 1] == 0xD
            if !isWithin { places.insert(.lineEnd) }
        case 2 where text[position] == 0xD && text[position + 1] == 0xA: places.insert(.lineEnd)
        default: break
        }
        return places
    }

    private static func isLineEnd(_ unit: UInt16) -> Bool {
        (0xA...0xD).contains(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029
    }

    // MARK: States

    private func number(of state: [Int]) -> Int32 {
        if let known = numbers[state] { return known }
        if states.count > Self.mostStates || otherCount > Self.mostOthers || memberCount > Self.mostMembers {
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

    private func next(_ state: Int32, _ scalar: UInt32, at places: PatternPlace) -> Int32 {
        guard places.isEmpty else { return number(of: after(states[Int(state)], scalar, at: places)) }
        if scalar >= 0x80, let known = others[Int(state)][scalar] { return known }
        let generation = generation
        let next = number(of: after(states[Int(state)], scalar, at: places))
        // Where all were forgotten, this state's number is another's.
        guard self.generation == generation else { return next }
        if scalar < 0x80 {
            ascii[Int(state) << 7 | Int(scalar)] = next
        } else {
            others[Int(state)][scalar] = next
            otherCount += 1
        }
        return next
    }

    // MARK: Instructions

    private func after(_ state: [Int], _ scalar: UInt32, at places: PatternPlace) -> [Int] {
        var folding: [UInt32]?
        var targets: [Int] = []
        for place in state {
            switch automaton.instructions[place] {
            case .scalar(scalar): targets.append(place + 1)
            case .atom(let number): if holds(number, scalar) { targets.append(place + 1) }
            case .folded(let rest):
                let folded = folding ?? Self.folding(scalar)
                folding = folded
                if rest.starts(with: folded) { targets.append(place + folded.count) }
            default: continue
            }
        }
        stepsLeft -= state.count
        return reached(from: targets, at: places)
    }

    /// The instructions that take a character, or accept, which follow these without any.
    private func reached(from targets: [Int], at places: PatternPlace) -> [Int] {
        now += 1
        var open = targets
        var state: [Int] = []
        while let place = open.popLast() {
            guard marks[place] < now else { continue }
            marks[place] = now
            stepsLeft -= 1
            switch automaton.instructions[place] {
            case .fork(let first, let second): open += [second, first]
            case .jump(let target): open.append(target)
            case .place(let wanted): if places.isSuperset(of: wanted) { open.append(place + 1) }
            case .scalar, .atom, .folded, .accept: state.append(place)
            }
        }
        return state.sorted()
    }

    private func holds(_ atom: Int, _ scalar: UInt32) -> Bool {
        if let known = known[atom][scalar] { return known }
        let units = Unicode.Scalar(scalar).map { Array(String($0).utf16) } ?? [UInt16(truncatingIfNeeded: scalar)]
        let holds = units.withUnsafeBufferPointer { atoms[atom].matches($0) } ?? false
        if knownCount >= Self.mostOthers {
            for atom in known.indices { known[atom] = [:] }
            knownCount = 0
        }
        known[atom][scalar] = holds
        knownCount += 1
        return holds
    }

    private static func folding(_ scalar: UInt32) -> [UInt32] {
        Unicode.Scalar(scalar).map { ICU.foldCase([$0]).map(\.value) } ?? [scalar]
    }
}
