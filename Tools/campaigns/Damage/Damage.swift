/// One way to spoil an entry of a database.
package enum Damage: Hashable, Sendable, CustomStringConvertible {
    /// A byte of the value has some of its bits turned.
    case value(offset: Int, bits: UInt8)
    /// A byte of the key has some of its bits turned.
    case key(offset: Int, bits: UInt8)
    /// The value lacks its last byte.
    case shortened
    /// The value has one byte more.
    case lengthened
    /// The entry is gone.
    case removed

    package var description: String {
        switch self {
        case .value(let offset, let bits): "value byte \(offset) ^ \(bits)"
        case .key(let offset, let bits): "key byte \(offset) ^ \(bits)"
        case .shortened: "value shortened"
        case .lengthened: "value lengthened"
        case .removed: "entry removed"
        }
    }

    /// The entry as it is afterwards; nil where nothing is left of it.
    func applied(to entry: RawEntry) -> RawEntry? {
        var result = entry
        switch self {
        case .value(let offset, let bits): result.value[offset] ^= bits
        case .key(let offset, let bits): result.key[offset] ^= bits
        case .shortened: result.value.removeLast()
        case .lengthened: result.value.append(0)
        case .removed: return nil
        }
        return result
    }
}

/// An entry of a database as LMDB has it. Integer keys are in the machine's byte order.
package struct RawEntry: Hashable, Sendable {
    package var key: [UInt8]
    package var value: [UInt8]
}
