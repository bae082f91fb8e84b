/// The classes of a pattern, each with the pattern that ICU has for one character of it, and what ICU said.
///
/// For one thread at a time; copies (``clone()``) share nothing that changes.
final class PatternAtoms: @unchecked Sendable {
    /// For each atom the matcher that others are cloned from. It matches no text itself.
    private var originals: [ICU.Matcher] = []
    /// For each atom the matcher that ICU is asked with, once it was asked.
    private var matchers: [ICU.Matcher?] = []
    private var numbers: [Source: Int] = [:]
    /// For each atom and each ASCII character: 1 where the atom has the character, 0 where not, -1 where ICU was not
    /// asked yet.
    private var ascii: ContiguousArray<Int8> = []
    /// For each atom whether it has the other characters that ICU was asked for.
    private var known: [[UInt32: Bool]] = []
    private var foldings: [UInt32: [UInt32]] = [:]
    private var knownCount = 0
    /// Whether there was no memory to ask ICU: what was answered since may be wrong.
    private(set) var lacksMemory = false

    private struct Source: Hashable {
        var pattern: String
        var ignoresCase: Bool
    }

    /// The most atoms. Each takes 3 KiB, and another in each copy that asks for it.
    static let mostAtoms = 5_000
    private static let mostKnown = 20_000

    /// A code point of any kind.
    static let any = "[\\s\\S]"
    /// What ICU calls a word's character.
    static let word = "\\w"
    /// What ICU passes over where it looks for the bounds of words.
    static let mark = "[\\p{Grapheme_Extend}\\p{Cf}]"

    init() {}

    /// Atoms with matchers of their own, made as they are needed.
    func clone() -> PatternAtoms {
        let copy = PatternAtoms()
        copy.originals = originals
        copy.numbers = numbers
        copy.matchers = Array(repeating: nil, count: originals.count)
        copy.ascii = ContiguousArray(repeating: -1, count: originals.count << 7)
        copy.known = Array(repeating: [:], count: originals.count)
        return copy
    }

    /// Whether there may be one more atom.
    var hasRoom: Bool { originals.count < Self.mostAtoms }

    /// The number of an atom; nil where there are too many, or where ICU does not take it.
    func number(of pattern: String, ignoresCase: Bool = false) -> Int? {
        let source = Source(pattern: pattern, ignoresCase: ignoresCase)
        if let number = numbers[source] { return number }
        guard hasRoom else { return nil }
        guard let matcher = ICU.Matcher(Array(pattern.utf16), ignoresCase: ignoresCase) else { return nil }
        originals.append(matcher)
        matchers.append(nil)
        numbers[source] = originals.count - 1
        ascii.append(contentsOf: repeatElement(-1, count: 128))
        known.append([:])
        return originals.count - 1
    }

    func holds(_ atom: Int, scalar: UInt32) -> Bool {
        guard scalar < 0x80 else { return holdsBeyondASCII(atom, scalar: scalar) }
        let index = atom << 7 | Int(scalar)
        if ascii[index] < 0 { ascii[index] = ask(atom, scalar: scalar) ? 1 : 0 }
        return ascii[index] == 1
    }

    private func holdsBeyondASCII(_ atom: Int, scalar: UInt32) -> Bool {
        if let known = known[atom][scalar] { return known }
        let holds = ask(atom, scalar: scalar)
        makeRoomForOne()
        known[atom][scalar] = holds
        return holds
    }

    private func ask(_ atom: Int, scalar: UInt32) -> Bool {
        let units = Unicode.Scalar(scalar).map { Array(String($0).utf16) } ?? [UInt16(truncatingIfNeeded: scalar)]
        guard let matcher = matchers[atom] ?? originals[atom].clone(),
            let answer = units.withUnsafeBufferPointer({ matcher.matches($0) })
        else {
            lacksMemory = true
            return false
        }
        matchers[atom] = matcher
        return answer
    }

    /// The full case folding of a code point.
    func folding(of scalar: UInt32) -> [UInt32] {
        if let known = foldings[scalar] { return known }
        let folding = Unicode.Scalar(scalar).map { ICU.foldCase([$0]).map(\.value) } ?? [scalar]
        makeRoomForOne()
        foldings[scalar] = folding
        return folding
    }

    private func makeRoomForOne() {
        if knownCount >= Self.mostKnown {
            for atom in known.indices { known[atom] = [:] }
            foldings = [:]
            knownCount = 0
        }
        knownCount += 1
    }
}

// MARK: Classes of one character

extension PatternAtoms {
    /// A character without case that begins a folding of several: `ŉ` folds to it and `n`. It is the only one.
    private static let beginning: Unicode.Scalar = "\u{2BC}"
    /// Where the characters lie that fold to several.
    private static let foldingToSeveral: [ClosedRange<UInt32>] = [
        0xDF...0xDF, 0x130...0x130, 0x149...0x149, 0x1F0...0x1F0, 0x390...0x390, 0x3B0...0x3B0, 0x587...0x587,
        0x1E96...0x1E9E, 0x1F50...0x1FFC, 0xFB00...0xFB17,
    ]

    /// The characters for which it makes a difference that ICU has a class of one, whose case is ignored, for a
    /// literal: it belongs to the literals behind it, and matches what it folds to.
    static let notable = [beginning] + foldingToSeveral.joined().compactMap(Unicode.Scalar.init).filter(foldsToSeveral)

    private static func foldsToSeveral(_ scalar: Unicode.Scalar) -> Bool { ICU.foldCase([scalar]).count > 1 }

    /// The ``notable`` character that a class, whose case is ignored, holds alone.
    func onlyNotable(in atom: Int) -> Unicode.Scalar? {
        let held = Self.notable.lazy.filter { self.holds(atom, scalar: $0.value) }.prefix(2)
        guard held.count == 1, let only = held.first else { return nil }
        guard let pattern = numbers.first(where: { $0.value == atom })?.key.pattern else { return nil }
        let isBeginning = only == Self.beginning
        let text = isBeginning ? "ŉ" : String(String.UnicodeScalarView(ICU.foldCase([only])))
        let isLiteral = Array(text.utf16).withUnsafeBufferPointer {
            ICU.Matcher(Array((isBeginning ? pattern + "n" : pattern).utf16), ignoresCase: true)?.matches($0)
        }
        return isLiteral == true ? only : nil
    }

    /// Whether an atom holds one surrogate and no other.
    func holdsOneSurrogate(_ atom: Int) -> Bool {
        (0xD800...0xDFFF).lazy.filter { self.ask(atom, scalar: $0) }.prefix(2).count == 1
    }
}
