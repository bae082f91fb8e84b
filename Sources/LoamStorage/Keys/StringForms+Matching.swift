/// Comparisons of strings that agree with their keys: what a range over an index finds, these find too.
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
            withBytes(of: right, form: form) { right in Self.compare(left, right) }
        }
    }

    /// Whether a string begins with another, character by character (never inside a grapheme cluster).
    ///
    /// In the localized form, here and below, the case- and diacritic-folded one stands in: a collation key has no
    /// characters.
    package static func hasPrefix(_ string: String, _ prefix: String, form: StringForm) -> Bool {
        let (string, prefix) = (matched(string, form), matched(prefix, form))
        return string.hasPrefix(prefix)
            && string.utf8.starts(with: prefix.utf8)
    }

    /// Whether a string ends with another, character by character.
    package static func hasSuffix(_ string: String, _ suffix: String, form: StringForm) -> Bool {
        matched(string, form).hasSuffix(matched(suffix, form))
    }

    /// Whether a string contains another, character by character; every string contains the empty one.
    ///
    /// Cost: the product of both lengths at worst.
    package static func contains(_ string: String, _ part: String, form: StringForm) -> Bool {
        StringPattern(part, form: form).isContained(in: string)
    }

    /// The text that is matched in a form: normalized as in its key.
    static func matched(_ string: String, _ form: StringForm) -> String {
        let form = form == .localizedStandard ? .caseAndDiacriticFolded : form
        return String(decoding: bytes(of: string, form: form), as: UTF8.self)
    }

    /// `memcmp`, then the shorter first.
    package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
        return left.count - right.count
    }
}
