import Foundation
import Testing

@testable import LoamStorage

/// Patterns of rare forms are matched without ICU too, with texts of any length, and every answer is ICU's.
@Suite struct PatternFormTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 800 : 100_000

    @Test(arguments: RandomPattern.Form.allCases)
    func itAnswersAsICU(form: RandomPattern.Form) {
        var (patterns, read, answers, matches) = (0, 0, 0, 0)
        for number in 0..<UInt64(Self.count) {
            var source = RandomPattern(seed: number, isRich: form == .spaces)
            guard let matcher = PatternMatcher(source.pattern(of: form), ignoresCase: number % 3 == 0) else { continue }
            patterns += 1
            if matcher.isRead { read += 1 }
            for _ in 0..<8 {
                let text = source.text(for: form)
                let message: Comment = "seed \(number), \(matcher.source.debugDescription) on \(text.debugDescription)"
                guard let expected = matcher.icu(text) else { continue }
                if let answer = matcher.passes(text) { #expect(answer == expected, message) }
                guard let answer = matcher.tries(text) else { continue }
                #expect(answer == expected, message)
                answers += 1
                if expected { matches += 1 }
            }
        }
        #expect(patterns > Self.count / 4 && read * 20 >= patterns * 19 && answers > patterns * 2)
        #expect(matches > patterns / 8)
    }

    /// Where ICU has no answer in little room.
    @Test(arguments: [
        ("(?w)(?:\\b.|\\B[^x])*", "it's 3.5 ", "!", "ax", 80_000), ("(?:[]a]|[^]a])*b", "]a😀", "b", "c", 800_000),
        ("(?:[\\Q]a\\E]|[^\\Qb]\\E])*b", "]ac", "b", "bc", 1_000_000), ("(?i:[é]|[ß]s)*", "éÉ", "ẞS", "e", 600_000),
        ("(?i)(?:a|[ŉ])*[ʼ]n", "aʼN", "ŉ", "ʼ", 800_000), ("(?x)(?:[a #x]y]\n]|[ b])*", "ab", "a", "x", 1_000_000),
        ("((a|b)?\\2?c?)*+", "aabbc", "ca", "x", 30_000), ("(?:(a|\\1b)??c|(?!x)\\1?)*?", "acabc", "c", "x", 15_000),
        ("(?:\\x9|\\uD83D\\uDE00|\\E|])*", "\t😀E]", "E", "x", 600_000),
    ])
    func longTextsAreMatched(pattern: String, piece: String, last: String, wrong: String, count: Int) throws {
        let matcher = try #require(PatternMatcher(pattern))
        #expect(matcher.isRead)
        for (end, expected) in [(last, true), (wrong, false)] {
            let text = String(repeating: piece, count: count) + end
            let answer = ContiguousArray(text.utf16).withUnsafeBufferPointer { units in
                if !expected {
                    #expect(matcher.expression.matches(units, limits: .init(steps: 100, stackBytes: 1 << 20)) == nil)
                }
                return matcher.linear == nil
                    ? matcher.tries(units, limits: .usual(for: units.count)) : matcher.linear?.matches(units)
            }
            #expect(answer == expected)
        }
    }

    @Test func aPatternOfManyClassesIsMatchedInOneGo() throws {
        let letters = (0..<1_500).compactMap { Unicode.Scalar(0x4E00 + $0).map(String.init) }
        let matcher = try #require(PatternMatcher("(?:" + letters.map { "[a\($0)]" }.joined(separator: "|") + ")*"))
        let text = String(repeating: "aaaaaaaaa", count: 100_000)
        #expect(matcher.passes(text + letters[1_499]) == true)
        #expect(matcher.passes(text + "b") == false)
    }

    /// Each class takes memory; beyond a number of them, ICU matches with the limits that it has.
    @Test func ofClassesThereIsALimit() throws {
        let classes = (0...PatternAtoms.mostAtoms).compactMap { Unicode.Scalar(0x4E00 + $0).map { "[a\($0)]?" } }
        #expect(try #require(PatternMatcher(classes.dropLast().joined())).isRead)
        let matcher = try #require(PatternMatcher(classes.joined()))
        #expect(!matcher.isRead)
        #expect(try matcher.expression.matches("aaa"))
    }

    @Test(arguments: [
        ("[é]", "É", true), ("[ŉ]", "ʼN", true), ("[^ŉ]", "ʼN", false), ("[ŉa]", "ʼN", false), ("[ʼ]n", "ŉ", true),
        ("ʼ[n]", "ŉ", false), ("[ʼ]*n", "ŉ", false), ("[ﬁ]", "FI", true), ("[ß]", "SS", false), ("[ß]", "ẞ", true),
    ])
    func aClassOfOneCharacterIsALiteralAsInICU(pattern: String, text: String, expected: Bool) throws {
        let matcher = try #require(PatternMatcher(pattern, ignoresCase: true))
        #expect(matcher.icu(text) == expected)
        #expect(matcher.passes(text) == expected)
        #expect(matcher.tries(text) == expected)
    }

    /// Where a class of one character makes a difference, the class is known for one.
    @Test func allClassesOfOneCharacter() {
        let notable = Set(PatternAtoms.notable)
        for scalar in (UInt32(0x80)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init)
        where scalar.properties.changesWhenCaseFolded {
            let folding = ICU.foldCase([scalar])
            guard folding.count > 1 else { continue }
            #expect(notable.contains(scalar), "\(scalar.escaped(asASCII: true))")
            let rest = folding.dropFirst().map(String.init).joined()
            let matcher = PatternMatcher("[\(folding[0])]\(rest)", ignoresCase: true)
            #expect(matcher?.passes(String(scalar)) == matcher?.icu(String(scalar)))
            let alone = PatternMatcher("[\(scalar)]", ignoresCase: true)
            for text in [String(scalar), folding.map(String.init).joined()] {
                #expect(alone?.passes(text) == alone?.icu(text))
            }
        }
    }

    /// What is left to ICU, and fails where ICU reaches its limit.
    @Test(arguments: ["\\uD83D", "[\\uD83D]", "(?x)\\p{\\Q\\EL}", "(?#\\Qa\\E)"])
    func whatICUAloneReads(pattern: String) throws {
        let matcher = try #require(PatternMatcher(pattern))
        #expect(!matcher.isRead)
        #expect(try matcher.expression.matches("L") == (matcher.icu("L") == true))
    }

    /// A possessive repetition is written out once, however deep it lies.
    @Test func possessivePartsThatLieDeep() throws {
        let pattern = String(repeating: "(?:", count: 60) + "(a)\\1" + String(repeating: "b?)++", count: 60)
        let matcher = try #require(PatternMatcher(pattern))
        #expect(try #require(matcher.program).instructions.count < 1_000)
        #expect(matcher.tries("aab") == true)
        #expect(matcher.tries("ab") == false)
    }
}
