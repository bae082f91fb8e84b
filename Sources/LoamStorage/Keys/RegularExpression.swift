import Synchronization

/// A regular expression in ICU's syntax, compiled once, that whole texts are matched against.
///
/// ICU tries the ways in which a pattern can match a text one after the other, which may take time that doubles with
/// each character, and memory for each way that is left. So its work is limited; what a match does that reaches a limit
/// depends on the pattern:
///
/// - Where it is regular, an ``Automaton`` answers: in time linear in the text, whatever the pattern, and in a few
///   megabytes. Regular are characters, classes, groups, alternatives, `* + ? {m,n}`, anchors (`^ $ \b` and the like),
///   `\R \X`, flags within the pattern, up to 16 look-arounds (each one more pass, with a bit for each position of the
///   text), and repetitions of one character or class that are possessive or atomic. Each character costs at most a
///   step for each character of the pattern, counts written out; 4·10⁹ steps are the limit. Counts may come to 5,000
///   characters.
/// - Where it is not (back-references, other possessive and atomic parts, larger counts), ways are tried as ICU does,
///   with a stack of our own: a ``BacktrackingMatcher``. That takes no memory where the next character tells which way
///   to go, and time linear in the text where few ways are tried. It is given up beyond 512 MiB, or beyond 100 steps
///   for each UTF-16 unit and 50,000,000 more (1,000,000 for a text of at most 8,192 units, for which ICU has as much
///   as it may take). Then the match is neither true nor false: it throws.
/// - The few patterns that ``PatternParser`` does not read, which it lists, are left to ICU. Such a match throws where
///   ICU reaches its limit: with texts of 10 to 30 million units.
///
/// ```swift
/// let expression = try RegularExpression("[a-z]+-\\d+", ignoresCase: true)
/// try expression.matches("Nr-17")      // true
/// ```
///
/// It may be used from any thread: each match takes a matcher of its own. At most ``mostIdle`` matchers are kept for
/// later, of at most a megabyte each, and 4 KiB for each class.
package final class RegularExpression: Sendable {
    /// Why a pattern or a match has no answer.
    package enum Failure: Error, Hashable, Sendable {
        case malformedPattern
        /// The pattern can match the text in so many ways that trying them was given up.
        case limitReached
    }

    /// What ICU may take for a match before it is given up.
    struct Limits {
        /// The most steps, of 10,000 states each that a match goes back to, or may go back to.
        var steps: Int32
        /// The most bytes for the states. (ICU takes twice as many as it is allowed.)
        var stackBytes: Int
    }

    /// The matcher that the others are cloned from. It matches no text itself.
    private let original: ICU.Matcher
    private let idle = Mutex<[ICU.Matcher]>([])
    /// The matcher that the last match in one pass left for the next one, with the states that it knows.
    private let idleLinear = Mutex<LinearMatcher?>(nil)
    /// The pattern for matches in one pass; nil where it is not regular.
    private let linear: LinearPattern?
    /// The pattern for matches by trying; nil where it is regular, or not read by ``PatternParser``.
    private let program: BacktrackingProgram?
    /// Whether some text of usual length took ICU to its limit. Then later texts are not given to ICU.
    private let isCostly = Atomic(false)

    /// Compiles a pattern.
    ///
    /// - Throws: ``Failure/malformedPattern`` for a pattern that ICU does not take.
    package init(_ pattern: String, ignoresCase: Bool = false) throws(Failure) {
        let units = Array((pattern.isEmpty ? "(?:)" : pattern).utf16)
        guard let matcher = ICU.Matcher(units, ignoresCase: ignoresCase) else { throw .malformedPattern }
        original = matcher
        let parsed = PatternParser.parse(pattern, ignoresCase: ignoresCase)
        linear = parsed.flatMap(LinearPattern.init)
        program = linear == nil ? parsed.flatMap(BacktrackingProgram.init) : nil
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

    /// Whether the whole text matches, given by its UTF-8 bytes. Nothing is allocated for one of at most
    /// ``shortLength`` bytes, save what ICU or another matcher needs.
    ///
    /// - Throws: ``Failure/limitReached``.
    package func matches(_ text: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        guard text.count <= Self.shortLength else { return try matches(String(decoding: text, as: UTF8.self)) }
        let answer = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.shortLength) { units in
            matches(UnsafeBufferPointer(rebasing: units[..<Self.decode(text, into: units)]))
        }
        guard let answer else { throw .limitReached }
        return answer
    }

    /// Writes the UTF-16 of a text, which has no more units than bytes; how many there are.
    private static func decode(_ text: UnsafeRawBufferPointer, into units: UnsafeMutableBufferPointer<UInt16>) -> Int {
        if StringForms.isASCII(text) {
            for index in 0..<text.count { units[index] = UInt16(text[index]) }
            return text.count
        }
        var count = 0
        _ = transcode(text.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: false) { unit in
            if count < units.count { units[count] = unit }
            count += 1
        }
        return min(count, units.count)
    }

    /// The UTF-8 bytes of a text that is matched on the stack.
    private static let shortLength = 512

    private func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        guard linear == nil || !isCostly.load(ordering: .relaxed) else { return matchesLinearly(text) }
        let isUsual = text.count <= Self.usualLength
        if isUsual, let answer = matchesUsually(text) { return answer }
        let hasOtherWay = linear != nil || (program != nil && !isUsual)
        let limits = Self.limits(for: text.count, groups: original.groupCount, hasOtherWay: hasOtherWay)
        if linear == nil || !isUsual, let answer = matches(text, limits: limits) { return answer }
        guard linear != nil else { return matchesByTrying(text, limits: isUsual ? .short : .usual(for: text.count)) }
        if isUsual { isCostly.store(true, ordering: .relaxed) }
        return matchesLinearly(text)
    }

    /// Matches by ICU, with a matcher that is kept. Nil where ICU reached its limit.
    private func matchesUsually(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        guard let matcher = idle.withLock({ $0.popLast() }) ?? makeMatcher(Self.usual) else { return nil }
        let answer = matcher.matches(text)
        keep(matcher)
        return answer
    }

    /// Matches by ICU, with a matcher for this text alone. Nil where ICU reached a limit.
    func matches(_ text: UnsafeBufferPointer<UInt16>, limits: Limits) -> Bool? {
        makeMatcher(limits)?.matches(text)
    }

    /// Matches in one pass. Nil where the pattern is not regular, or where the pass takes too many steps.
    func matchesLinearly(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
        guard let linear else { return nil }
        let matcher = idleLinear.withLock { $0.take() } ?? LinearMatcher(linear)
        let answer = matcher.matches(text)
        // A matcher without an answer may have learned what is not so, for want of memory.
        if answer != nil { idleLinear.withLock { $0 = matcher } }
        return answer
    }

    /// Matches by trying, with a stack of our own. Nil where the pattern is regular or not read, or where a limit was
    /// reached.
    private func matchesByTrying(
        _ text: UnsafeBufferPointer<UInt16>, limits: BacktrackingMatcher.Limits
    ) -> Bool? {
        guard let program else { return nil }
        var matcher = BacktrackingMatcher(program, text: text, limits: limits)
        return matcher?.matches()
    }

    // MARK: Matchers

    /// The most matchers that are kept for later texts.
    static let mostIdle = 4
    var idleCount: Int { idle.withLock(\.count) }

    func keep(_ matcher: ICU.Matcher) {
        idle.withLock { if $0.count < Self.mostIdle { $0.append(matcher) } }
    }

    func makeMatcher(_ limits: Limits) -> ICU.Matcher? {
        guard let matcher = original.clone() else { return nil }
        matcher.setLimits(steps: limits.steps, stackBytes: Int32(clamping: limits.stackBytes))
        return matcher
    }

    // MARK: Limits

    /// The most UTF-16 units of a text of usual length. Longer texts are matched with memory that is given back.
    static let usualLength = 8_192
    static let usual = Limits(steps: 50, stackBytes: 512 << 10)
    /// The steps of a second or two. Past 40,000,000 states, ICU says of every text that it does not match; the limit
    /// lies below that number.
    private static let mostSteps = 3_500
    private static let freeStackBytes = 32 << 20
    /// The greatest limit that ICU respects: beyond it, ICU has no limit at all.
    private static let mostStackBytes = (1 << 30) - 8

    /// The limits of ICU for a text of so many UTF-16 units. A pattern that goes over the text once keeps a state or
    /// two at each unit. A state has two words, three for each group and some for loops.
    ///
    /// - Parameter hasOtherWay: whether the text can be matched without ICU, which then has no more than what is worth
    ///   it.
    static func limits(for units: Int, groups: Int, hasOtherWay: Bool) -> Limits {
        guard !hasOtherWay else {
            return Limits(steps: Int32(min(mostSteps, units / 500 + 50)), stackBytes: 2 * freeStackBytes)
        }
        let bytes = units.multipliedReportingOverflow(by: 8 * (8 + 3 * groups))
        let stack = bytes.overflow ? mostStackBytes : freeStackBytes + min(bytes.partialValue, 1 << 30)
        return Limits(steps: Int32(mostSteps), stackBytes: min(stack, mostStackBytes))
    }
}
