internal import _FoundationICU

/// The bytes of a string in each ``StringForm``: what keys hold, and what comparisons compare.
///
/// This is the one file that calls ICU. Each form has a path for ASCII that never reaches it.
///
/// - Exact: NFC. A string with a code point that Unicode 15.0 does not assign, and that is not in NFC already, is kept
///   as it stands, so the form needs no version: normalization of assigned code points never changes.
/// - Folded: NFD; full case folding, or nonspacing marks (general category Mn) dropped, or both; NFC.
/// - Localized standard: an ICU collation key of the root locale with digits by value, without its final zero. It never
///   contains a zero byte.
///
/// Forms other than the exact one depend on ``formVersion``. A string of more than 64 Mi UTF-16 units is kept as it
/// stands in every form. Cost is linear in the string's length.
package enum StringForms {
    /// The version of the folded and localized forms: of Unicode, and of the ICU that made them.
    package static let formVersion: String = {
        let unicode = version { swift_u_getUnicodeVersion($0) }
        let icu = version { swift_u_getVersion($0) }
        return "unicode \(unicode[0]).\(unicode[1]), icu \(icu[0]).\(icu[1])"
    }()

    /// The bytes of a string in a form: UTF-8 for all but ``StringForm/localizedStandard``.
    package static func bytes(of string: String, form: StringForm) -> [UInt8] {
        var bytes: [UInt8] = []
        withBytes(of: string, form: form) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The string in a form, as a string; nil for ``StringForm/localizedStandard``, whose bytes are no text.
    package static func folded(_ string: String, form: StringForm) -> String? {
        switch form {
        case .exact: string
        case .localizedStandard: nil
        default: String(decoding: bytes(of: string, form: form), as: UTF8.self)
        }
    }

    /// Calls a closure with the bytes of a string in a form; they are the string's own where nothing changes.
    package static func withBytes<R>(
        of string: String, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        var string = string
        return try string.withUTF8 { try withBytes(ofValid: UnsafeRawBufferPointer($0), form: form, body) }
    }

    /// The same for a string's UTF-8 bytes, as a record holds them.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
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
        allBelow(0x80, bytes)
    }

    private static func withBytes<R>(
        ofValid bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        if isASCII(bytes) { return try withBytes(ofASCII: bytes, form: form, body) }
        // Every code point below U+0300 is inert under NFC; they are those whose lead byte is below 0xCC.
        if allBelow(0xCC, bytes) {
            switch form {
            case .exact: return try body(bytes)
            case .caseFolded: return try latinCase.withFolded(bytes, body)
            case .diacriticFolded: return try latinMarks.withFolded(bytes, body)
            case .caseAndDiacriticFolded: return try latinCaseAndMarks.withFolded(bytes, body)
            case .localizedStandard: break
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

    /// The general path, through ICU.
    static func withBytes<R>(
        ofAny bytes: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        var units = Array(String(decoding: bytes, as: UTF8.self).utf16)
        guard units.count <= longest else { return try body(bytes) }
        switch form {
        case .exact:
            if isNormalized(units, composed) || !isAssignedIn15(units) { return try body(bytes) }
            units = normalize(units, composed)
        case .caseFolded:
            units = normalize(foldCase(normalize(units, decomposed)), composed)
        case .diacriticFolded:
            units = normalize(droppingMarks(normalize(units, decomposed)), composed)
        case .caseAndDiacriticFolded:
            units = normalize(foldCase(normalize(units, decomposed)), decomposed)
            units = normalize(droppingMarks(units), composed)
        case .localizedStandard:
            return try withSortKey(of: normalize(units, composed), body)
        }
        var text = String(decoding: units, as: UTF16.self)
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }

    /// The same for bytes that are known to be ASCII.
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
        case .localizedStandard:
            guard bytes.count <= longest else { return try body(bytes) }
            return try withSortKey(of: bytes.map(UInt16.init), body)
        }
    }
}

// MARK: - Calls into ICU

/// ICU's shared objects. They are never changed after they were made and all calls on them are `const` in ICU, which
/// makes them safe to use from any thread.
private nonisolated(unsafe) let composed = normalizer("NFC") { swift_unorm2_getNFCInstance($0) }
private nonisolated(unsafe) let decomposed = normalizer("NFD") { swift_unorm2_getNFDInstance($0) }
private nonisolated(unsafe) let collator: OpaquePointer = {
    var status = U_ZERO_ERROR
    guard let collator = swift_ucol_open("", &status) else { unavailable("the root collation", status) }
    swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    // Canonically equivalent strings have equal keys only under normalization.
    swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
    guard succeeded(status) else { unavailable("the root collation", status) }
    return collator
}()

/// UTF-16 units beyond which a string is kept as it stands: ICU counts in 32 bits, and a folding may grow 18-fold.
private let longest = 64 << 20

private func succeeded(_ status: UErrorCode) -> Bool { status.rawValue <= U_ZERO_ERROR.rawValue }

/// ICU lacks its own data, or memory: nothing that any input can cause.
private func unavailable(_ what: String, _ status: UErrorCode) -> Never {
    preconditionFailure("ICU cannot provide \(what) (status \(status.rawValue)). Install the Swift toolchain anew.")
}

private func normalizer(
    _ name: String, _ open: (UnsafeMutablePointer<UErrorCode>) -> OpaquePointer?
) -> OpaquePointer {
    var status = U_ZERO_ERROR
    guard let instance = open(&status), succeeded(status) else { unavailable(name, status) }
    return instance
}

private func version(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    var parts = [UInt8](repeating: 0, count: 4)
    parts.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { fill(base) } }
    return parts
}

/// Lets ICU write UTF-16 into a buffer, a second time into a larger one when the first was too small.
private func filled(
    _ capacity: Int, _ fill: (UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32
) -> [UInt16] {
    var capacity = capacity
    while true {
        var status = U_ZERO_ERROR
        let units = [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
            let needed = Int(fill(buffer.baseAddress, Int32(buffer.count), &status))
            count = needed <= buffer.count && succeeded(status) ? needed : 0
            capacity = max(capacity, needed)
        }
        if succeeded(status) { return units }
        guard status == U_BUFFER_OVERFLOW_ERROR else { unavailable("a string form", status) }
    }
}

private func isNormalized(_ units: [UInt16], _ form: OpaquePointer) -> Bool {
    var status = U_ZERO_ERROR
    return swift_unorm2_isNormalized(form, units, Int32(units.count), &status) != 0 && succeeded(status)
}

private func normalize(_ units: [UInt16], _ form: OpaquePointer) -> [UInt16] {
    if isNormalized(units, form) { return units }
    return filled(units.count + units.count / 2 + 16) {
        swift_unorm2_normalize(form, units, Int32(units.count), $0, $1, $2)
    }
}

private func foldCase(_ units: [UInt16]) -> [UInt16] {
    filled(units.count + 16) { swift_u_strFoldCase($0, $1, units, Int32(units.count), 0, $2) }
}

private func droppingMarks(_ units: [UInt16]) -> [UInt16] {
    var kept: [UInt16] = []
    kept.reserveCapacity(units.count)
    for scalar in String(decoding: units, as: UTF16.self).unicodeScalars
    where swift_u_charType(UChar32(bitPattern: scalar.value)) != Int8(U_NON_SPACING_MARK.rawValue) {
        kept.append(contentsOf: UTF16.encode(scalar).map(Array.init) ?? [])
    }
    return kept
}

/// Whether Unicode 15.0 assigns every code point.
private func isAssignedIn15(_ units: [UInt16]) -> Bool {
    String(decoding: units, as: UTF16.self).unicodeScalars.allSatisfy { scalar in
        if scalar.value < 0x300 { return true }
        let age = version { swift_u_charAge(UChar32(bitPattern: scalar.value), $0) }
        return age[0] != 0 && (age[0] < 15 || (age[0] == 15 && age[1] == 0))
    }
}

private func withSortKey<R>(of units: [UInt16], _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    var key = [UInt8](repeating: 0, count: units.count * 4 + 32)
    var needed = sortKey(of: units, into: &key)
    if needed > key.count {
        key = [UInt8](repeating: 0, count: needed)
        needed = sortKey(of: units, into: &key)
    }
    return try key.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(max(needed - 1, 0)))) }
}

private func sortKey(of units: [UInt16], into key: inout [UInt8]) -> Int {
    Int(swift_ucol_getSortKey(collator, units, Int32(units.count), &key, Int32(key.count)))
}

/// Whether every byte is below a bound of at least 0x80; eight bytes at a time while they are ASCII.
private func allBelow(_ bound: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bool {
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
