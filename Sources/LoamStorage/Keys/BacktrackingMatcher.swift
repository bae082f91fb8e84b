/// Matches a text with a ``BacktrackingProgram``: tries its ways one after the other, as ICU does, with 64-bit
/// positions and a ``BacktrackingStack``.
///
/// A way that cannot take the next character is not saved, and a repetition of one class is saved once; so patterns
/// that know at each character where to go on take no memory, whatever the text's length.
struct BacktrackingMatcher {
    /// What a match may take before it is given up.
    struct Limits {
        /// The most steps. A step is an instruction, or a character that a repetition takes or gives back or that is
        /// compared.
        var steps: Int
        /// The most entries of the stack: choices, and old values of registers, of 32 bytes each.
        var entries: Int

        /// The entries of 512 MiB. While the stack grows to them, at most 1.5 GiB are reserved.
        private static let mostEntries = 1 << 24
        /// The steps of about a minute.
        private static let mostSteps = 4_000_000_000

        /// The limits for a text that ICU was given its whole time for. ICU goes round without end where a repeated
        /// part takes nothing; the text may still be matched here.
        static let short = Limits(steps: 1_000_000, entries: 1 << 18)

        /// The limits for a text of so many UTF-16 units: ten ways and more at each character, and for short texts
        /// the steps of a second or two.
        static func usual(for units: Int) -> Limits {
            let (steps, isTooLarge) = units.multipliedReportingOverflow(by: 100)
            return Limits(
                steps: isTooLarge ? mostSteps : min(mostSteps, 50_000_000 + min(steps, mostSteps)),
                entries: mostEntries)
        }
    }

    let program: BacktrackingProgram
    let facts: TextFacts
    let text: UnsafeBufferPointer<UInt16>
    let atoms: PatternAtoms
    var stepsLeft: Int
    private let mostEntries: Int

    var stack: BacktrackingStack
    private var slots: [Slot]
    var next = 0
    var position = 0
    /// The position where the text ends for the instructions that take characters. Within a look-behind that is the
    /// position from which it looks.
    var limit: Int

    private struct Slot {
        var mark = BacktrackingStack.Mark()
        var position = 0
        var limit = 0
        /// The position that a look-behind tried last, or -1.
        var start = -1
    }

    private enum Outcome { case goesOn, fails, matches }

    /// Makes a matcher for a text; nil where there is no memory for it.
    init?(_ program: BacktrackingProgram, text: UnsafeBufferPointer<UInt16>, limits: Limits) {
        let atoms = program.atoms.clone()
        guard let facts = TextFacts(text, wanted: program.wanted, atoms: atoms) else { return nil }
        self.program = program
        self.facts = facts
        self.text = text
        self.atoms = atoms
        stepsLeft = limits.steps
        mostEntries = limits.entries
        stack = BacktrackingStack(registers: program.registerCount)
        slots = Array(repeating: Slot(), count: program.slotCount)
        limit = text.count
    }

    /// Whether the whole text matches; nil where that takes more than the limits.
    mutating func matches() -> Bool? {
        while stepsLeft > 0, stack.count < mostEntries {
            stepsLeft -= 1
            let instruction = program.instructions[next]
            next += 1
            switch perform(instruction) {
            case .goesOn: continue
            case .matches: return atoms.lacksMemory ? nil : true
            case .fails: if !goesBack() { return atoms.lacksMemory ? nil : false }
            }
        }
        return nil
    }

    /// The most entries that the stack has had.
    var highestStack: Int { stack.highest }

    private mutating func perform(_ instruction: BacktrackingProgram.Instruction) -> Outcome {
        switch instruction.operation {
        case .scalar, .atom, .folded, .lineBreak, .anything, .loop, .possessiveLoop, .reference:
            take(instruction) ? .goesOn : .fails
        case .lookAhead, .lookEnd, .lookFailed, .negativeLookEnd, .negativeLookPassed, .lookBehind, .lookBehindNext,
            .lookBehindEnd, .negativeLookBehindEnd:
            look(instruction) ? .goesOn : .fails
        case .count, .lazyCount, .countAgain, .lazyCountAgain:
            count(instruction)
        case .accept: position == text.count ? .matches : .fails
        case .condition: holds(instruction, at: position) ? .goesOn : .fails
        default: move(instruction)
        }
    }

    private mutating func move(_ instruction: BacktrackingProgram.Instruction) -> Outcome {
        let a = instruction.a
        switch instruction.operation {
        case .save: save(a)
        case .jump: next = a
        case .again: again(a)
        case .againIfProgress where stack.registers[instruction.b] < position:
            save(next)
            stack.write(position, to: instruction.b)
            next = a
        case .saveIfProgress where stack.registers[instruction.b] < position: save(a)
        case .againIfChanged where hasChanged(program.memories[instruction.b]): again(a)
        case .saveIfChanged where hasChanged(program.memories[instruction.b]): save(a)
        case .remember: remember(program.memories[instruction.b])
        case .store: stack.write(position, to: a)
        case .open: stack.write(position, to: a + 2)
        case .close:
            stack.write(stack.registers[a + 2], to: a)
            stack.write(position, to: a + 1)
        case .mark: slots[a].mark = stack.mark
        case .cut: stepsLeft -= stack.cut(to: slots[a].mark) / 8
        default: break
        }
        return .goesOn
    }

    private mutating func again(_ target: Int) {
        save(next)
        next = target
    }

    private mutating func remember(_ memory: BacktrackingProgram.Memory) {
        stack.write(position, to: memory.position)
        for (number, group) in memory.groups.enumerated() {
            stack.write(stack.registers[group], to: memory.position + 1 + 2 * number)
            stack.write(stack.registers[group + 1], to: memory.position + 2 + 2 * number)
        }
    }

    private func hasChanged(_ memory: BacktrackingProgram.Memory) -> Bool {
        let registers = stack.registers
        guard registers[memory.position] == position else { return true }
        return memory.groups.enumerated().contains { number, group in
            let kept = memory.position + 1 + 2 * number
            return registers[kept] != registers[group] || registers[kept + 1] != registers[group + 1]
        }
    }

    // MARK: Choices

    private mutating func save(_ target: Int) {
        if canGoOn(at: target, from: position) { stack.save(target, at: position) }
    }

    private mutating func goesBack() -> Bool {
        while let choice = stack.pop() {
            next = choice.target
            position = choice.position
            guard let floor = choice.floor else { return true }
            if goesBack(to: floor) { return true }
        }
        return false
    }

    /// Gives back one or more characters of a loop, which is the next instruction.
    private mutating func goesBack(to floor: Int) -> Bool {
        let loop = program.instructions[next]
        repeat {
            guard position > floor, stepsLeft > 0 else { return stepsLeft <= 0 }
            stepsLeft -= 1
            let isAfterLine = loop.b == BacktrackingProgram.Loop.anything && text[position - 1] == 0xA
            position = text.position(before: position)
            if isAfterLine, position > floor, text[position - 1] == 0xD { position -= 1 }
        } while !canGoOn(at: next + 1, from: position)
        if position > floor { stack.save(next, at: position, floor: floor) }
        next += 1
        return true
    }

    /// Whether a way may lead on. False only where a few instructions show that it fails at once.
    private func canGoOn(at target: Int, from position: Int) -> Bool {
        var fuel = 16
        return canGoOn(at: target, from: position, &fuel)
    }

    private func canGoOn(at target: Int, from position: Int, _ fuel: inout Int) -> Bool {
        var target = target
        var isCapturing = false
        while fuel > 0 {
            fuel -= 1
            let instruction = program.instructions[target]
            switch instruction.operation {
            case .jump: target = instruction.a
            case .save where !isCapturing:
                if canGoOn(at: target + 1, from: position, &fuel) { return true }
                target = instruction.a
            case .open, .close:
                isCapturing = true
                target += 1
            // A cut is not passed over: it drops the ways that would be tried next.
            case .store, .remember, .mark: target += 1
            case .reference where !isCapturing: return canRefer(to: instruction, from: position)
            case .condition:
                guard holds(instruction, at: position) else { return false }
                target += 1
            case .scalar, .atom, .loop, .possessiveLoop, .folded, .lineBreak, .anything:
                return canTake(instruction, from: position)
            case .accept: return position == text.count
            case .lookBehindEnd, .negativeLookBehindEnd: return position == limit
            default: return true
            }
        }
        return true
    }

    // MARK: Counts

    private mutating func count(_ instruction: BacktrackingProgram.Instruction) -> Outcome {
        guard instruction.operation == .countAgain || instruction.operation == .lazyCountAgain else {
            begin(instruction)
            return .goesOn
        }
        let count = program.instructions[instruction.a]
        let isLazy = count.operation == .lazyCount
        let number = stack.registers[count.a] + 1
        stack.write(number, to: count.a)
        if count.c >= 0, number >= count.c { return .goesOn }
        if number < count.b {
            next = instruction.a + 1
            return .goesOn
        }
        if count.c < 0 {
            guard stack.registers[count.a + 1] != position else { return .goesOn }
            stack.write(position, to: count.a + 1)
        }
        if isLazy { save(instruction.a + 1) } else { again(instruction.a + 1) }
        return .goesOn
    }

    private mutating func begin(_ count: BacktrackingProgram.Instruction) {
        stack.write(0, to: count.a)
        if count.c < 0 { stack.write(position, to: count.a + 1) }
        guard count.b == 0 else { return }
        guard count.operation == .lazyCount else { return save(count.d) }
        save(next)
        next = count.d
    }

    // MARK: Look-arounds

    private mutating func look(_ instruction: BacktrackingProgram.Instruction) -> Bool {
        let slot = instruction.a
        switch instruction.operation {
        case .lookAhead, .lookBehind:
            slots[slot] = Slot(mark: stack.mark, position: position, limit: limit)
            limit = instruction.operation == .lookAhead ? text.count : position
            return true
        case .lookEnd, .lookBehindEnd:
            guard instruction.operation == .lookEnd || position == limit else { return false }
            stepsLeft -= stack.cut(to: slots[slot].mark) / 8
            leave(slot)
            return true
        case .negativeLookEnd, .negativeLookBehindEnd:
            guard instruction.operation == .negativeLookEnd || position == limit else { return false }
            stack.unwind(to: slots[slot].mark)
            leave(slot)
            return false
        case .lookBehindNext: return lookBehind(instruction)
        case .lookFailed:
            leave(slot)
            return false
        default:
            leave(slot)
            return true
        }
    }

    private mutating func leave(_ slot: Int) {
        position = slots[slot].position
        limit = slots[slot].limit
    }

    /// Tries the part of a look-behind from one position after the other, each further back.
    private mutating func lookBehind(_ instruction: BacktrackingProgram.Instruction) -> Bool {
        let slot = instruction.a
        let from = slots[slot].position
        var start = slots[slot].start
        if start < 0 {
            start = from - instruction.b
            // The position moves to the start of a code point.
            if start > 0, start < text.count { start = text.position(before: start + 1) }
        } else {
            start = start == 0 ? -1 : text.position(before: start)
        }
        slots[slot].start = start
        guard start >= 0, start >= from - instruction.c else {
            leave(slot)
            guard instruction.d >= 0 else { return false }
            next = instruction.d
            return true
        }
        stack.save(next - 1, at: from)
        position = start
        return true
    }
}
