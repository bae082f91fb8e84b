/// The memory in which a ``RecordWriter`` keeps a record's parts until their lengths are known.
///
/// In this order: a bit for each slot, set where the field may not be nil and was not set yet (in words of 64); the
/// record up to its offset table, the *head*; from the next multiple of 4 on, 4 bytes for each variable field: where it
/// ends, counted from the first, with ``external`` in the highest bit; the integers that were set, as they will lie in
/// the record.
struct RecordStaging: BitwiseCopyable {
    let unsetWords: Int
    let headAt: Int
    let headCount: Int
    let endsAt: Int
    let integersAt: Int
    let byteCount: Int
    let integerCount: Int
    let variableCount: Int
    let externalByteCount: Int

    static var external: UInt32 { 1 << 31 }

    init(_ sections: RecordSections, slotCount: Int) {
        unsetWords = (slotCount + 63) / 64
        headAt = 8 * unsetWords
        headCount = sections.tableStart
        endsAt = headAt + (headCount + 3) / 4 * 4
        integersAt = endsAt + 4 * sections.variableCount
        // Each integer is stored as 8 bytes, from where the one before it ends.
        byteCount = (integersAt + 8 * sections.integerCount + 15) / 16 * 16
        integerCount = sections.integerCount
        variableCount = sections.variableCount
        externalByteCount = sections.externalByteCount
    }

    /// Where the fields lie here: ``FieldLocation``s whose offsets count from the staging's start. The nil bit of a
    /// field that may not be nil is its bit among the unset ones, so that setting a field clears one bit whatever it
    /// is. An integer's `offset` is the byte with its width, its `bitMask` how far the width is shifted to the left.
    func locations(of locations: [FieldLocation], _ sections: RecordSections) -> [FieldLocation] {
        locations.enumerated().map { slot, location in
            var location = location
            if location.isOptional {
                location.nilByte += UInt16(headAt)
            } else {
                (location.nilByte, location.nilMask) = (UInt16(slot / 8), 1 << UInt8(slot % 8))
            }
            if location.kind.isInteger {
                location.offset = UInt32(headAt + sections.widthsStart + location.ordinal / 2)
                location.bitMask = UInt8(location.ordinal % 2 * 4)
            } else {
                if location.bitMask != 0 { location.bitByte += UInt16(headAt) }
                if location.kind.isWide { location.offset += UInt32(headAt) }
            }
            return location
        }
    }

    /// The memory up to the head's end before a field is set.
    func template(_ description: RecordLayout.Description, locations: [FieldLocation]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: headAt + headCount)
        bytes[headAt + RecordHeader.layoutOffset] = UInt8(truncatingIfNeeded: description.id)
        bytes[headAt + RecordHeader.layoutOffset + 1] = UInt8(truncatingIfNeeded: description.id >> 8)
        for location in locations { bytes[Int(location.nilByte)] |= location.nilMask }
        return bytes
    }
}
