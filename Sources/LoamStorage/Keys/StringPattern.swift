import Foundation

/// A constant string, folded once, that many strings are tested against: equality, beginning, end, and containment.
///
/// The tests compare characters, as Swift's `==`, `hasPrefix`, `hasSuffix` and `contains` do: a match never begins or
/// ends inside a grapheme cluster. In a folded form both sides are folded first. What a range over an index of the same
/// form finds, these find too. In the localized form the case- and diacritic-folded one stands in, for a collation key
/// has no characters. What is taken from the heap is said at ``StringForms``.
///
/// ```swift
/// let pattern = StringPattern("são", form: .caseAndDiacriticFolded)
/// pattern.isPrefix(of: "Sao Paulo")      // true
/// ```
package struct StringPattern: Hashable, Sendable {
    package let form: StringForm
    /// The text as it is matched: normalized, and folded when the form folds.
    private let bytes: [UInt8]

    package init(_ text: String, form: StringForm) {
        self.form = form.isCollated ? .caseAndDiacriticFolded : form
        bytes = StringForms.bytes(of: text, form: self.form)
    }

    package func equals(_ string: String) -> Bool { matches(string, anchoring: .whole) }

    package func isPrefix(of string: String) -> Bool { matches(string, anchoring: .prefix) }

    package func isSuffix(of string: String) -> Bool { matches(string, anchoring: .suffix) }

    /// Whether the pattern occurs in a string. The empty pattern occurs in every string.
    package func isContained(in string: String) -> Bool { matches(string, anchoring: .anywhere) }

    /// Whether a text, given by its UTF-8 bytes, equals the pattern. `isPlain` says that they are known to be ASCII
    /// without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func equals(_ bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try matches(bytes, isPlain: isPlain, anchoring: .whole)
    }

    /// Whether a text, given by its UTF-8 bytes, begins with the pattern. `isPlain` says that they are known to be
    /// ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func isPrefix(of bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try matches(bytes, isPlain: isPlain, anchoring: .prefix)
    }

    /// Whether a text, given by its UTF-8 bytes, ends with the pattern. `isPlain` says that they are known to be
    /// ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func isSuffix(of bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try matches(bytes, isPlain: isPlain, anchoring: .suffix)
    }

    /// Whether the pattern occurs in a text, given by its UTF-8 bytes; the empty one occurs in all. `isPlain` says
    /// that they are known to be ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func isContained(in bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try matches(bytes, isPlain: isPlain, anchoring: .anywhere)
    }
}

extension StringPattern {
    /// Where a pattern has to stand in a text.
    package enum Anchoring: Sendable {
        case whole, prefix, suffix, anywhere
    }

    /// Whether a text has another, that is no constant, in a place. Both are brought into the form for this one test.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes of one are not UTF-8.
    package static func isFound(
        _ pattern: UnboxedValue, in text: UnboxedValue, _ anchoring: Anchoring, form: StringForm
    ) throws -> Bool {
        let form = form.isCollated ? .caseAndDiacriticFolded : form
        if text.isPlain, pattern.isPlain, form == .exact || form == .diacriticFolded {
            return isFound(pattern.text, inPlain: text.text, anchoring)
        }
        return try StringForms.withBytes(pattern.text, isPlain: pattern.isPlain, form: form) { pattern in
            try StringForms.withBytes(text.text, isPlain: text.isPlain, form: form) {
                isFound(pattern, in: $0, anchoring)
            }
        }
    }

    private func matches(_ string: String, anchoring: Anchoring) -> Bool {
        StringForms.withBytes(of: string, form: form) { isFound(in: $0, anchoring) }
    }

    private func matches(_ bytes: UnsafeRawBufferPointer, isPlain: Bool, anchoring: Anchoring) throws -> Bool {
        if isPlain && (form == .exact || form == .diacriticFolded) {
            return self.bytes.withUnsafeBytes { Self.isFound($0, inPlain: bytes, anchoring) }
        }
        return try StringForms.withBytes(bytes, isPlain: isPlain, form: form) { isFound(in: $0, anchoring) }
    }

    private func isFound(in text: UnsafeRawBufferPointer, _ anchoring: Anchoring) -> Bool {
        bytes.withUnsafeBytes { Self.isFound($0, in: text, anchoring) }
    }

    /// Whether the pattern is found in a text that is its own form and where every byte is a character.
    private static func isFound(
        _ pattern: UnsafeRawBufferPointer, inPlain text: UnsafeRawBufferPointer, _ anchoring: Anchoring
    ) -> Bool {
        let last = text.count - pattern.count
        guard last >= 0 else { return false }
        switch anchoring {
        case .whole: return last == 0 && isEqual(text, pattern: pattern, at: 0)
        case .prefix: return isEqual(text, pattern: pattern, at: 0)
        case .suffix: return isEqual(text, pattern: pattern, at: last)
        case .anywhere: return find(pattern, in: text, from: 0) != nil
        }
    }

    private static func isFound(
        _ pattern: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, _ anchoring: Anchoring
    ) -> Bool {
        let last = text.count - pattern.count
        guard last >= 0 else { return false }
        var starts = CharacterEdges(text: text)
        switch anchoring {
        case .whole:
            return last == 0 && isEqual(text, pattern: pattern, at: 0)
        case .prefix:
            return isEqual(text, pattern: pattern, at: 0) && starts.contains(pattern.count)
        case .suffix:
            return isEqual(text, pattern: pattern, at: last) && starts.contains(last)
        case .anywhere:
            var ends = CharacterEdges(text: text)
            var offset = 0
            while let found = find(pattern, in: text, from: offset) {
                if starts.contains(found) && ends.contains(found + pattern.count) { return true }
                offset = found + 1
            }
            return false
        }
    }

    private static func isEqual(
        _ text: UnsafeRawBufferPointer, pattern: UnsafeRawBufferPointer, at offset: Int
    ) -> Bool {
        guard let text = text.baseAddress, let start = pattern.baseAddress else { return true }
        return memcmp(text + offset, start, pattern.count) == 0
    }

    /// The first offset, from one on, where the pattern's bytes stand.
    private static func find(
        _ pattern: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from offset: Int
    ) -> Int? {
        let last = text.count - pattern.count
        guard offset <= last else { return nil }
        guard let start = text.baseAddress, let wanted = pattern.baseAddress, !pattern.isEmpty else { return offset }
        var offset = offset
        while offset <= last, let found = memchr(start + offset, Int32(pattern[0]), last - offset + 1) {
            if memcmp(found, wanted, pattern.count) == 0 { return UnsafeRawPointer(found) - start }
            offset = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}

/// The offsets of a text's UTF-8 bytes at which a character begins or ends, asked for one behind the other.
private struct CharacterEdges {
    /// Valid UTF-8.
    let text: UnsafeRawBufferPointer
    /// The last edge that was found: from there on characters are walked.
    private var known = 0

    init(text: UnsafeRawBufferPointer) { self.text = text }

    /// O(1) between two ASCII bytes, where there is an edge save inside CR LF; else O(bytes since the last such edge or
    /// question).
    mutating func contains(_ offset: Int) -> Bool {
        guard offset > 0, offset < text.count else { return true }
        if text[offset - 1] | text[offset] < 0x80 { return isPlainEdge(offset) }
        // Not between two code points.
        if text[offset] & 0xC0 == 0x80 { return false }
        return walk(to: offset)
    }

    private func isPlainEdge(_ offset: Int) -> Bool {
        let (before, after) = (text[offset - 1], text[offset])
        return before | after < 0x80 && !(before == 0x0D && after == 0x0A)
    }

    private mutating func walk(to offset: Int) -> Bool {
        let floor = known <= offset ? known : 0
        var start = offset - 1
        while start > floor, !isPlainEdge(start) { start -= 1 }
        UnsafeRawBufferPointer(rebasing: text[start...]).withMemoryRebound(to: UInt8.self) { bytes in
            var characters = UTF8Span(unchecked: bytes.span).makeCharacterIterator()
            known = start
            while known < offset {
                let length = characters.skipForward()
                let end = start + characters.currentCodeUnitOffset
                guard length > 0, end <= offset else { break }
                known = end
            }
        }
        return known == offset
    }
}

extension StringForms {
    /// Whether every byte is ASCII and none is CR: then every byte is a character.
    package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) && !bytes.contains(0x0D)
    }
}
