import Foundation

/// A constant string, folded once, that many strings are tested against: equality, beginning, end, and containment.
///
/// The tests mean what ``StringForms`` means by them. Text that is *plain* (ASCII without CR, where every byte is a
/// character) is tested as bytes, anything else by Swift's characters.
///
/// ```swift
/// let pattern = StringPattern("são", form: .caseAndDiacriticFolded)
/// pattern.isPrefix(of: "Sao Paulo")      // true
/// ```
package struct StringPattern: Hashable, Sendable {
    package let form: StringForm
    /// The text as it is matched: normalized, and folded when the form folds.
    let text: String
    private let bytes: [UInt8]
    private let characters: [Character]
    private let isPlain: Bool
    private let lowercases: Bool

    package init(_ text: String, form: StringForm) {
        self.form = form == .localizedStandard ? .caseAndDiacriticFolded : form
        self.text = StringForms.matched(text, form)
        bytes = Array(self.text.utf8)
        characters = Array(self.text)
        isPlain = bytes.withUnsafeBytes(StringForms.isPlain)
        lowercases = self.form == .caseFolded || self.form == .caseAndDiacriticFolded
    }

    package func equals(_ string: String) -> Bool {
        test(string, plain: { $0.elementsEqual($1) }, text: { Array($0.utf8) == bytes })
    }

    package func isPrefix(of string: String) -> Bool {
        test(
            string, plain: { $0.starts(with: $1) },
            text: { $0.hasPrefix(text) && $0.utf8.starts(with: bytes) })
    }

    package func isSuffix(of string: String) -> Bool {
        test(string, plain: { $0.suffix($1.count).elementsEqual($1) }, text: { $0.hasSuffix(text) })
    }

    package func isContained(in string: String) -> Bool {
        test(string, plain: Self.find, text: { Self.find(Array($0), characters) })
    }

    /// The same for a string's bytes in a record, with the flag that stands beside them.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func equals(_ bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try test(bytes, isPlain, plain: { $0.elementsEqual($1) }, text: equals)
    }

    package func isPrefix(of bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try test(bytes, isPlain, plain: { $0.starts(with: $1) }, text: isPrefix(of:))
    }

    package func isSuffix(of bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try test(bytes, isPlain, plain: { $0.suffix($1.count).elementsEqual($1) }, text: isSuffix(of:))
    }

    package func isContained(in bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try test(bytes, isPlain, plain: Self.find, text: isContained(in:))
    }
}

extension StringPattern {
    private typealias ByteTest = (_ bytes: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool

    private func test(_ string: String, plain: ByteTest, text: (String) -> Bool) -> Bool {
        var string = string
        let result: Bool? = string.withUTF8 {
            let bytes = UnsafeRawBufferPointer($0)
            return isPlain && StringForms.isPlain(bytes) ? testPlain(bytes, plain) : nil
        }
        return result ?? text(StringForms.matched(string, form))
    }

    private func test(
        _ bytes: UnsafeRawBufferPointer, _ isPlain: Bool, plain: ByteTest, text: (String) -> Bool
    ) throws -> Bool {
        if isPlain && self.isPlain { return testPlain(bytes, plain) }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw StorageError(.damagedRecord("a string is not UTF-8"))
        }
        return text(string)
    }

    private func testPlain(_ bytes: UnsafeRawBufferPointer, _ test: ByteTest) -> Bool {
        self.bytes.withUnsafeBytes { pattern in
            guard lowercases else { return test(bytes, pattern) }
            return StringForms.withBytes(ofASCII: bytes, form: .caseFolded) { test($0, pattern) }
        }
    }

    private static func find(_ bytes: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let wanted = pattern.baseAddress, !pattern.isEmpty else {
            return pattern.isEmpty
        }
        let last = bytes.count - pattern.count
        var offset = 0
        while offset <= last, let found = memchr(start + offset, Int32(pattern[0]), last - offset + 1) {
            if memcmp(found, wanted, pattern.count) == 0 { return true }
            offset = UnsafeRawPointer(found) - start + 1
        }
        return false
    }

    private static func find(_ characters: [Character], _ pattern: [Character]) -> Bool {
        guard let first = pattern.first else { return true }
        guard characters.count >= pattern.count else { return false }
        return (0...characters.count - pattern.count).contains { start in
            characters[start] == first && characters[start...].starts(with: pattern)
        }
    }
}

extension StringForms {
    /// Whether every byte is ASCII and none is CR: then every byte is a character.
    package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) && !bytes.contains(0x0D)
    }
}
