/// A text on the stack, brought into a form by ``ICU`` without memory from the heap.
struct ShortText {
    /// UTF-8 bytes of a text that is tried so. Where its form does not fit all the same, that is known in time.
    static let longest = 512
    private static let mostUnits = 512
    private static let mostBytes = 1_024

    /// What came of a text.
    enum Result {
        /// Its form is the text itself.
        case unchanged
        /// In memory that is gone when the closure returns.
        case changed(UnsafeRawBufferPointer)
        case tooLong
    }

    private var text: UnsafeMutableBufferPointer<UInt16>
    private var spare: UnsafeMutableBufferPointer<UInt16>
    private var count = 0

    /// - Parameters:
    ///   - bytes: valid UTF-8, at most ``longest``.
    ///   - form: any; of the localized one the bytes are no text.
    static func withBytes<R>(
        of bytes: UnsafeRawBufferPointer, in form: StringForm, _ body: (Result) throws -> R
    ) rethrows -> R {
        try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: mostUnits) { first in
            try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: mostUnits) { second in
                try withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { encoded in
                    var text = ShortText(text: first, spare: second)
                    return try body(text.bytes(of: bytes, in: form, encoded))
                }
            }
        }
    }

    private init(text: UnsafeMutableBufferPointer<UInt16>, spare: UnsafeMutableBufferPointer<UInt16>) {
        self.text = text
        self.spare = spare
    }

    private mutating func bytes(
        of bytes: UnsafeRawBufferPointer, in form: StringForm, _ encoded: UnsafeMutableRawBufferPointer
    ) -> Result {
        guard decode(bytes) else { return .tooLong }
        if form == .exact {
            if ICU.isNormalized(units, form: .composed) || !ICU.isAssignedIn15(units) { return .unchanged }
        }
        guard bring(into: form), let end = encode(form, into: encoded) else { return .tooLong }
        return .changed(UnsafeRawBufferPointer(rebasing: encoded[..<end]))
    }

    private var units: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(rebasing: text[..<count]) }

    private mutating func bring(into form: StringForm) -> Bool {
        switch form {
        case .exact: return normalize(.composed)
        case .caseFolded: return normalize(.decomposed) && foldCase() && normalize(.composed)
        case .diacriticFolded:
            guard normalize(.decomposed) else { return false }
            dropMarks()
            return normalize(.composed)
        case .caseAndDiacriticFolded:
            guard normalize(.decomposed), foldCase(), normalize(.decomposed) else { return false }
            dropMarks()
            return normalize(.composed)
        case .localizedStandard, .localized: return normalize(.composed)
        }
    }

    private mutating func normalize(_ form: ICU.Normalization) -> Bool {
        ICU.isNormalized(units, form: form) || take(ICU.normalize(units, form: form, into: spare))
    }

    private mutating func foldCase() -> Bool { take(ICU.foldCase(units, into: spare)) }

    private mutating func dropMarks() {
        count = ICU.dropMarks(in: UnsafeMutableBufferPointer(rebasing: text[..<count]))
    }

    /// What stands in the spare memory is the text now.
    private mutating func take(_ newCount: Int?) -> Bool {
        guard let newCount, newCount <= spare.count else { return false }
        count = newCount
        swap(&text, &spare)
        return true
    }

    /// False where the bytes have more units than there is room for.
    private mutating func decode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count = 0
        return bytes.withMemoryRebound(to: UInt8.self) { bytes in
            let error = transcode(
                bytes.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: true
            ) { unit in
                if count < text.count { text[count] = unit }
                count += 1
            }
            return !error && count <= text.count
        }
    }

    /// Where the sort key or the text's UTF-8 ends; nil where there is too little room.
    private func encode(_ form: StringForm, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        form.isCollated ? ICU.sortKey(of: units, in: form.collation, into: bytes) : encode(into: bytes)
    }

    private func encode(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        var end = 0
        let error = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) { byte in
            if end < bytes.count { bytes[end] = byte }
            end += 1
        }
        return error || end > bytes.count ? nil : end
    }
}
