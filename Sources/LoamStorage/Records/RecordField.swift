/// A field as a record holds it, strings and other variable fields not decoded.
package enum RecordField: ~Escapable {
    case null
    case bool(Bool)
    /// An integer of a signed type.
    case signed(Int64)
    /// An integer of an unsigned type.
    case unsigned(UInt64)
    /// A Float, Double, Date or UUID: 4, 8 or 16 bytes little endian.
    case wide(RawSpan)
    /// A variable field that lies in the record. Plain: a string in ASCII without CR.
    case inline(RawSpan, isPlain: Bool)
    /// A long value: its bytes lie in the table of long values.
    case external(length: Int, hash: UInt64)
}

/// A value that is too long for its record: the caller stores the bytes under (row id, property, chunk number).
package struct LongValue: Hashable, Sendable {
    package var slot: Int
    package var bytes: [UInt8]

    package init(slot: Int, bytes: [UInt8]) {
        self.slot = slot
        self.bytes = bytes
    }

    /// The longest variable field that stays in the record, in bytes.
    package static let threshold = 16_384

    /// Bytes of what an external field keeps in the record: length and hash of the long value, 8 bytes each.
    static let keptByteCount = 16

    /// The hash that the record keeps beside the length.
    package var hash: UInt64 { Checksum.hash64(bytes.span.bytes) }
}
