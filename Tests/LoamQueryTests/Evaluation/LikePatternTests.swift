import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// LIKE folds a text as a whole; what it answers is what folding each character alone does.
@Suite struct LikePatternTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 3_000 : 300_000

    private static let characters = [
        "a", "A", "é", "e\u{301}", "E\u{301}\u{323}", "ß", "ẞ", "ﬁ", "ﬃ", "İ", "ı", "ŉ", "ΐ", "s", "f", "i", "\u{301}",
        "\u{308}", "\u{1100}", "\u{1161}", "가", "\u{11A8}", "日", "👩‍👩‍👧", "🇵🇪", "\u{1F1E6}", "\u{200D}", "\r\n", "\n",
        "\u{1}", "\u{2}", "\u{1E}", "\u{20DD}", "ᾳ", "\u{345}", "ǰ",
    ]

    @Test(arguments: [StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded])
    func itAnswersAsCharacterByCharacter(form: StringForm) {
        var generator = SeededGenerator(seed: 31)
        var (matches, apart) = (0, 0)
        for _ in 0..<Self.count {
            let parts = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                Self.characters[Int.random(in: 0..<Self.characters.count, using: &generator)]
            }
            let text = parts.joined()
            let pattern = parts.map { part in
                switch Int.random(in: 0...5, using: &generator) {
                case 0...1: "?"
                case 2: "*"
                case 3: "??"
                default: part
                }
            }.joined()
            let expected = Self.foldedApart(text, form)
            if form != .exact {
                #expect(Self.foldedCharacters(text, form) == text.inForm(.exact).map { Array(String($0).inForm(form)) })
            }
            let like = LikePattern(pattern, form: form)
            let elements = Self.elements(of: pattern, form)
            let asksForCharacters = elements.contains(.anyCharacter)
            let characters = asksForCharacters ? expected : nil
            let holds = Self.matches(
                elements[...], (characters ?? text.inForm(form).map { [$0] })[...], isWhole: characters == nil)
            #expect(like.matches(text) == holds, "\(text.debugDescription) LIKE \(pattern.debugDescription)")
            #expect(
                Self.matches(text, likeOther: pattern, form) == holds,
                "\(text.debugDescription) LIKE \(pattern.debugDescription), in memory of another pattern")
            if holds { matches += 1 }
            if expected != nil { apart += 1 }
        }
        #expect(matches > Self.count / 10 && (apart > 0) == (form != .exact))
    }

    @Test func textsWithEverySeparatorAreFoldedApart() {
        #expect(LikePattern("?ss?\u{2}*", form: .caseFolded).matches("\u{1}ß\u{1E}\u{2}"))
        #expect(Self.foldedCharacters("\u{1}\u{2}\u{1E}ß", .caseFolded).last == ["s", "s"])
        #expect(Self.foldedCharacters("\u{1}\u{2}\u{1E}É", .caseFolded).last == ["é"])
    }

    /// Longer than what is folded at once.
    @Test func longTextsAreFoldedApart() {
        let text = String(repeating: "слово ß ", count: 90)
        #expect(LikePattern("*слово??слово*", form: .caseFolded).matches(text) == false)
        #expect(LikePattern("слово ?? *слово ss ", form: .caseFolded).matches(text))
        #expect(LikePattern(String(repeating: "СЛОВО ? ", count: 90), form: .caseFolded).matches(text))
        #expect(!LikePattern(String(repeating: "СЛОВО ? ", count: 89), form: .caseFolded).matches(text))
    }

    private static func foldedCharacters(_ text: String, _ form: StringForm) -> [[Character]] {
        var found: [[Character]] = []
        var text = text.inForm(.exact)
        text.withUTF8 { bytes in
            _ = FoldedCharacters.forEach(of: UnsafeRawBufferPointer(bytes), form: form) {
                found.append(Array(String(decoding: $0, as: UTF8.self)))
                return true
            }
        }
        return found
    }

    /// With the pattern as a row has it, taken in where another one was.
    private static func matches(_ text: String, likeOther pattern: String, _ form: StringForm) -> Bool? {
        let memory = TextMemory()
        var like = LikePattern("a?*\\", form: form)
        return try? {
            try like.replace(with: memory.keep(.string(pattern)))
            let text = memory.keep(.string(text))
            return try like.matches(text.text, isPlain: text.isPlain)
        }()
    }

    enum Element: Hashable {
        case character(Character)
        case anyCharacter
        case anyString
    }

    private static func elements(of pattern: String, _ form: StringForm) -> [Element] {
        var elements: [Element] = []
        var literal = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped || !["\\", "?", "*"].contains(character) {
                literal.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                elements +=
                    literal.inForm(form).map(Element.character) + [character == "?" ? .anyCharacter : .anyString]
                literal = ""
            }
        }
        return elements + (literal + (isEscaped ? "\\" : "")).inForm(form).map(Element.character)
    }

    /// The characters of a text, each folded alone by ICU; nil where no character becomes several.
    private static func foldedApart(_ string: String, _ form: StringForm) -> [[Character]]? {
        guard form != .exact, !string.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let characters = string.inForm(.exact).map { Array(String($0).inForm(form)) }
        return characters.allSatisfy { $0.count == 1 } ? nil : characters
    }

    /// Tries all ways to match, one after the other. `offset` characters of the first group are taken.
    private static func matches(
        _ elements: ArraySlice<Element>, _ groups: ArraySlice<[Character]>, offset: Int = 0, isWhole: Bool
    ) -> Bool {
        guard let group = groups.first else { return elements.allSatisfy { $0 == .anyString } }
        if offset == group.count, offset > 0 || !isWhole,
            matches(elements, groups.dropFirst(), isWhole: isWhole)
        {
            return true
        }
        guard let element = elements.first else { return false }
        let rest = elements.dropFirst()
        switch element {
        case .character(let character):
            return offset < group.count && group[offset] == character
                && matches(rest, groups, offset: offset + 1, isWhole: isWhole)
        case .anyCharacter:
            return offset < group.count && matches(rest, groups, offset: offset + 1, isWhole: isWhole)
                || offset == 0 && matches(rest, groups.dropFirst(), isWhole: isWhole)
        case .anyString:
            return matches(rest, groups, offset: offset, isWhole: isWhole)
                || offset < group.count && matches(elements, groups, offset: offset + 1, isWhole: isWhole)
        }
    }
}
