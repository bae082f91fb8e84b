import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("String forms")
struct StringFormTests {
    static let forms: [StringForm] = [
        .exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded, .localizedStandard,
    ]

    @Test("canonical equivalents have one key in every form", arguments: forms)
    func equivalents(form: StringForm) throws {
        let pairs = [
            ("é", "e\u{301}"), ("Å", "\u{212B}"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("K", "\u{212A}"),
            ("a\u{323}\u{301}", "a\u{301}\u{323}"), ("ᾳ", "α\u{345}"), ("ǖ", "u\u{308}\u{304}"), ("Ω", "\u{2126}"),
        ]
        let component = try KeyOrderTests.component(.string, form: form)
        for (left, right) in pairs {
            #expect(left == right)
            var keys: [[UInt8]] = [[], []]
            try component.append(.string(left), to: &keys[0])
            try component.append(.string(right), to: &keys[1])
            #expect(keys[0] == keys[1], "\(left)")
            #expect(StringForms.areEqual(left, right, form: form))
        }
    }

    @Test("exact equality is Swift's")
    func equality() {
        var random = SeededGenerator(seed: 0x10A9)
        for _ in 0..<20_000 {
            let left = RandomValues.string(using: &random)
            let right =
                Int.random(in: 0..<2, using: &random) == 0
                ? left.decomposedStringWithCanonicalMapping : RandomValues.string(using: &random)
            // U+0378 is assigned by no version yet: such strings are kept as they stand.
            if left.unicodeScalars.contains("\u{378}") { continue }
            #expect(StringForms.areEqual(left, right, form: .exact) == (left == right), "\(left) \(right)")
        }
    }

    @Test("folding")
    func folding() {
        func fold(_ text: String, _ form: StringForm) -> String? { StringForms.folded(text, form: form) }
        #expect(fold("Straße", .caseFolded) == "strasse")
        #expect(fold("ÉCOLE", .caseFolded) == "école")
        #expect(fold("ΣΊΣΥΦΟΣ", .caseFolded) == "σίσυφοσ")
        #expect(fold("École", .diacriticFolded) == "Ecole")
        #expect(fold("São Paulo", .caseAndDiacriticFolded) == "sao paulo")
        #expect(fold("İstanbul", .caseAndDiacriticFolded) == "istanbul")
        #expect(fold("ẞ", .caseAndDiacriticFolded) == "ss")
        #expect(fold("Việt Nam", .caseAndDiacriticFolded) == "viet nam")
        #expect(fold("ﬁ", .caseFolded) == "fi")
        #expect(fold("a", .localizedStandard) == nil)
    }

    @Test(
        "folding what is folded changes nothing",
        arguments: [StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded])
    func idempotence(form: StringForm) {
        var random = SeededGenerator(seed: 0x10AA)
        for _ in 0..<5000 {
            let once = StringForms.bytes(of: RandomValues.string(using: &random), form: form)
            #expect(StringForms.bytes(of: String(decoding: once, as: UTF8.self), form: form) == once)
        }
    }

    @Test(
        "the table for Latin gives what ICU gives",
        arguments: [StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded])
    func latin(form: StringForm) {
        var random = SeededGenerator(seed: 0x10AB)
        // A character outside the table sends the whole text to ICU; its own form is itself.
        let foreign = "日"
        for _ in 0..<5000 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0..<0x300, using: &random))
                    }))
            let expected = StringForms.bytes(of: text + foreign, form: form)
            #expect(StringForms.bytes(of: text, form: form) + Array(foreign.utf8) == expected)
        }
    }

    @Test("a string that is not normalized and has an unassigned code point is kept as it stands")
    func unassigned() {
        let text = "e\u{301}\u{378}"
        #expect(StringForms.bytes(of: text, form: .exact) == Array(text.utf8))
        #expect(!StringForms.areEqual(text, "é\u{378}", form: .exact))
        #expect(StringForms.bytes(of: "é\u{378}", form: .caseFolded) == StringForms.bytes(of: text, form: .caseFolded))
    }

    @Test("the localized form orders digits by value and letters without regard to case first")
    func localizedStandard() {
        let names = ["file 1", "File 2", "file 10", "résumé", "Resume 2", "resume"]
        let sorted = names.sorted { StringForms.compare($0, $1, form: .localizedStandard) < 0 }
        #expect(sorted == ["file 1", "File 2", "file 10", "resume", "résumé", "Resume 2"])
        #expect(!StringForms.bytes(of: "ab\0é日", form: .localizedStandard).contains(0))
    }

    @Test("the form version names Unicode and ICU")
    func version() {
        #expect(StringForms.formVersion.hasPrefix("unicode "))
        #expect(StringForms.formVersion.contains("icu "))
    }

    @Test("bytes that are not UTF-8 throw")
    func damaged() {
        for form in Self.forms {
            #expect(throws: StorageError.self) {
                try [0xC3, 0x28].withUnsafeBytes { try StringForms.withBytes(ofUTF8: $0, form: form) { _ in } }
            }
        }
    }

    @Test("many threads make the same keys")
    func threads() async {
        let texts = (0..<200).map { "Éa\($0) 日本 \u{1E9E}ñ" }
        let expected = Self.forms.map { form in texts.map { StringForms.bytes(of: $0, form: form) } }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    Self.forms.map { form in texts.map { StringForms.bytes(of: $0, form: form) } } == expected
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
