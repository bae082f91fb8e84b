/// What the Swift runtime makes of letters in another case. Its tables are those of some version of Unicode, which it
/// does not name.
enum CaseMapping {
    /// A hash over the mappings of all characters that have cases: another one where any of them differs.
    ///
    /// All cased characters lie in the first two planes. Some milliseconds, once in a process.
    static let version: String = {
        // FNV-1a, of 64 bits.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func combine(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        for scalar in (0..<0x2_0000 as Range<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            guard properties.changesWhenCaseMapped else { continue }
            combine("\(scalar)\(properties.lowercaseMapping)\(properties.uppercaseMapping)")
        }
        return "letters " + String(hash, radix: 16)
    }()
}

/// What the Swift runtime takes for one character. Its tables are those of some version of Unicode, which it does not
/// name.
enum CharacterTables {
    /// The newest version of Unicode of which the runtime knows characters.
    ///
    /// New versions come with characters in the first four planes. Some milliseconds, once in a process.
    static let version: String = {
        var newest = (major: 0, minor: 0)
        for scalar in (0..<0x4_0000 as Range<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            if let age = scalar.properties.age, age > newest { newest = age }
        }
        return "characters \(newest.major).\(newest.minor)"
    }()
}
