/// What a pattern can ask of a position between two characters of a text without taking any of it.
struct PatternFacts: OptionSet, Hashable {
    let rawValue: UInt64

    /// `\A`, `\G`, and `^` but for flag m.
    static let start = PatternFacts(rawValue: 1 << 0)
    /// `\z`.
    static let end = PatternFacts(rawValue: 1 << 1)
    /// `$` and `\Z`: the end, or before a line's end that the text ends with.
    static let lineEnd = PatternFacts(rawValue: 1 << 2)
    /// `$` under flag d, for which only LF ends a line.
    static let unixLineEnd = PatternFacts(rawValue: 1 << 3)
    /// `^` under flag m.
    static let startOfLine = PatternFacts(rawValue: 1 << 4)
    /// `$` under flag m.
    static let endOfLine = PatternFacts(rawValue: 1 << 5)
    /// `^` under flags m and d.
    static let startOfUnixLine = PatternFacts(rawValue: 1 << 6)
    /// `$` under flags m and d.
    static let endOfUnixLine = PatternFacts(rawValue: 1 << 7)
    /// A CR LF follows the position.
    static let beforeCRLF = PatternFacts(rawValue: 1 << 8)
    /// `\b`.
    static let wordBoundary = PatternFacts(rawValue: 1 << 9)
    /// A grapheme ends at the position, so that `\X` may end there.
    static let graphemeBoundary = PatternFacts(rawValue: 1 << 10)
    /// `\b` under flag w: a word begins or ends at the position, or what stands between words.
    static let unicodeWordBoundary = PatternFacts(rawValue: 1 << 11)

    private static let firstLook = 16
    /// The most look-arounds of a pattern. With so many, the facts at a position and a code point fit into 64 bits.
    static let mostLooks = 16
    /// The number of bits that facts take.
    static let width = firstLook + mostLooks

    /// The fact that the part of a look-around matches at the position.
    static func look(_ number: Int) -> PatternFacts { PatternFacts(rawValue: 1 << UInt64(firstLook + number)) }

    /// Facts that hold near the text's ends only.
    static let outer: PatternFacts = [.start, .end, .lineEnd, .unixLineEnd]
    /// Facts that two units on either side tell.
    fileprivate static let local: PatternFacts = [
        .outer, .startOfLine, .endOfLine, .startOfUnixLine, .endOfUnixLine, .beforeCRLF,
    ]
}

/// A bit for each position of a text, its end too.
struct PositionSet {
    private var words: ContiguousArray<UInt64>

    init(count: Int) { words = ContiguousArray(repeating: 0, count: (count >> 6) + 1) }

    mutating func insert(_ position: Int) { words[position >> 6] |= 1 << UInt64(position & 63) }
    func contains(_ position: Int) -> Bool { words[position >> 6] >> UInt64(position & 63) & 1 == 1 }
}

/// The facts of one text. Those that depend on more than the neighbours are found beforehand, a bit for each position.
struct TextFacts {
    let text: UnsafeBufferPointer<UInt16>
    private var tables: [(fact: PatternFacts, bits: PositionSet)] = []

    /// - Parameter wanted: what will be asked for, look-arounds apart.
    /// - Returns: Nil where ICU has no memory for it.
    init?(_ text: UnsafeBufferPointer<UInt16>, wanted: PatternFacts, atoms: PatternAtoms) {
        self.text = text
        if wanted.contains(.wordBoundary) {
            guard let bits = wordBoundaries(atoms) else { return nil }
            tables.append((.wordBoundary, bits))
        }
        if wanted.contains(.graphemeBoundary) {
            guard let bits = Self.boundaries(of: .grapheme, in: text) else { return nil }
            tables.append((.graphemeBoundary, bits))
        }
        if wanted.contains(.unicodeWordBoundary) {
            guard var bits = Self.boundaries(of: .word, in: text) else { return nil }
            bits.insert(0)
            tables.append((.unicodeWordBoundary, bits))
        }
    }

    private static func boundaries(of unit: ICU.Unit, in text: UnsafeBufferPointer<UInt16>) -> PositionSet? {
        var bits = PositionSet(count: text.count)
        return ICU.eachBoundary(of: unit, in: text) { bits.insert($0) } ? bits : nil
    }

    mutating func insert(_ bits: PositionSet, for fact: PatternFacts) { tables.append((fact, bits)) }

    /// The wanted facts that hold at a position.
    func facts(at position: Int, of wanted: PatternFacts) -> PatternFacts {
        var facts = wanted.isDisjoint(with: .local) ? [] : local(at: position).intersection(wanted)
        for table in tables where wanted.contains(table.fact) && table.bits.contains(position) {
            facts.insert(table.fact)
        }
        return facts
    }

    // MARK: Lines

    /// The facts that two units on either side tell. As in ICU, a line ends with one of seven characters, or with CR
    /// LF.
    private func local(at position: Int) -> PatternFacts {
        var facts: PatternFacts = position == 0 ? [.start, .startOfLine, .startOfUnixLine] : []
        let previous = position > 0 ? text[position - 1] : 0
        if previous == 0xA { facts.insert(.startOfUnixLine) }
        guard position < text.count else {
            return facts.union([.end, .lineEnd, .unixLineEnd, .endOfLine, .endOfUnixLine])
        }
        if Self.isLineEnd(previous) { facts.insert(.startOfLine) }
        let next = text[position]
        let isLast = position == text.count - 1
        if next == 0xA { facts.formUnion(isLast ? [.endOfUnixLine, .unixLineEnd] : .endOfUnixLine) }
        if Self.isLineEnd(next), next != 0xA || previous != 0xD {
            facts.formUnion(isLast ? [.endOfLine, .lineEnd] : .endOfLine)
        }
        if next == 0xD, !isLast, text[position + 1] == 0xA {
            facts.formUnion(position == text.count - 2 ? [.beforeCRLF, .lineEnd] : .beforeCRLF)
        }
        return facts
    }

    private static func isLineEnd(_ unit: UInt16) -> Bool {
        (0xA...0xD).contains(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029
    }

    // MARK: Words

    /// The boundaries of words as ICU has them: positions between a character of a word and one of none. Marks are
    /// passed over, and no boundary lies before a mark. Nil where ICU does not take the classes.
    private func wordBoundaries(_ atoms: PatternAtoms) -> PositionSet? {
        guard let word = atoms.number(of: PatternAtoms.word), let mark = atoms.number(of: PatternAtoms.mark)
        else { return nil }
        var bits = PositionSet(count: text.count)
        var wasWord = false
        var position = 0
        while position < text.count {
            let (scalar, next) = text.scalar(at: position)
            if !atoms.holds(mark, scalar: scalar) {
                let isWord = atoms.holds(word, scalar: scalar)
                if isWord != wasWord { bits.insert(position) }
                wasWord = isWord
            }
            position = next
        }
        if wasWord { bits.insert(position) }
        return bits
    }
}

extension UnsafeBufferPointer<UInt16> {
    /// The code point at a position within the text, and the position behind it.
    func scalar(at position: Int) -> (scalar: UInt32, next: Int) {
        let unit = self[position]
        guard UTF16.isLeadSurrogate(unit), position + 1 < count, UTF16.isTrailSurrogate(self[position + 1]) else {
            return (UInt32(unit), position + 1)
        }
        return (0x1_0000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(self[position + 1]) & 0x3FF, position + 2)
    }

    /// The position before the code point that ends at a position within the text.
    func position(before position: Int) -> Int {
        let isPair =
            position > 1 && UTF16.isTrailSurrogate(self[position - 1]) && UTF16.isLeadSurrogate(self[position - 2])
        return position - (isPair ? 2 : 1)
    }
}
