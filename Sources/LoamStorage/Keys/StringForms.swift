/// The bytes of a string in each ``StringForm``: what keys hold, and what comparisons compare.
///
/// Each form but the localized one has a path for ASCII that never reaches ``ICU``. No memory is taken from the heap for
/// ASCII, for Latin text of up to 1 KiB folded, for text in NFC that stays as it is, and for other text up to
/// ``ShortText/longest``, nor for sort keys of up to 1 KiB of such text.
///
/// - Exact: NFC. A string with a code point that Unicode 15.0 does not assign, and that is not in NFC already, is kept
///   as it stands, so the form needs no version: normalization of assigned code points never changes.
/// - Folded: NFD; full case folding, or nonspacing marks (general category Mn) dropped, or both; NFC.
/// - Localized standard: an ICU collation key of the root locale with digits by value, without its final zero. It never
///   contains a zero byte. Localized: the same by the rules of a ``Collation``.
///
/// Forms other than the exact one depend on ``formVersion``. A string of more than 64 Mi UTF-16 units is kept as it
/// stands in every form. Cost is linear in the string's length.
package enum StringForms {
    /// The version of the folded and localized forms: of Unicode, and of the ICU that made them.
    package static let formVersion = ICU.version

    /// The bytes of a string in a form: UTF-8 for all but the localized ones.
    package static func bytes(of string: String, form: StringForm) -> [UInt8] {
        var bytes: [UInt8] = []
        withBytes(of: string, form: form) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The string in a form, as a string; nil for a localized form, whose bytes are no text.
    package static func folded(_ string: String, form: StringForm) -> String? {
        switch form {
        case .exact: string
        case .localizedStandard, .localized: nil
        default: String(decoding: bytes(of: string, form: form), as: UTF8.self)
        }
    }

    /// Calls a closure with the bytes of a string in a form; they are the string's own where nothing changes.
    ///
    /// - Throws: what the closure throws.
    package static func withBytes<R>(
        of string: String, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        var string = string
        return try string.withUTF8 { try withBytes(ofValid: UnsafeRawBufferPointer($0), form: form, body) }
    }

    /// Calls a closure with the form of a string that is given by its UTF-8 bytes, as a record holds them.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8, and what the closure throws.
    package static func withBytes<R>(
        ofUTF8 bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        if isASCII(bytes) { return try withBytes(ofASCII: bytes, form: form, body) }
        guard isUTF8(bytes) else { throw StorageError(.damagedRecord("a string is not UTF-8")) }
        return try withBytes(ofValid: bytes, form: form, body)
    }

    /// Whether the bytes are well-formed UTF-8.
    package static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
    }

    /// Whether every byte is below 0x80.
    package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        allBelow(0x80, bytes: bytes)
    }

    /// Calls a closure with the form of a string that is given by its bytes, which are UTF-8.
    ///
    /// - Throws: what the closure throws.
    package static func withBytes<R>(
        ofValid bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        if isASCII(bytes) { return try withBytes(ofASCII: bytes, form: form, body) }
        // Every code point below U+0300 is inert under NFC; they are those whose lead byte is below 0xCC.
        if allBelow(0xCC, bytes: bytes) {
            switch form {
            case .exact: return try body(bytes)
            case .caseFolded: return try latinCase.withFolded(bytes, body)
            case .diacriticFolded: return try latinMarks.withFolded(bytes, body)
            case .caseAndDiacriticFolded: return try latinCaseAndMarks.withFolded(bytes, body)
            case .localizedStandard, .localized: break
            }
        }
        return try withBytes(ofAny: bytes, form: form, body)
    }

    private static let latinCase = latin(.caseFolded)
    private static let latinMarks = latin(.diacriticFolded)
    private static let latinCaseAndMarks = latin(.caseAndDiacriticFolded)

    private static func latin(_ form: StringForm) -> LatinFolding {
        LatinFolding { scalar in Array(scalar.utf8).withUnsafeBytes { withBytes(ofAny: $0, form: form) { Array($0) } } }
    }

    /// The same for bytes whose kind a record tells: plain ones are ASCII.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8, and what the closure throws.
    package static func withBytes<R>(
        _ bytes: UnsafeRawBufferPointer, isPlain: Bool, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        if isPlain { return try withBytes(ofASCII: bytes, form: form, body) }
        return try withBytes(ofUTF8: bytes, form: form, body)
    }

    /// The general path, through ICU. Takes memory for long texts, and for their sort keys.
    static func withBytes<R>(
        ofAny bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        if form == .exact, isSurelyComposed(bytes) { return try body(bytes) }
        guard bytes.count <= ShortText.longest else {
            return try withBytes(ofLong: bytes, form: form, body)
        }
        return try ShortText.withBytes(of: bytes, in: form) { found in
            switch found {
            case .unchanged: try body(bytes)
            case .changed(let bytes): try body(bytes)
            case .tooLong: try withBytes(ofLong: bytes, form: form, body)
            }
        }
    }

    /// Whether a text is in NFC, as far as one code point after the other tells. Most texts are.
    private static func isSurelyComposed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) {
            guard var text = try? UTF8Span(validating: $0.span) else { return false }
            return text.checkForNFC(quickCheck: true)
        }
    }

    static func withBytes<R>(
        ofLong bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        var units = Array(String(decoding: bytes, as: UTF8.self).utf16)
        guard units.count <= ICU.longest else { return try body(bytes) }
        switch form {
        case .exact:
            if ICU.isNormalized(units, form: .composed) || !ICU.isAssignedIn15(units) { return try body(bytes) }
            units = ICU.normalize(units, form: .composed)
        case .caseFolded:
            units = ICU.normalize(ICU.foldCase(ICU.normalize(units, form: .decomposed)), form: .composed)
        case .diacriticFolded:
            units = ICU.normalize(ICU.droppingMarks(ICU.normalize(units, form: .decomposed)), form: .composed)
        case .caseAndDiacriticFolded:
            units = ICU.normalize(ICU.foldCase(ICU.normalize(units, form: .decomposed)), form: .decomposed)
            units = ICU.normalize(ICU.droppingMarks(units), form: .composed)
        case .localizedStandard, .localized:
            return try ICU.withSortKey(of: ICU.normalize(units, form: .composed), in: form.collation, body)
        }
        var text = String(decoding: units, as: UTF16.self)
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Calls a closure with the form of a string whose bytes are known to be ASCII.
    static func withBytes<R>(
        ofASCII bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        switch form {
        case .exact, .diacriticFolded:
            return try body(bytes)
        case .caseFolded, .caseAndDiacriticFolded:
            return try withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { lowercase in
                for index in bytes.indices {
                    let byte = bytes[index]
                    lowercase[index] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
                }
                return try body(UnsafeRawBufferPointer(lowercase))
            }
        case .localizedStandard, .localized:
            return try withBytes(ofAny: bytes, form: form, body)
        }
    }
}

/// Whether every byte is below a bound of at least 0x80; eight bytes at a time while they are ASCII.
private func allBelow(_ bound: UInt8, bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index &+ 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 != 0 { break }
        index &+= 8
    }
    while index < bytes.count {
        if bytes[index] >= bound { return false }
        index &+= 1
    }
    return true
}
