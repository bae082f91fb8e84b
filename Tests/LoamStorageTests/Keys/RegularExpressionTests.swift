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

    @Test func workThatExplodesIsNoAnswer() throws {
        let expression = try RegularExpression("(a+)+b")
        let text = String(repeating: "a", count: 60)
        for pattern in ["(a+)+b", "(a|aa)+b", "(a*)*b", "(?:a+)+b"] {
            let costly = try RegularExpression(pattern)
            #expect(throws: RegularExpression.Failure.limitReached) { try costly.matches(text) }
        }
        // The next text finds it as it was.
        #expect(try expression.matches(text + "b"))
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
