/// The folded forms of the code points below U+0300, looked up instead of asked for.
///
/// Each of them begins a new sequence under normalization and folds without regard to its neighbours, so the form of
/// a text of such code points is the forms of its code points, one after the other.
struct LatinFolding: Sendable {
    /// The code points' forms end to end, and where each begins.
    private let bytes: [UInt8]
    private let starts: [UInt16]
    /// Bytes of the longest form of one code point.
    private let longest: Int

    /// - Parameter fold: the form of one code point, as UTF-8.
    init(_ fold: (Unicode.Scalar) -> [UInt8]) {
        var bytes: [UInt8] = []
        var starts: [UInt16] = [0]
        for scalar in (0..<0x300 as Range<UInt32>).compactMap(Unicode.Scalar.init) {
            bytes.append(contentsOf: fold(scalar))
            starts.append(UInt16(bytes.count))
        }
        longest = zip(starts, starts.dropFirst()).map { Int($1 - $0) }.max() ?? 0
        self.bytes = bytes
        self.starts = starts
    }

    /// Folds a text whose code points are all below U+0300.
    ///
    /// - Parameter text: valid UTF-8 without lead bytes of 0xCC and above.
    func withFolded<R>(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeTemporaryAllocation(byteCount: text.count * longest, alignment: 1) { folded in
            var end = 0
            var index = 0
            while index < text.count {
                var scalar = Int(text[index])
                index &+= 1
                if scalar >= 0x80, index < text.count {
                    scalar = (scalar & 0x1F) << 6 | Int(text[index] & 0x3F)
                    index &+= 1
                }
                for source in Int(starts[scalar])..<Int(starts[scalar + 1]) {
                    folded[end] = bytes[source]
                    end &+= 1
                }
            }
            return try body(UnsafeRawBufferPointer(rebasing: folded[..<end]))
        }
    }
}

extension StringForms {
    /// Whether a text surely has as many characters in a form as it has: where it is ASCII, or Latin without CR and no
    /// letter becomes several.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package static func keepsCharacters(_ text: UnsafeRawBufferPointer, form: StringForm) throws -> Bool {
        if isASCII(text) { return true }
        for index in 0..<text.count where text[index] >= 0xCC || text[index] == 0x0D { return false }
        return try withBytes(ofUTF8: text, form: form) { codePoints(in: $0) == codePoints(in: text) }
    }

    private static func codePoints(in text: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for index in 0..<text.count where text[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
