import Foundation

/// Constant strings, brought into a form once, among which many strings are looked up: those are equal whose keys are.
///
/// Strings are looked up by their bytes, so that none has to be made of what a record holds.
package struct StringSet: Sendable {
    private let form: StringForm
    /// The strings in the form, one after another, and where each ends.
    private let bytes: [UInt8]
    private let ends: [Int]
    /// A table of the strings by their hashes, twice as long as they are many: the number of a string, counted from 1.
    /// A string whose slot is taken stands in the next that is free.
    private let slots: [UInt32]

    package init(_ strings: some Sequence<String>, form: StringForm) {
        self.init(bytes: strings.map { StringForms.bytes(of: $0, form: form) }, form: form)
    }

    /// A set of bytes that are no text, or are in the form: what ``containsBytes(_:)`` looks up.
    package init(bytes strings: some Sequence<[UInt8]>, form: StringForm = .exact) {
        let strings = Set(strings)
        self.form = form
        bytes = strings.flatMap { $0 }
        var ends: [Int] = []
        var slots = [UInt32](repeating: 0, count: Self.slotCount(of: strings.count))
        for string in strings {
            ends.append((ends.last ?? 0) + string.count)
            var slot = string.withUnsafeBytes(Self.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(ends.count)
        }
        self.ends = ends
        self.slots = slots
    }

    /// O(length of the string).
    package func contains(_ string: String) -> Bool {
        StringForms.withBytes(of: string, form: form) { containsBytes($0) }
    }

    /// The same for a string's UTF-8 bytes, as a record holds them; `isPlain` says that they are known to be ASCII.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func contains(_ text: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        try StringForms.withBytes(text, isPlain: isPlain, form: form) { containsBytes($0) }
    }

    /// Whether the bytes themselves are among those of the strings in the form.
    package func containsBytes(_ text: UnsafeRawBufferPointer) -> Bool {
        var slot = Self.hash(text) & (slots.count - 1)
        while slots[slot] != 0 {
            if isEqual(Int(slots[slot]) - 1, text: text) { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    private func isEqual(_ number: Int, text: UnsafeRawBufferPointer) -> Bool {
        let start = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - start == text.count else { return false }
        guard let other = text.baseAddress, !text.isEmpty else { return true }
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0 + start, other, text.count) == 0 } ?? false
        }
    }

    /// A power of two, so that there is always a free slot.
    private static func slotCount(of count: Int) -> Int {
        var slots = 4
        while slots < 2 * count { slots *= 2 }
        return slots
    }

    private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: text)
        return hasher.finalize()
    }
}
