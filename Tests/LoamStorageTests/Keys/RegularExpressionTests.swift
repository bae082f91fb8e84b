import Foundation
import Testing

@testable import LoamStorage

@Suite struct RegularExpressionTests {
    private func matches(_ pattern: String, _ text: String, ignoresCase: Bool = false) throws -> Bool {
        try RegularExpression(pattern, ignoresCase: ignoresCase).matches(text)
    }

    @Test(arguments: [
        ("a*", "aaa", true), ("a*", "", true), ("", "", true), ("", "a", false), ("a|ab", "ab", true),
        ("b", "abc", false),
        ("^b$", "a\nb", false), (".", "😀", true), ("(?x)a # letter", "a", true), ("a.c", "a\nc", false),
        ("(\\w+)-\\1", "ab-ab", true), ("\\d{2,3}", "1234", false), ("[^a]", "é", true),
    ])
    func itMatchesWholeTexts(pattern: String, text: String, expected: Bool) throws {
        #expect(try matches(pattern, text) == expected)
    }

    @Test func caseIsIgnoredWhereAsked() throws {
        #expect(try matches("straße", "STRASSE", ignoresCase: true))
        #expect(try !matches("straße", "STRASSE"))
    }

    @Test(arguments: ["(", "[", "*", "a)(b", "(?<n"])
    func malformedPatternsAreRefused(pattern: String) {
        #expect(throws: RegularExpression.Failure.malformedPattern) { try RegularExpression(pattern) }
    }

    @Test func anyLongTextIsMatched() throws {
        let text = String(repeating: "a", count: 2_000_000)
        for pattern in ["a*", "(?:a)*", "(a|b)*", "[ab]+", ".*a", "(?:a|b|c|d)*", "((a)(a))*"] {
            let expression = try RegularExpression(pattern)
            #expect(try expression.matches(text), "\(pattern)")
            #expect(try !expression.matches(text + "!"), "\(pattern)")
        }
    }

    @Test func workThatExplodesIsAnsweredInOneGo() throws {
        let text = String(repeating: "a", count: 60)
        let patterns = [
            "(a+)+b", "(a|aa)+b", "(a*)*b", "(?:a+)+b$", "^(\\w|[a-z])*b", "(a|aa)+(?=b)b", "(?i)(a*)*b",
            "(a|aa)+(?!c)b", "(a+)+\\Bb", "(?<!b)(a+)+b", "(?=(a+)+b)a+b",
        ]
        for pattern in patterns {
            let costly = try RegularExpression(pattern, ignoresCase: pattern.contains("*"))
            for _ in 0..<2 {
                #expect(try !costly.matches(text))
                #expect(try costly.matches(text + "b"))
            }
        }
    }

    @Test func workThatExplodesIsNoAnswerForOtherPatterns() throws {
        let text = String(repeating: "a", count: 60)
        for pattern in ["(a+)+\\1b", "(a|aa)+(?>b|bc)c", "((?:b|bc)++|a+)+c"] {
            let costly = try RegularExpression(pattern)
            #expect(throws: RegularExpression.Failure.limitReached) { try costly.matches(text) }
            // A text that reached the limit changes nothing for the next one.
            #expect(try !costly.matches("c"))
        }
        #expect(try RegularExpression("(a+)+\\1b").matches("b") == false)
    }

    /// Texts as long as a record can hold are matched, for which ICU has too few states.
    @Test func textsBeyondTheLimitAreMatched() throws {
        let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 400_000 : 15_000_000
        for (pattern, last, expected) in [("(a|b)*", "b", true), ("(a|b)*", "x", false), (".*x", "b", false)] {
            let expression = try RegularExpression(pattern)
            let text = String(repeating: "ab", count: count / 2) + last
            #expect(try expression.matches(text) == expected)
            ContiguousArray(text.utf16).withUnsafeBufferPointer { text in
                #expect(expression.matches(text, limits: .init(steps: 10, stackBytes: 1 << 20)) != !expected)
                #expect(expression.matchesLinearly(text) == expected)
            }
        }
    }

    /// A match takes one pass for each look-around, and one more.
    @Test func longTextsAreLookedAround() throws {
        let text = String(repeating: "ab ", count: 40_000)
        for (pattern, last, expected) in [
            ("(?=.*x)(?!.*y)(?:a|b| )*.", "x", true), ("(?=.*x)(?!.*y)(?:a|b| )*.", "y", false),
            ("(?:a|b|\\b \\b| $)*", "", true), ("(?:a(?=b)|(?<=a)b|(?<!a) )*", "a", false),
            ("(?:[ab]++ )*+z", "z", true), ("(?:\\X|zz)*", "zz", true),
        ] {
            let expression = try RegularExpression(pattern)
            #expect(try expression.matches(text + last) == expected, "\(pattern)")
            guard !pattern.contains("*+") else { continue }
            ContiguousArray((text + last).utf16).withUnsafeBufferPointer { units in
                #expect(expression.matchesLinearly(units) == expected, "\(pattern)")
            }
        }
    }

    /// Matchers that wait hold memory, so few are kept, however many threads there were.
    @Test func fewMatchersWait() throws {
        let expression = try RegularExpression("(a|b)*")
        for _ in 0..<100 {
            if let matcher = expression.makeMatcher(RegularExpression.usual) { expression.keep(matcher) }
        }
        #expect(expression.idleCount == RegularExpression.mostIdle)
        #expect(try expression.matches("ab"))
        #expect(expression.idleCount == RegularExpression.mostIdle)
    }

    @Test func manyThreadsShareOne() async throws {
        let expression = try RegularExpression("(a|b)*c")
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let text = String(repeating: "ab", count: number) + (number % 2 == 0 ? "c" : "d")
                    return (try? expression.matches(text)) == (number % 2 == 0)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
