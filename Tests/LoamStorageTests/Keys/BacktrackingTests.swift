import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Patterns of all kinds are matched in one pass, or by trying ways, and every answer is ICU's.
@Suite struct BacktrackingTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 1_500 : 100_000

    @Test(arguments: [false, true])
    func itAnswersAsICU(ignoresCase: Bool) throws {
        var (linear, tried, matches) = (0, 0, 0)
        for number in 0..<UInt64(Self.count) {
            var source = RandomPattern(seed: number << 1 | (ignoresCase ? 1 : 0), isRich: true)
            guard let matcher = PatternMatcher(source.pattern(), ignoresCase: ignoresCase) else { continue }
            for _ in 0..<8 {
                let text = source.text()
                let message: Comment = "seed \(number), \(matcher.source.debugDescription) on \(text.debugDescription)"
                Array(text.utf16).withUnsafeBufferPointer { units in
                    guard let expected = matcher.expression.matches(units, limits: .init(steps: 5, stackBytes: 8 << 20))
                    else { return }
                    if let answer = matcher.linear?.matches(units) {
                        linear += 1
                        #expect(answer == expected, message)
                    }
                    if let answer = matcher.tries(text) {
                        tried += 1
                        if expected { matches += 1 }
                        #expect(answer == expected, message)
                    }
                }
            }
        }
        #expect(linear > Self.count * 4 && tried > Self.count * 6 && matches > Self.count / 4)
    }

    /// An atomic part keeps its first match, also where that fails behind it.
    @Test(arguments: [
        ("(?:(?:((?:[^\\n]|\\A)){2}){1,})++", "abc", false), ("(?:(?:[ab]|ab){2})*+", "abab", true),
        ("(?:\\b(?:(\\w{1,}?|x))?){1,3}+", "ab", false), ("(?>a|ab)c", "abc", false), ("(?>ab|a)c", "abc", true),
        ("((?:a|ab)++)\\1", "aa", false), ("(?:(a)|b)*+", "ab", true), ("(?:a?)*+b", "aab", true),
        ("(?:a?){1,}+b", "aab", true), ("((a\\1){0,2}){1,}b?", "aa", false),
    ])
    func atomicPartsHaveOneWay(pattern: String, text: String, expected: Bool) throws {
        let matcher = try #require(PatternMatcher(pattern))
        #expect(matcher.tries(text) == expected)
        #expect(try matcher.expression.matches(text) == expected)
    }

    /// Every pattern that ICU takes is read as ICU reads it, or not at all.
    @Test func garbageIsReadAsICUReadsIt() {
        var (patterns, answers) = (0, 0)
        for number in 0..<UInt64(Self.count * 4) {
            var source = RandomPattern(seed: number)
            guard let matcher = PatternMatcher(source.garbage(), ignoresCase: number % 3 == 0) else { continue }
            patterns += 1
            for text in ["", "a", "ab", "aab", source.text(), source.text()] {
                let message: Comment = "seed \(number), \(matcher.source.debugDescription) on \(text.debugDescription)"
                Array(text.utf16).withUnsafeBufferPointer { units in
                    guard let expected = matcher.expression.matches(units, limits: .init(steps: 5, stackBytes: 8 << 20))
                    else { return }
                    if let answer = matcher.linear?.matches(units) { #expect(answer == expected, message) }
                    if let answer = matcher.tries(text) {
                        answers += 1
                        #expect(answer == expected, message)
                    }
                }
            }
        }
        #expect(patterns > Self.count / 20 && answers > Self.count / 5)
    }

    /// Texts that ICU has no room for are matched; the next character tells which way to go, so that little is saved.
    @Test(arguments: [
        ("([ab ]+)-\\1", true), ("(?:(a)|(b)| )*-(?:\\2|[^b-])*", true), ("(?>ab|a|b| )*+-.*", true),
        ("(?s:.*)-(a).*\\1b ", true), ("([ab ]{3})++-\\1+", true), ("([ab ]*+)-\\1c", false),
        ("(?:(?=(a))\\1b )*-(?<=(b) -)(?:a\\2 )*", true),
    ])
    func longTextsTakeLittleMemory(pattern: String, expected: Bool) throws {
        let matcher = try #require(PatternMatcher(pattern))
        #expect(matcher.linear == nil)
        let half = String(repeating: "ab ", count: 10_000)
        let program = try #require(matcher.program)
        Array("\(half)-\(half)".utf16).withUnsafeBufferPointer { units in
            guard var tried = BacktrackingMatcher(program, text: units, limits: .usual(for: units.count)) else {
                Issue.record("the text is refused")
                return
            }
            #expect(tried.matches() == expected)
            #expect(tried.highestStack < 50, "\(tried.highestStack)")
        }
        #expect(try matcher.expression.matches("\(half)-\(half)") == expected)
    }

    @Test(arguments: ["(a+)+\\1b", "(a|aa)+(?>b|bc)c", "(?:a?){30}\\1(b)", "(?:(?:){16000000}){16000000}\\1(b)"])
    func workThatExplodesIsGivenUp(pattern: String) throws {
        let matcher = try #require(PatternMatcher(pattern))
        #expect(matcher.tries(String(repeating: "a", count: 60), steps: 200_000) == nil)
    }

    @Test func memoryIsLimited() throws {
        let matcher = try #require(PatternMatcher("(?:(a)|(?:ab?))*?b\\1|(a|ab)*c"))
        let text = String(repeating: "ab", count: 5_000)
        #expect(matcher.tries(text) == false)
        #expect(matcher.tries(text, entries: 20) == nil)
    }

    /// The depth of a pattern and the length of a text use nothing of the machine's stack.
    @Test func partsThatLieDeep() throws {
        for depth in [80, 5_000] {
            let pattern = String(repeating: "(?>", count: depth) + "ab|a" + String(repeating: ")", count: depth)
            let matcher = PatternMatcher(pattern)
            #expect(matcher?.tries("ab") == (depth == 80 ? true : nil))
        }
    }
}
