import Synchronization

/// A regular expression in ICU's syntax, compiled once, that whole texts are matched against.
///
/// A match goes back where a pattern can match the same text in several ways, and may take time that doubles with each
/// character. So its work is limited, to 35,000,000 states that it goes back to or may go back to. Repetitions of one
/// character or class (`a*`, `.*`, `[a-z]+`) need none, so they match texts of any length; a repetition of alternatives
/// needs a few for each character. A match that reaches the limit is neither true nor false: it throws.
///
/// ```swift
/// let expression = try RegularExpression("[a-z]+-\\d+", ignoresCase: true)
/// try expression.matches("Nr-17")      // true
/// ```
///
/// Used from any thread: each match takes a matcher of its own.
package final class RegularExpression: Sendable {
    /// Why there is no answer.
    package enum Failure: Error, Hashable, Sendable {
        case malformedPattern
        /// The pattern can match the text in too many ways, or the text has more than 2^31 - 1 UTF-16 units.
        case limitReached
    }

    /// What the others are made from; it never matches itself.
    private let original: ICU.Matcher
    private let idle = Mutex<[ICU.Matcher]>([])

    /// - Throws: ``Failure/malformedPattern``.
    package init(_ pattern: String, ignoresCase: Bool = false) throws(Failure) {
        let units = Array((pattern.isEmpty ? "(?:)" : pattern).utf16)
        guard let matcher = ICU.Matcher(units, ignoresCase: ignoresCase) else { throw .malformedPattern }
        original = matcher
    }

    /// Whether the whole text matches. Linear in the text for most patterns.
    ///
    /// - Throws: ``Failure/limitReached``.
    package func matches(_ text: String) throws(Failure) -> Bool {
        let units = ContiguousArray(text.utf16)
        let answer = units.withUnsafeBufferPointer { matches($0) }
        guard let answer else { throw .limitReached }
        return answer
    }

    private func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        guard text.count <= Self.usualLength else {
            guard let matcher = original.clone() else { return nil }
            limit(matcher, for: text.count)
            return matcher.matches(text)
        }
        guard let matcher = idle.withLock({ $0.popLast() }) ?? makeMatcher() else { return nil }
        let answer = matcher.matches(text)
        // One that reached its limit holds all the memory that it may take.
        if answer != nil { idle.withLock { $0.append(matcher) } }
        return answer
    }

    // MARK: Limits

    /// Texts of more UTF-16 units are matched with memory of their own, which is given back.
    private static let usualLength = 65_536
    /// Steps of 10,000 states that a match may go back to: a second or two. Past 40,000,000 states this ICU says that a
    /// text does not match, whatever it is; the limit lies before that.
    private static let steps: Int32 = 3_500
    private static let freeStackBytes = 32 << 20
    /// Beyond it ICU takes no limit at all.
    private static let mostStackBytes = (1 << 30) - 8

    private func makeMatcher() -> ICU.Matcher? {
        guard let matcher = original.clone() else { return nil }
        limit(matcher, for: Self.usualLength)
        return matcher
    }

    /// A pattern that goes over the text once keeps a state or two at each unit. A state has two words, three for each
    /// group and some for loops. (ICU takes twice as many bytes as it is allowed.)
    private func limit(_ matcher: ICU.Matcher, for units: Int) {
        let bytes = units.multipliedReportingOverflow(by: 8 * (8 + 3 * matcher.groupCount))
        let stack = bytes.overflow ? Self.mostStackBytes : Self.freeStackBytes + min(bytes.partialValue, 1 << 30)
        matcher.setLimits(steps: Self.steps, stackBytes: Int32(clamping: min(stack, Self.mostStackBytes)))
    }
}
