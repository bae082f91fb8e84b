/// A single value as tagged bytes, outside of a record: what indexes include, what history keeps, initial values.
package enum CompositeCodec {
    /// The most arrays, dictionaries and structures inside each other.
    package static var maximumDepth: Int { CompositeTag.maximumDepth }

    /// The bytes of a value of the type, or of nil. O(bytes). Throws `typeMismatch` or `valueTooDeep`.
    package static func encode(_ value: Value, as type: ValueType) throws -> [UInt8] {
        guard !value.isNull else { return [CompositeTag.null.rawValue] }
        var encoder = CompositeEncoder()
        try encoder.encode(value, as: type)
        return encoder.bytes
    }

    /// The bytes of a value of no particular type, or of nil: integers as 64 bits, elements of one array of any types.
    /// O(bytes). Throws `typeMismatch` for a decimal or URL that cannot be read back, or `valueTooDeep`.
    package static func encode(_ value: Value) throws -> [UInt8] {
        var encoder = CompositeEncoder()
        try encoder.encode(value)
        return encoder.bytes
    }

    /// The value that the bytes hold. Throws `damagedRecord` for anything that ``encode(_:as:)`` does not write.
    package static func decode(_ bytes: RawSpan) throws -> Value {
        try RecordView.decodeComposite(bytes)
    }
}

extension RecordView {
    /// The byte count of a long value that lies outside the record; nil for any other field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `damagedRecord` where the length of a
    ///   long value is none.
    package func externalByteCount(_ slot: Int) throws -> Int? {
        guard hasLongValues, case .external(let length, _) = try field(slot) else { return nil }
        return length
    }

    /// Whether a field's value is a long one, whose bytes lie outside the record.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `damagedRecord` where the length of a
    ///   long value is none.
    package func isExternal(_ slot: Int) throws -> Bool {
        try externalByteCount(slot) != nil
    }
}
