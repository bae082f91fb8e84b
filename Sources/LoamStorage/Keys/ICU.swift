import Synchronization
internal import _FoundationICU

/// The calls into ICU: this is the one file that makes them.
///
/// ICU counts in 32 bits. Nothing here keeps a text, and nothing fails for a text of at most ``longest`` units.
enum ICU {
    /// The version of Unicode and the version of the ICU in use.
    static let version: String = {
        let unicode = version { swift_u_getUnicodeVersion($0) }
        let icu = version { swift_u_getVersion($0) }
        return "unicode \(unicode[0]).\(unicode[1]), icu \(icu[0]).\(icu[1])"
    }()

    /// The most UTF-16 units of a text for which every form can be made: a folding may grow 18-fold.
    static let longest = 64 << 20

    /// A normalization form: NFC or NFD.
    enum Normalization {
        case composed, decomposed

        fileprivate var normalizer: OpaquePointer {
            switch self {
            case .composed: ICU.composed
            case .decomposed: ICU.decomposed
            }
        }
    }

    // ICU's shared objects. They are never changed after they were made and all calls on them are `const` in ICU, which
    // makes them safe to use from any thread.
    private nonisolated(unsafe) static let composed = normalizer("NFC") { swift_unorm2_getNFCInstance($0) }
    private nonisolated(unsafe) static let decomposed = normalizer("NFD") { swift_unorm2_getNFDInstance($0) }
    private nonisolated(unsafe) static let rootCollator: OpaquePointer = {
        guard let collator = collator(by: Collation.Rules()) else {
            unavailable("the root collation", status: U_MISSING_RESOURCE_ERROR)
        }
        return collator
    }()
    /// By the number of a collation, made when it is first used; a collator is never closed. Room for all that there can
    /// be, so that it never moves.
    private nonisolated(unsafe) static let collators: UnsafeMutablePointer<Atomic<UInt>> = {
        let room = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: Collation.limit)
        for number in 0..<Collation.limit { (room + number).initialize(to: Atomic(0)) }
        return room
    }()

    /// ICU's object for a collation; nil is the order of the root locale with digits by value.
    private static func collator(_ collation: Collation?) -> OpaquePointer {
        guard let collation else { return rootCollator }
        let number = Int(collation.number)
        if let known = OpaquePointer(bitPattern: collators[number].load(ordering: .acquiring)) { return known }
        // A language that ICU does not take is one without rules of its own: case and digits count as they were asked.
        let rules = collation.rules
        let made = collator(by: rules) ?? collator(by: rules.withoutLocale) ?? rootCollator
        let (isFirst, other) = collators[number].compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        if isFirst { return made }
        if made != rootCollator { swift_ucol_close(made) }
        return OpaquePointer(bitPattern: other) ?? rootCollator
    }

    private static func collator(by rules: Collation.Rules) -> OpaquePointer? {
        var status = U_ZERO_ERROR
        guard let collator = swift_ucol_open(rules.locale, &status) else { return nil }
        if rules.isNumeric { swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status) }
        if rules.ignoresCase { swift_ucol_setAttribute(collator, UCOL_STRENGTH, UCOL_SECONDARY, &status) }
        // Canonically equivalent strings have equal keys only under normalization.
        swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
        if succeeded(status) { return collator }
        swift_ucol_close(collator)
        return nil
    }

    private static func normalizer(
        _ name: String, _ open: (UnsafeMutablePointer<UErrorCode>) -> OpaquePointer?
    ) -> OpaquePointer {
        var status = U_ZERO_ERROR
        guard let instance = open(&status), succeeded(status) else { unavailable(name, status: status) }
        return instance
    }

    private static func version(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        var parts = [UInt8](repeating: 0, count: 4)
        parts.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { fill(base) } }
        return parts
    }

    private static func succeeded(_ status: UErrorCode) -> Bool { status.rawValue <= U_ZERO_ERROR.rawValue }

    /// ICU lacks its own data, or memory: nothing that any input can cause.
    private static func unavailable(_ what: String, status: UErrorCode) -> Never {
        preconditionFailure("ICU cannot provide \(what) (status \(status.rawValue)). Install the Swift toolchain anew.")
    }
}

extension Collation.Rules {
    fileprivate var withoutLocale: Self { Self(isNumeric: isNumeric, ignoresCase: ignoresCase) }
}

// MARK: - Forms

extension ICU {
    static func isNormalized(_ units: [UInt16], form: Normalization) -> Bool {
        var status = U_ZERO_ERROR
        return swift_unorm2_isNormalized(form.normalizer, units, Int32(units.count), &status) != 0 && succeeded(status)
    }

    static func normalize(_ units: [UInt16], form: Normalization) -> [UInt16] {
        if isNormalized(units, form: form) { return units }
        return filled(units.count + units.count / 2 + 16) {
            swift_unorm2_normalize(form.normalizer, units, Int32(units.count), $0, $1, $2)
        }
    }

    static func foldCase(_ units: [UInt16]) -> [UInt16] {
        filled(units.count + 16) { swift_u_strFoldCase($0, $1, units, Int32(units.count), 0, $2) }
    }

    static func foldCase(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let units = foldCase(Array(String(String.UnicodeScalarView(scalars)).utf16))
        return Array(String(decoding: units, as: UTF16.self).unicodeScalars)
    }

    static func droppingMarks(_ units: [UInt16]) -> [UInt16] {
        // An empty array is one that all threads share, and making one so would write its count.
        guard !units.isEmpty else { return [] }
        return [UInt16](unsafeUninitializedCapacity: units.count) { kept, count in
            _ = kept.initialize(from: units)
            count = dropMarks(in: UnsafeMutableBufferPointer(rebasing: kept[..<units.count]))
        }
    }

    /// Whether Unicode 15.0 assigns every code point.
    static func isAssignedIn15(_ units: [UInt16]) -> Bool {
        units.withUnsafeBufferPointer { isAssignedIn15($0) }
    }

    /// What a text is divided into.
    enum Unit {
        case grapheme
        /// A word as Unicode's annex 29 has it; what stands between words is divided too.
        case word

        fileprivate var type: UBreakIteratorType {
            switch self {
            case .grapheme: UBRK_CHARACTER
            case .word: UBRK_WORD
            }
        }
    }

    /// Calls a closure with the offsets where a unit ends, in ascending order, but for the text's start.
    ///
    /// - Returns: Whether ICU could tell.
    static func eachBoundary(
        of unit: Unit, in text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void
    ) -> Bool {
        guard !text.isEmpty else { return true }
        var status = U_ZERO_ERROR
        guard let length = Int32(exactly: text.count) else { return false }
        let iterator = swift_ubrk_open(unit.type, "en", text.baseAddress, length, &status)
        guard let iterator else { return false }
        defer { swift_ubrk_close(iterator) }
        guard succeeded(status) else { return false }
        var boundary = swift_ubrk_next(iterator)
        while boundary >= 0 {
            body(Int(boundary))
            boundary = swift_ubrk_next(iterator)
        }
        return true
    }

    /// - Parameter collation: nil is the order of the root locale with digits by value.
    static func withSortKey<R>(
        of units: [UInt16], in collation: Collation?, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let collator = collator(collation)
        var key = [UInt8](repeating: 0, count: units.count * 4 + 32)
        var needed = sortKey(of: units, by: collator, into: &key)
        if needed > key.count {
            key = [UInt8](repeating: 0, count: needed)
            needed = sortKey(of: units, by: collator, into: &key)
        }
        return try key.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(max(needed - 1, 0)))) }
    }

    /// - Returns: the bytes of the sort key without its final zero; nil where they are more than there is room for.
    static func sortKey(
        of text: UnsafeBufferPointer<UInt16>, in collation: Collation?, into room: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let collator = collator(collation)
        let needed = room.withMemoryRebound(to: UInt8.self) { room in
            Int(
                swift_ucol_getSortKey(
                    collator, text.baseAddress, Int32(text.count), room.baseAddress, Int32(room.count)))
        }
        return needed > 0 && needed <= room.count ? needed - 1 : nil
    }

    private static func sortKey(
        of units: [UInt16], by collator: OpaquePointer, into key: inout [UInt8]
    ) -> Int {
        Int(swift_ucol_getSortKey(collator, units, Int32(units.count), &key, Int32(key.count)))
    }

    /// Lets ICU write UTF-16 into a buffer, a second time into a larger one when the first was too small.
    private static func filled(
        _ capacity: Int, _ fill: (UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32
    ) -> [UInt16] {
        // With no capacity it would be the array that all threads share, into which nobody may write.
        var capacity = max(capacity, 1)
        while true {
            var status = U_ZERO_ERROR
            let units = [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
                let needed = Int(fill(buffer.baseAddress, Int32(buffer.count), &status))
                count = needed <= buffer.count && succeeded(status) ? needed : 0
                capacity = max(capacity, needed)
            }
            if succeeded(status) { return units }
            guard status == U_BUFFER_OVERFLOW_ERROR else { unavailable("a string form", status: status) }
        }
    }
}

// MARK: - Characters

extension ICU {
    /// Whether the case of some character's mapping or folding depends on this one.
    static func isCaseSensitive(_ scalar: Unicode.Scalar) -> Bool {
        swift_u_hasBinaryProperty(UChar32(bitPattern: scalar.value), UCHAR_CASE_SENSITIVE) != 0
    }

    /// The character of a name, as `DIGIT ONE`; nil where none has it.
    static func character(named name: String) -> Unicode.Scalar? {
        var status = U_ZERO_ERROR
        let scalar = swift_u_charFromName(U_UNICODE_CHAR_NAME, name, &status)
        return succeeded(status) ? Unicode.Scalar(UInt32(bitPattern: scalar)) : nil
    }
}

// MARK: - Forms of text in memory of the caller's

extension ICU {
    static func isNormalized(_ text: UnsafeBufferPointer<UInt16>, form: Normalization) -> Bool {
        var status = U_ZERO_ERROR
        let count = Int32(text.count)
        return swift_unorm2_isNormalized(form.normalizer, text.baseAddress, count, &status) != 0 && succeeded(status)
    }

    /// - Returns: the units of the text in the form; nil where they are more than there is room for.
    static func normalize(
        _ text: UnsafeBufferPointer<UInt16>, form: Normalization, into room: UnsafeMutableBufferPointer<UInt16>
    ) -> Int? {
        var status = U_ZERO_ERROR
        let needed = swift_unorm2_normalize(
            form.normalizer, text.baseAddress, Int32(text.count), room.baseAddress, Int32(room.count), &status)
        return succeeded(status) ? Int(needed) : nil
    }

    /// - Returns: the units of the folded text; nil where they are more than there is room for.
    static func foldCase(
        _ text: UnsafeBufferPointer<UInt16>, into room: UnsafeMutableBufferPointer<UInt16>
    ) -> Int? {
        var status = U_ZERO_ERROR
        let needed = swift_u_strFoldCase(
            room.baseAddress, Int32(room.count), text.baseAddress, Int32(text.count), 0, &status)
        return succeeded(status) ? Int(needed) : nil
    }

    /// Takes the nonspacing marks out of a text.
    ///
    /// - Returns: the units that are left, which stand at the beginning.
    static func dropMarks(in text: UnsafeMutableBufferPointer<UInt16>) -> Int {
        var (read, kept) = (0, 0)
        while read < text.count {
            let (scalar, count) = Self.scalar(at: read, in: UnsafeBufferPointer(text))
            if swift_u_charType(UChar32(bitPattern: scalar)) != Int8(U_NON_SPACING_MARK.rawValue) {
                for offset in 0..<count { text[kept + offset] = text[read + offset] }
                kept += count
            }
            read += count
        }
        return kept
    }

    /// Whether Unicode 15.0 assigns every code point.
    static func isAssignedIn15(_ text: UnsafeBufferPointer<UInt16>) -> Bool {
        var index = 0
        while index < text.count {
            let (scalar, count) = Self.scalar(at: index, in: text)
            index += count
            if scalar < 0x300 { continue }
            // Major version, minor version and two more numbers, one byte each.
            var age: UInt32 = 0
            withUnsafeMutableBytes(of: &age) { bytes in
                swift_u_charAge(UChar32(bitPattern: scalar), bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
            let (major, minor) = (UInt32(littleEndian: age) & 0xFF, UInt32(littleEndian: age) >> 8 & 0xFF)
            guard major != 0, major < 15 || (major == 15 && minor == 0) else { return false }
        }
        return true
    }

    /// The code point that begins at an index, and the number of its units; a lone surrogate is one by itself.
    static func scalar(at index: Int, in text: UnsafeBufferPointer<UInt16>) -> (value: UInt32, count: Int) {
        let unit = text[index]
        guard UTF16.isLeadSurrogate(unit), index + 1 < text.count, UTF16.isTrailSurrogate(text[index + 1]) else {
            return (UInt32(unit), 1)
        }
        return (0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(text[index + 1]) - 0xDC00), 2)
    }
}

// MARK: - Regular expressions

extension ICU {
    /// A regular expression of ICU's with the state of one match: for one thread at a time. Clones share what was
    /// compiled, and may be made on any thread.
    final class Matcher: @unchecked Sendable {
        private let expression: OpaquePointer
        /// The number of groups that capture.
        let groupCount: Int

        private init(_ expression: OpaquePointer) {
            self.expression = expression
            var status = U_ZERO_ERROR
            groupCount = Int(max(0, swift_uregex_groupCount(expression, &status)))
        }

        /// Compiles a pattern; nil for a malformed one. ICU takes the empty pattern for malformed.
        convenience init?(_ pattern: [UInt16], ignoresCase: Bool) {
            guard let length = Int32(exactly: pattern.count), length > 0 else { return nil }
            var status = U_ZERO_ERROR
            var parseError = UParseError()
            let flags = ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0
            let opened = swift_uregex_open(pattern, length, flags, &parseError, &status)
            guard let opened else { return nil }
            guard ICU.succeeded(status) else {
                swift_uregex_close(opened)
                return nil
            }
            self.init(opened)
        }

        deinit { swift_uregex_close(expression) }

        /// Another matcher of the same pattern; nil where there is no memory for it.
        func clone() -> Matcher? {
            var status = U_ZERO_ERROR
            guard let copy = swift_uregex_clone(expression, &status) else { return nil }
            return Matcher(copy)
        }

        /// - Parameters:
        ///   - steps: the most steps of a match, of 10,000 states each that it may go back to; then it is given up.
        ///   - stackBytes: the most memory for the states that a match may still go back to.
        func setLimits(steps: Int32, stackBytes: Int32) {
            var status = U_ZERO_ERROR
            swift_uregex_setTimeLimit(expression, steps, &status)
            swift_uregex_setStackLimit(expression, stackBytes, &status)
        }

        /// Whether the whole text matches; nil where a limit was reached.
        func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool? {
            var status = U_ZERO_ERROR
            guard let length = Int32(exactly: text.count) else { return nil }
            // ICU wants an address even of nothing.
            guard let base = text.baseAddress else {
                var nothing: UInt16 = 0
                return withUnsafePointer(to: &nothing) { matches(UnsafeBufferPointer(start: $0, count: 0)) }
            }
            swift_uregex_setText(expression, base, length, &status)
            let isMatch = swift_uregex_matches(expression, 0, &status) != 0
            return ICU.succeeded(status) ? isMatch : nil
        }
    }
}
