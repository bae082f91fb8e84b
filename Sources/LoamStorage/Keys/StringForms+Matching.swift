import Foundation

/// Comparisons of strings that agree with their keys. For a constant against many strings, make a ``StringPattern``.
extension StringForms {
    /// Whether two strings are equal in a form: exactly when their keys are.
    ///
    /// In the exact form that is Swift's `==` (canonical equivalence), but for strings that are kept as they stand.
    package static func areEqual(_ left: String, _ right: String, form: StringForm) -> Bool {
        withBytes(of: left, form: form) { left in
            withBytes(of: right, form: form) { right in left.elementsEqual(right) }
        }
    }

    /// The order of two strings in a form: that of their keys. Negative, zero or positive, as `memcmp`.
    package static func compare(_ left: String, _ right: String, form: StringForm) -> Int {
        withBytes(of: left, form: form) { left in
            withBytes(of: right, form: form) { right in compare(left, right) }
        }
    }

    /// The order of two strings whose bytes lie somewhere: that of their keys. Negative, zero or positive, as `memcmp`.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes of one are not UTF-8.
    package static func compare(_ left: UnboxedValue, _ right: UnboxedValue, form: StringForm) throws -> Int {
        if left.isPlain, right.isPlain, form == .exact || form == .diacriticFolded {
            return compare(left.text, right.text)
        }
        return try withBytes(left.text, isPlain: left.isPlain, form: form) { bytes in
            try withBytes(right.text, isPlain: right.isPlain, form: form) { compare(bytes, $0) }
        }
    }

    /// Whether a string begins with another, character by character; see ``StringPattern``.
    package static func hasPrefix(_ string: String, prefix: String, form: StringForm) -> Bool {
        StringPattern(prefix, form: form).isPrefix(of: string)
    }

    /// Whether a string ends with another, character by character; see ``StringPattern``.
    package static func hasSuffix(_ string: String, suffix: String, form: StringForm) -> Bool {
        StringPattern(suffix, form: form).isSuffix(of: string)
    }

    /// Whether a string contains another, character by character; see ``StringPattern``.
    package static func contains(_ string: String, part: String, form: StringForm) -> Bool {
        StringPattern(part, form: form).isContained(in: string)
    }

    /// `memcmp`, then the shorter first.
    package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        if let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let order = memcmp(leftBase, rightBase, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}
