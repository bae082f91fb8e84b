import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("String patterns")
struct StringPatternTests {
    /// The answers of Swift's own rules over the characters of both texts.
    static func oracle(_ text: String, _ part: String, form: StringForm) -> [Bool] {
        let text = Array(StringForms.folded(text, form: form) ?? text)
        let part = Array(StringForms.folded(part, form: form) ?? part)
        let isInside =
            text.count >= part.count
            && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
        return [
            text == part, text.starts(with: part),
            text.count >= part.count && Array(text.suffix(part.count)) == part, isInside,
        ]
    }

    @Test(
        "matches are those of Swift's characters",
        arguments: [StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded])
    func characters(form: StringForm) throws {
        var random = SeededGenerator(seed: 0x10AC)
        for _ in 0..<2500 {
            let part = RandomValues.string(using: &random)
            var text = RandomValues.string(using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text += part
            case 1: text = part + text
            case 2: text += part + RandomValues.string(using: &random)
            default: break
            }
            if (text + part).unicodeScalars.contains("\u{378}") { continue }
            let expected = Self.oracle(text, part, form: form)
            let pattern = StringPattern(part, form: form)
            #expect(
                [
                    pattern.equals(text), pattern.isPrefix(of: text), pattern.isSuffix(of: text),
                    pattern.isContained(in: text),
                ]
                    == expected, "\(text.debugDescription) \(part.debugDescription)")
            let isPlain = Array(text.utf8).withUnsafeBytes(StringForms.isPlain)
            let found = try Array(text.utf8).withUnsafeBytes { bytes in
                [
                    try pattern.equals(bytes, isPlain: isPlain), try pattern.isPrefix(of: bytes, isPlain: isPlain),
                    try pattern.isSuffix(of: bytes, isPlain: isPlain),
                    try pattern.isContained(in: bytes, isPlain: isPlain),
                ]
            }
            #expect(found == expected)
        }
    }

    @Test("a match never splits a grapheme cluster")
    func graphemes() {
        #expect(!StringForms.contains("e\u{301}", part: "e", form: .exact))
        #expect(!StringForms.hasPrefix("x\u{323}y", prefix: "x", form: .exact))
        #expect(!StringForms.contains("a\r\nb", part: "\n", form: .exact))
        #expect(StringForms.contains("a\r\nb", part: "\r\n", form: .exact))
        #expect(!StringForms.contains("👩‍👩‍👧", part: "👩", form: .exact))
        #expect(!StringForms.hasSuffix("🇩🇪🇫🇷", suffix: "🇪🇫🇷", form: .exact))
        #expect(StringForms.contains("CAFÉ NOIR", part: "café", form: .caseFolded))
        #expect(StringForms.contains("CAFÉ NOIR", part: "cafe", form: .localizedStandard))
        #expect(StringForms.contains("anything", part: "", form: .exact))
    }
}
