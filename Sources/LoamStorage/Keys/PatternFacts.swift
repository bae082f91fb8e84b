/// What a pattern can ask of a place between two characters of a text without taking any of it.
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
    /// A CR LF follows the place.
    static let beforeCRLF = PatternFacts(rawValue: 1 << 8)
    /// `\b`.
    static let wordBoundary = PatternFacts(rawValue: 1 << 9)
    /// A grapheme ends at the place, so that `\X` may end there.
    static let graphemeBoundary = PatternFacts(rawValue: 1 << 10)

    private static let firstLook = 16
    /// The most look-arounds of a pattern. With so many, the facts at a place and a code point fit into 64 bits.
    static let mostLooks = 16
    /// The number of bits that facts take.
    static let width = firstLook + mostLooks

    /// The fact that the part of a look-around matches at the place.
    static func look(_ number: Int) -> PatternFacts { PatternFacts(rawValue: 1 << UInt64(firstLook + number)) }

    /// Facts that hold near the text's ends only.
    static let outer: PatternFacts = [.start, .end, .lineEnd, .unixLineEnd]
    /// Facts that two units on either side tell.
    fileprivate static let local: PatternFacts = [
        .outer, .startOfLine, .endOfLine, .startOfUnixLine, .endOfUnixLine, .beforeCRLF,
    ]
}

/// A bit for each place of a text, its end too.
struct PlaceBits {
    private var words: ContiguousArray<UInt64>

    init(count: Int) { words = ContiguousArray(repeating: 0, count: (count >> 6) + 1) }

    mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }
    func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }
}

/// The facts of one text. Those that depend on more than the neighbours are found beforehand, a bit for each place.
struct TextFacts {
    let text: UnsafeBufferPointer<UInt16>
    private var tables: [(fact: PatternFacts, bits: PlaceBits)] = []

    /// - Parameter wanted: what will be asked for, look-arounds apart.
    /// - Returns: Nil where ICU has no memory for it.
    init?(_ text: UnsafeBufferPointer<UInt16>, wanted: PatternFacts, atoms: PatternAtoms) {
        self.text = text
        if wanted.contains(.wordBoundary) {
            guard let bits = wordBoundaries(atoms) else { return nil }
            tables.append((.wordBoundary, bits))
        }
        if wanted.contains(.graphemeBoundary) {
            var bits = PlaceBits(count: text.count)
            guard ICU.eachGraphemeBoundary(of: text, { bits.insert($0) }) else { return nil }
            tables.append((.graphemeBoundary, bits))
        }
    }

    mutating func insert(_ bits: PlaceBits, for fact: PatternFacts) { tables.append((fact, bits)) }

    /// The wanted facts that hold at a place.
    func facts(at place: Int, of wanted: PatternFacts) -> PatternFacts {
        var facts = wanted.isDisjoint(with: .local) ? [] : local(at: place).intersection(wanted)
        for table in tables where wanted.contains(table.fact) && table.bits.contains(place) {
            facts.insert(table.fact)
        }
        return facts
    }

    // MARK: Lines

    /// The facts that two units on either side tell. As in ICU, a line ends with one of seven characters, or with CR
    /// LF.
    private func local(at place: Int) -> PatternFacts {
        var facts: PatternFacts = place == 0 ? [.start, .startOfLine, .startOfUnixLine] : []
        let previous = place > 0 ? text[place - 1] : 0
        if previous == 0xA { facts.insert(.startOfUnixLine) }
        guard place < text.count else {
            return facts.union([.end, .lineEnd, .unixLineEnd, .endOfLine, .endOfUnixLine])
        }
        if Self.isLineEnd(previous) { facts.insert(.startOfLine) }
        let next = text[place]
        let isLast = place == text.count - 1
        if next == 0xA { facts.formUnion(isLast ? [.endOfUnixLine, .unixLineEnd] : .endOfUnixLine) }
        if Self.isLineEnd(next), next != 0xA || previous != 0xD {
            facts.formUnion(isLast ? [.endOfLine, .lineEnd] : .endOfLine)
        }
        if next == 0xD, !isLast, text[place + 1] == 0xA {
            facts.formUnion(place == text.count - 2 ? [.beforeCRLF, .lineEnd] : .beforeCRLF)
        }
        return facts
    }

    private static func isLineEnd(_ unit: UInt16) -> Bool {
        (0xA...0xD).contains(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029
    }

    // MARK: Words

    /// The boundaries of words as ICU has them: places between a character of a word and one of none. Marks are passed
    /// over, and no boundary lies before a mark. Nil where ICU does not take the classes.
    private func wordBoundaries(_ atoms: PatternAtoms) -> PlaceBits? {
        guard let word = atoms.number(of: PatternAtoms.word), let mark = atoms.number(of: PatternAtoms.mark)
        else { return nil }
        var bits = PlaceBits(count: text.count)
        var wasWord = false
        var place = 0
        while place < text.count {
            let (scalar, next) = text.scalar(at: place)
            if !atoms.holds(mark, scalar: scalar) {
                let isWord = atoms.holds(word, scalar: scalar)
                if isWord != wasWord { bits.insert(place) }
                wasWord = isWord
            }
            place = next
        }
        if wasWord { bits.insert(place) }
        return bits
    }
}

extension UnsafeBufferPointer<UInt16> {
    /// The code point at a place within the text, and the place behind it.
    func scalar(at place: Int) -> (scalar: UInt32, next: Int) {
        let unit = self[place]
        guard UTF16.isLeadSurrogate(unit), place + 1 < count, UTF16.isTrailSurrogate(self[place + 1]) else {
            return (UInt32(unit), place + 1)
        }
        return (0x1_0000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(self[place + 1]) & 0x3FF, place + 2)
    }

    /// The place before the code point that ends at a place within the text.
    func place(before place: Int) -> Int {
        let isPair = place > 1 && UTF16.isTrailSurrogate(self[place - 1]) && UTF16.isLeadSurrogate(self[place - 2])
        return place - (isPair ? 2 : 1)
    }
}
