@testable import LoamStorage

/// A pattern with all that can match it.
struct PatternMatcher {
    let source: String
    let expression: RegularExpression
    /// Whether ``PatternParser`` reads the pattern.
    let isRead: Bool
    let linear: LinearMatcher?
    let program: BacktrackingProgram?

    /// Nil where ICU refuses the pattern: a look-behind of any length, or a reference to no group.
    init?(_ source: String, ignoresCase: Bool = false) {
        guard let expression = try? RegularExpression(source, ignoresCase: ignoresCase) else { return nil }
        let parsed = PatternParser.parse(source, ignoresCase: ignoresCase)
        self.source = source
        self.expression = expression
        isRead = parsed != nil
        linear = parsed.flatMap(LinearPattern.init).map(LinearMatcher.init)
        program = parsed.flatMap(BacktrackingProgram.init)
    }

    func tries(_ text: String, steps: Int = 1_000_000, entries: Int = 100_000) -> Bool? {
        Array(text.utf16).withUnsafeBufferPointer { tries($0, limits: .init(steps: steps, entries: entries)) }
    }

    func tries(_ text: UnsafeBufferPointer<UInt16>, limits: BacktrackingMatcher.Limits) -> Bool? {
        guard let program else { return nil }
        var tried = BacktrackingMatcher(program, text: text, limits: limits)
        return tried?.matches()
    }

    /// What ICU says; nil where it reaches its limit.
    func icu(_ text: String) -> Bool? {
        Array(text.utf16).withUnsafeBufferPointer {
            expression.matches($0, limits: .init(steps: 1, stackBytes: 8 << 20))
        }
    }

    /// What the pass over the text says; nil where the pattern is not regular.
    func passes(_ text: String) -> Bool? { Array(text.utf16).withUnsafeBufferPointer { linear?.matches($0) } }
}
