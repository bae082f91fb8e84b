import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Where the automaton has an answer, it is ICU's.
@Suite struct AutomatonTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 600 : 200_000

    @Test(arguments: [false, true])
    func itAnswersAsICU(ignoresCase: Bool) throws {
        var (answers, matches) = (0, 0)
        for number in 0..<UInt64(Self.count) {
            var source = RandomPattern(seed: number << 1 | (ignoresCase ? 1 : 0))
            let pattern = source.pattern()
            let expression = try RegularExpression(pattern, ignoresCase: ignoresCase)
            for _ in 0..<8 {
                let text = source.text()
                Array(text.utf16).withUnsafeBufferPointer { units in
                    guard let linear = expression.matchesLinearly(units),
                        let expected = expression.matches(units, limits: .init(steps: 5, stackBytes: 8 << 20))
                    else { return }
                    answers += 1
                    if expected { matches += 1 }
                    #expect(
                        linear == expected, "seed \(number), \(pattern.debugDescription) on \(text.debugDescription)")
                }
            }
        }
        #expect(answers > Self.count * 5 && matches > Self.count / 4)
    }

    /// What a pattern costs grows with its length, however deep its parts lie in one another.
    @Test(arguments: ["*", "?", "+", "{1}"])
    func partsWithinParts(repetition: String) throws {
        let depth = 60
        let pattern = String(repeating: "(?:", count: depth) + "a" + String(repeating: ")" + repetition, count: depth)
        #expect(try RegularExpression(pattern).matches("a"))
        #expect(try !RegularExpression(pattern).matches("b"))
    }

    /// The pattern has more states than are kept.
    @Test func statesAreForgotten() throws {
        let expression = try RegularExpression("(?:a|b|é)*a(?:a|b|é){11}")
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2 {
            let text = (0..<6_000).map { _ in ["a", "b", "é"][Int.random(in: 0...2, using: &generator)] }
            let expected = text[text.count - 12] == "a"
            Array(text.joined().utf16).withUnsafeBufferPointer {
                #expect(expression.matchesLinearly($0) == expected)
            }
        }
    }

    @Test(arguments: [
        "(a)\\1", "(?:ab)++", "a{1,2}?+", "(?>a|ab)", "(?<=a?+b)a", "(?<=\\R)a", "a{5000}", "(?:a{100}){100}",
        String(repeating: "(?=a)", count: 17) + "a",
    ])
    func whatIsNotRegularIsLeftToOthers(pattern: String) throws {
        guard let expression = try? RegularExpression(pattern) else { return }
        "a".utf16.map { $0 }.withUnsafeBufferPointer { #expect(expression.matchesLinearly($0) == nil) }
    }

    @Test(arguments: [
        ("((){1000}){1000}", "", true), ("(a{0,50}){40}", String(repeating: "a", count: 2_000), true),
        ("a$", "a\r\n", false), ("a$\\s*", "a\r\n", true), ("a$\\s*", "a\n\n", false), ("(^a|b)*", "aba", false),
        ("(?=.*b)(?!.*c)[a-d]+", "abd", true), ("(?=.*b)(?!.*c)[a-d]+", "abcd", false),
        ("a+(?<=aa)b", "ab", false), ("a+(?<!aaa)b", "aab", true), ("(?=(?!b)a)a(?<=(?<!b)a)b", "ab", true),
        ("\\bno\\b.*", "no way", true), ("\\bno\\b.*", "now", false), ("a\\B\u{301}", "a\u{301}", true),
        ("(?m)a$\\n^b", "a\nb", true), ("(?dm)a$\\r^b", "a\rb", false), ("(?s).", "\r\n", true),
        ("(?s)..", "\r\n", false),
        ("\\R", "\r\n", true), ("\\R\\R", "\r\n", false), ("\\X", "e\u{301}", true), ("\\X", "👨‍👩‍👧", true),
        ("\\X", "ab", false),
        ("a*+b", "aab", true), ("a*+ab", "aab", false), ("a{1,2}+a", "aa", false), ("(?>a+)a", "aa", false),
        ("(?i)a(?-i)b", "Ab", true), ("(?i:a)b", "aB", false), ("(?x) a  b # c", "ab", true),
        ("\\Qa*\\E+", "a**", true),
        ("a(?#b)+", "aa", true), ("\\0141", "a", true), ("\\cA", "\u{1}", true), ("\\N{SPACE}", " ", true),
        ("[[a-z]&&[^b]]+\\d?", "acz1", true), ("[^\\]]*", "a[b", true), ("\\p{Lu}+", "ÄÖ", true),
        ("[]a]+", "a]", true), ("(?w)\\bit's\\b", "it's", true), ("(?w)it\\b.*", "it's", false),
        ("(?x)[a b]", " ", false),
    ])
    func whatItKnows(pattern: String, text: String, expected: Bool) throws {
        let expression = try RegularExpression(pattern)
        #expect(try expression.matches(text) == expected)
        Array(text.utf16).withUnsafeBufferPointer { #expect(expression.matchesLinearly($0) == expected) }
    }
}
