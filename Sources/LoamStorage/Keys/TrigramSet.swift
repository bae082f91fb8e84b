/// The trigrams of a text, each once: what an index of kind ``IndexKind/trigrams`` has for its entries.
///
/// A trigram is three code points that follow each other in the text without case and diacritics, so a text of fewer
/// than three has none. A text that contains another one in that form has all trigrams of the other one.
///
/// A text whose form takes more than ``longestText`` bytes, or has more than ``mostTrigrams``, is not taken apart: it has
/// one entry that stands for every trigram. So what a row costs is bounded, in memory, in its index and in a save.
///
/// The memory is used again from text to text.
package struct TrigramSet {
    /// Each as its code points, of 21 bits, the first one in the highest; in ascending order.
    package private(set) var trigrams: [UInt64] = []

    /// Stands for every trigram there is.
    package static let every = UInt64.max
    /// The form of texts whose parts are looked for.
    package static let form = StringForm.caseAndDiacriticFolded
    /// The most bytes of a text, in its form, that is taken apart.
    package static let longestText = 1 << 16
    /// The most trigrams that a text is taken apart into.
    package static let mostTrigrams = 8_192
    /// What entries depend on beside the texts: the folded form, and the rules here. An index that was made by others is
    /// stale.
    package static let formVersion = StringForms.formVersion + ", trigrams 1"
    /// Bytes of the longest key: a tag, three code points of four bytes, and the terminator.
    private static let longestKey = 14

    package init() {}

    /// The trigrams of a string.
    package init(_ text: String) { take(text) }

    /// Becomes that of a text that has none.
    mutating func removeAll() { trigrams.removeAll(keepingCapacity: true) }

    /// Becomes that of a string.
    mutating func take(_ text: String) {
        removeAll()
        StringForms.withBytes(of: text, form: Self.form) { add(folded: $0) }
    }

    /// Becomes that of a text, given by its UTF-8 bytes. `isPlain` says that they are known to be ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    mutating func take(_ text: UnsafeRawBufferPointer, isPlain: Bool) throws {
        removeAll()
        try StringForms.withBytes(text, isPlain: isPlain, form: Self.form) { add(folded: $0) }
    }

    private mutating func add(folded text: UnsafeRawBufferPointer) {
        guard text.count <= Self.longestText else { return trigrams.append(Self.every) }
        let mask = UInt64(1) << 63 - 1
        var (trigram, length, offset) = (UInt64(0), 0, 0)
        while let scalar = Self.scalar(in: text, at: &offset) {
            trigram = (trigram << 21 | UInt64(scalar)) & mask
            length += 1
            if length >= 3 { trigrams.append(trigram) }
        }
        keepDistinct()
        guard trigrams.count <= Self.mostTrigrams else {
            removeAll()
            return trigrams.append(Self.every)
        }
    }

    /// The code point that begins at an offset, which is moved behind it; nil at the end. Where a damaged record has
    /// bytes of none, it is U+FFFD, as keys have it.
    @inline(__always)
    private static func scalar(in text: UnsafeRawBufferPointer, at offset: inout Int) -> UInt32? {
        guard offset < text.count else { return nil }
        let lead = text[offset]
        offset += 1
        if lead < 0x80 { return UInt32(lead) }
        let rest = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
        var scalar = UInt32(lead) & (0x3F >> UInt32(rest))
        for _ in 0..<rest where offset < text.count {
            scalar = scalar << 6 | UInt32(text[offset] & 0x3F)
            offset += 1
        }
        return Unicode.Scalar(scalar)?.value ?? 0xFFFD
    }

    private mutating func keepDistinct() {
        guard trigrams.count > 1 else { return }
        trigrams.sort()
        var kept = 1
        for position in 1..<trigrams.count where trigrams[position] != trigrams[kept - 1] {
            trigrams[kept] = trigrams[position]
            kept += 1
        }
        trigrams.removeSubrange(kept...)
    }
}

// MARK: - Keys

extension TrigramSet {
    /// Appends the component bytes of an entry: those of a string of the three code points as it stands, or of the
    /// empty one for ``every``.
    static func append(_ trigram: UInt64, to key: inout KeyBuffer) {
        key.write(atMost: longestKey) { start in
            var end = 0
            write(trigram) { byte in
                start.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                end += 1
            }
            return end
        }
    }

    /// The component bytes of an entry.
    package static func key(of trigram: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        write(trigram) { key.append($0) }
        return key
    }

    @inline(__always)
    private static func write(_ trigram: UInt64, _ put: (UInt8) -> Void) {
        put(0x01)
        for scalar in scalars(of: trigram) {
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                if byte <= 1 { put(0x01) }
                put(byte <= 1 ? byte + 1 : byte)
            }
        }
        put(0x00)
    }

    /// The trigram of an entry, by its component bytes; nil where they are none.
    package static func trigram(of key: [UInt8]) -> UInt64? {
        guard key.first == 0x01, key.last == 0x00 else { return nil }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in key.dropFirst().dropLast() {
            if byte == 0x01, !isEscaped {
                isEscaped = true
            } else {
                bytes.append(isEscaped ? byte &- 1 : byte)
                isEscaped = false
            }
        }
        if bytes.isEmpty { return every }
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        return scalars.count == 3 ? scalars.reduce(0) { $0 << 21 | UInt64($1.value) } : nil
    }

    /// O(log n).
    func contains(_ trigram: UInt64) -> Bool {
        let position = trigrams.indices.partitionPoint { trigrams[$0] < trigram }
        return position < trigrams.count && trigrams[position] == trigram
    }

    /// The code points of a trigram; none of ``every``.
    private static func scalars(of trigram: UInt64) -> some Sequence<Unicode.Scalar> {
        (trigram == every ? 0..<0 : 0..<3).lazy.compactMap {
            Unicode.Scalar(UInt32(truncatingIfNeeded: trigram >> UInt64(42 - 21 * $0)) & 0x1F_FFFF)
        }
    }

    /// A trigram as text; empty for ``every``.
    package static func text(of trigram: UInt64) -> String {
        String(String.UnicodeScalarView(scalars(of: trigram)))
    }
}

// MARK: - Searching

extension TrigramSet {
    /// The trigrams that every text has which contains another one, begins or ends with it. Both are compared in a form.
    ///
    /// In the folded form of the index, which stands in for the localized ones too, these are all trigrams of the part.
    /// With case, a mark that is ignored here may part letters that belong together here: of a part, only those
    /// trigrams are taken whose code points nothing beside them changes. Diacritics without case are folded in another
    /// way (U+0345 is a mark then, else a letter): nothing is known.
    package static func trigrams(ofTextsWith part: String, form: StringForm) -> [UInt64] {
        switch form {
        case .caseAndDiacriticFolded, .localizedStandard, .localized: searchable(TrigramSet(part).trigrams)
        case .exact, .caseFolded: inert(in: part)
        case .diacriticFolded: []
        }
    }

    /// The trigrams of a part of a text that stand in the index whatever surrounds the part, and however it is divided.
    package static func inert(in part: String) -> [UInt64] {
        searchable(TrigramSet(part).trigrams).filter { scalars(of: $0).allSatisfy(isInert) }
    }

    /// A part that is too long says nothing of texts that have other trigrams.
    private static func searchable(_ trigrams: [UInt64]) -> [UInt64] { trigrams == [every] ? [] : trigrams }

    /// Whether a code point without case and diacritics comes of one code point alone, and is changed by no other one
    /// than a nonspacing mark, which is dropped: it has no canonical decomposition and is no part of any other one's.
    /// So two of them that follow each other do so in every text.
    ///
    /// These are the scripts of which that is sure; left out are Hangul, whose letters are put together, and those of
    /// India and its neighbours, where some vowels are.
    private static func isInert(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x02FF, 0x0370...0x08FF, 0x2010...0x2027, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0x1F300...0x1FAFF:
            true
        default: false
        }
    }
}
