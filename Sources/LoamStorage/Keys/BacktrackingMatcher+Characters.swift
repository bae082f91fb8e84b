// The instructions that take characters.

extension BacktrackingMatcher {
    mutating func take(_ instruction: BacktrackingProgram.Instruction) -> Bool {
        let a = instruction.a
        var end: Int?
        switch instruction.operation {
        case .scalar: end = self.end(of: BacktrackingProgram.Loop.scalar, operand: a, position: position)
        case .atom: end = self.end(of: BacktrackingProgram.Loop.atom, operand: a, position: position)
        case .anything: end = self.end(of: BacktrackingProgram.Loop.anything, operand: a, position: position)
        case .lineBreak:
            end =
                endOfCRLF(from: position) ?? self.end(of: BacktrackingProgram.Loop.atom, operand: a, position: position)
        case .folded: end = endOfFolded(program.literals[a])
        case .reference: end = endOfReference(a, ignoresCase: instruction.b == 1)
        default: return loop(instruction)
        }
        guard let end else { return false }
        position = end
        return true
    }

    /// The position where a character of a kind ends that begins at a position; nil where no such character begins
    /// there.
    private func end(of kind: Int, operand: Int, position: Int) -> Int? {
        guard position < limit else { return nil }
        let (scalar, end) = text.scalar(at: position)
        let holds =
            switch kind {
            case BacktrackingProgram.Loop.scalar: Int(scalar) == operand
            case BacktrackingProgram.Loop.atom: atoms.holds(operand, scalar: scalar)
            default: true
            }
        guard holds else { return nil }
        return kind == BacktrackingProgram.Loop.anything ? endOfCRLF(from: position) ?? end : end
    }

    private func endOfCRLF(from position: Int) -> Int? {
        position + 1 < limit && text[position] == 0xD && text[position + 1] == 0xA ? position + 2 : nil
    }

    private mutating func loop(_ loop: BacktrackingProgram.Instruction) -> Bool {
        var (taken, floor) = (0, position)
        while taken < loop.d, let end = end(of: loop.b, operand: loop.a, position: position) {
            position = end
            taken += 1
            if taken == loop.c { floor = position }
        }
        stepsLeft -= taken
        guard taken >= loop.c else { return false }
        if loop.operation == .loop, position > floor { stack.save(next - 1, at: position, floor: floor) }
        return true
    }

    private mutating func endOfFolded(_ literals: [UInt32]) -> Int? {
        var (taken, end) = (0, position)
        while taken < literals.count {
            guard end < limit else { return nil }
            let (scalar, after) = text.scalar(at: end)
            let folding = atoms.folding(of: scalar)
            guard literals[taken...].starts(with: folding) else { return nil }
            taken += folding.count
            end = after
        }
        return end
    }

    private mutating func endOfReference(_ group: Int, ignoresCase: Bool) -> Int? {
        let (start, end) = (stack.registers[group], stack.registers[group + 1])
        guard start >= 0 else { return nil }
        guard ignoresCase else {
            guard position + (end - start) <= limit else { return nil }
            for offset in 0..<end - start where text[start + offset] != text[position + offset] {
                stepsLeft -= offset
                return nil
            }
            stepsLeft -= end - start
            return position + (end - start)
        }
        return endOfFolded(from: start, to: end)
    }

    /// The end of the characters whose foldings are those of a part of the text, from the current position; nil where
    /// they differ. A character matches only when the part has its whole folding.
    private mutating func endOfFolded(from start: Int, to end: Int) -> Int? {
        var (source, target) = (start, position)
        var (expected, found): (ArraySlice<UInt32>, ArraySlice<UInt32>) = ([], [])
        while true {
            stepsLeft -= 1
            if expected.isEmpty {
                guard source < end else { break }
                let (scalar, after) = text.scalar(at: source)
                (expected, source) = (atoms.folding(of: scalar)[...], after)
            }
            if found.isEmpty {
                guard target < limit else { return nil }
                let (scalar, after) = text.scalar(at: target)
                (found, target) = (atoms.folding(of: scalar)[...], after)
            }
            guard expected.popFirst() == found.popFirst() else { return nil }
        }
        return found.isEmpty ? target : nil
    }

    func holds(_ condition: BacktrackingProgram.Instruction, at position: Int) -> Bool {
        let wanted = PatternFacts(rawValue: UInt64(condition.a))
        return facts.facts(at: position, of: wanted).isEmpty != (condition.b == 1)
    }

    /// Whether an instruction may take the character at a position.
    func canTake(_ instruction: BacktrackingProgram.Instruction, from position: Int) -> Bool {
        switch instruction.operation {
        case .scalar: end(of: BacktrackingProgram.Loop.scalar, operand: instruction.a, position: position) != nil
        case .atom: end(of: BacktrackingProgram.Loop.atom, operand: instruction.a, position: position) != nil
        case .loop, .possessiveLoop:
            instruction.c == 0 || end(of: instruction.b, operand: instruction.a, position: position) != nil
        default: position < limit
        }
    }

    func canRefer(to reference: BacktrackingProgram.Instruction, from position: Int) -> Bool {
        let (start, end) = (stack.registers[reference.a], stack.registers[reference.a + 1])
        guard start >= 0 else { return false }
        guard start < end, reference.b == 0 else { return true }
        return position < limit && text[start] == text[position]
    }
}
