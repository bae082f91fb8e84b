import SeededRandom
import Testing

@testable import LoamStorage

/// What follows from a text that contains another one: it has the trigrams that are looked for.
@Suite struct TrigramSetTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func aTextHasTheTrigramsOfWhatItContains(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var found: [StringForm: Int] = [:]
        for _ in 0..<40_000 {
            let text = HardText.text(Int.random(in: 0...12, using: &random), &random)
            let part = HardText.part(of: text, &random)
            let set = TrigramSet(text)
            for form in [
                StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded, .localizedStandard,
            ] {
                let sought = TrigramSet.trigrams(ofTextsWith: part, form: form)
                guard !sought.isEmpty, StringForms.contains(text, part: part, form: form) else { continue }
                found[form, default: 0] += 1
                #expect(sought.allSatisfy(set.contains), "\(form) \(text.debugDescription) \(part.debugDescription)")
            }
        }
        // What is never looked for is never missed.
        for form in [StringForm.exact, .caseFolded, .caseAndDiacriticFolded, .localizedStandard] {
            #expect(found[form, default: 0] > 500, "\(form): \(found[form, default: 0])")
        }
        #expect(found[.diacriticFolded] == nil)
    }

    @Test func trigramsAreThoseOfTheFoldedText() {
        func texts(_ text: String) -> Set<String> { Set(TrigramSet(text).trigrams.map(TrigramSet.text)) }
        #expect(texts("") == [] && texts("ab") == [] && texts("é") == [])
        #expect(texts("Éclat") == ["ecl", "cla", "lat"])
        #expect(texts("aaaa") == ["aaa"])
        #expect(texts("Straße") == ["str", "tra", "ras", "ass", "sse"])
        #expect(texts("日本語") == ["日本語"])
        #expect(texts("a😀b") == ["a😀b"])
        #expect(texts("ΑΣς") == ["ασσ"])
    }

    /// A letter that is put together of two is not the one that stands alone in the part.
    @Test func marksThatPartLettersAreNoReasonToMissAText() {
        let text = "\u{1100}\u{301}\u{1161}xyz"
        #expect(StringForms.contains(text, part: "\u{1161}xyz", form: .exact))
        #expect(TrigramSet.trigrams(ofTextsWith: "\u{1161}xyz", form: .exact).map(TrigramSet.text) == ["xyz"])
        let iota = "\u{3B1}\u{345}bc"
        #expect(StringForms.contains(iota, part: "αbc", form: .diacriticFolded))
        #expect(TrigramSet.trigrams(ofTextsWith: "αbc", form: .diacriticFolded) == [])
    }

    @Test(arguments: ["abc", "日本語", "a😀b", "\u{0}\u{1}\u{2}", "\u{10FFFF}\u{10FFFF}\u{10FFFF}"])
    func keysGiveTheirTrigramsBack(text: String) {
        let trigram = TrigramSet(text).trigrams[0]
        #expect(TrigramSet.trigram(of: TrigramSet.key(of: trigram)) == trigram)
        var key = KeyBuffer()
        TrigramSet.append(trigram, to: &key)
        #expect(key.withBytes { Array($0) } == TrigramSet.key(of: trigram))
    }

    /// At most 64 KiB in the folded form, whatever the text itself takes.
    @Test func aLongTextIsNotTakenApart() {
        let longest = String(repeating: "a", count: TrigramSet.longestText)
        #expect(TrigramSet(longest).trigrams.map(TrigramSet.text) == ["aaa"])
        #expect(TrigramSet(longest + "a").trigrams == [TrigramSet.every])
        #expect(TrigramSet(longest + "\u{301}").trigrams.map(TrigramSet.text) == ["aaa"])
        let long = String(repeating: "abc", count: TrigramSet.longestText / 3 + 1)
        #expect(TrigramSet(long).trigrams == [TrigramSet.every])
        #expect(TrigramSet(String(long.dropLast(3))).trigrams.count == 3)
        #expect(TrigramSet.trigrams(ofTextsWith: long, form: .caseAndDiacriticFolded) == [])
        #expect(TrigramSet.trigrams(ofTextsWith: long, form: .exact) == [])
        #expect(TrigramSet.trigram(of: TrigramSet.key(of: TrigramSet.every)) == TrigramSet.every)
        #expect(TrigramSet.trigram(of: []) == nil && TrigramSet.trigram(of: [1, 97, 0]) == nil)
    }

    @Test func aTextOfVeryManyTrigramsIsNotTakenApart() {
        func text(_ count: Int) -> String {
            String(String.UnicodeScalarView((0..<count).compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }))
        }
        let most = TrigramSet.mostTrigrams
        #expect(TrigramSet(text(most + 2)).trigrams.count == most)
        // Each once: a text that says the same again has few more.
        #expect(TrigramSet(text(most / 2) + text(most / 2)).trigrams.count == most / 2)
        #expect(TrigramSet(text(most + 3)).trigrams == [TrigramSet.every])
        // A text that contains it has the one entry too, so any trigram finds it; the part itself asks for none.
        #expect(TrigramSet("x" + text(most + 3)).trigrams == [TrigramSet.every])
        #expect(TrigramSet.trigrams(ofTextsWith: text(most + 3), form: .exact) == [])
        #expect(TrigramSet.trigrams(ofTextsWith: text(most + 2), form: .exact).count == most)
    }

    /// A record may say of any bytes that they are ASCII: what is no code point has one key, and so one trigram.
    @Test func bytesOfNoCodePointStandForAnUnknownOne() throws {
        for piece: [UInt8] in [[0xED, 0xA0, 0x80], [0xF7, 0xBF, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80]] {
            let bytes = (0..<3).flatMap { _ in piece } + (0..<3).flatMap { _ in [0xED, 0xBF, 0xBF] as [UInt8] }
            var set = TrigramSet()
            try bytes.withUnsafeBytes { try set.take($0, isPlain: true) }
            #expect(set.trigrams.map(TrigramSet.text) == ["\u{FFFD}\u{FFFD}\u{FFFD}"])
            #expect(set.trigrams.map { TrigramSet.trigram(of: TrigramSet.key(of: $0)) } == set.trigrams)
        }
    }
}
