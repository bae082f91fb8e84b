/// Where a variable field lies in a record.
struct VariableField {
    var range: Range<Int>
    /// A string in ASCII without CR.
    var isPlain: Bool
    /// What lies there are length and hash of a long value.
    var isExternal: Bool
}

/// Access that the facets share. Locations are those of the view's layout, so bits and wide fields are within the
/// bytes; every other offset is checked before it is used.
extension RecordView {
    @inline(__always)
    func location(_ slot: Int) throws -> FieldLocation {
        guard UInt(bitPattern: slot) < frame.pointee.slotCount else { throw unknown(slot) }
        return frame.pointee.locations[slot]
    }

    @inline(__always)
    func isNull(_ location: FieldLocation) -> Bool {
        bytes.littleEndian(at: Int(location.nilByte), as: UInt8.self) & location.nilMask != 0
    }

    /// A Bool's value, or whether a string is plain.
    @inline(__always)
    func bit(_ location: FieldLocation) -> Bool {
        bytes.littleEndian(at: Int(location.bitByte), as: UInt8.self) & location.bitMask != 0
    }

    @inline(__always)
    func wideRange(_ location: FieldLocation) -> Range<Int> {
        Range(uncheckedBounds: (Int(location.offset), Int(location.offset) &+ Int(location.width)))
    }

    // The view keeps none of these: a larger one would be copied through memory for every access.

    @inline(__always)
    var flags: RecordFlags { RecordFlags(rawValue: bytes.littleEndian(at: RecordHeader.flagsOffset)) }

    /// Where the integers start: behind the offset table and the external bits. Within the bytes, since the view was
    /// opened.
    @inline(__always)
    func integerStart(_ flags: RecordFlags) -> Int {
        tableEnd(flags) &+ (flags.hasExternal ? Int(frame.pointee.externalByteCount) : 0)
    }

    @inline(__always)
    func tableEnd(_ flags: RecordFlags) -> Int {
        Int(frame.pointee.tableStart) &+ Int(frame.pointee.variableCount) &<< flags.entryShift
    }

    // MARK: Integers

    /// Where an integer ends, and the number of its bytes.
    @inline(__always)
    func integer(_ location: FieldLocation) throws -> (end: Int, width: Int) {
        let word = bytes.littleEndian(at: Int(location.offset), as: UInt64.self) &>> UInt64(location.bitMask)
        let bit = UInt64(location.bitByte & 15) &* 4
        var end = integerStart(flags) &+ IntegerWidths.sum(word & ((1 &<< bit) &- 1))
        if location.bitByte >= 16 { end &+= widths(ofGroups: location.ordinal / 16) }
        let width = Int(truncatingIfNeeded: (word &>> bit) & 15)
        end &+= width
        guard width <= Int(location.width), end <= bytes.byteCount else { throw Self.hasWrongWidth }
        return (end, width)
    }

    /// The 8 bytes that end with the integer (the header lies before it), shifted.
    @inline(__always)
    func signed(_ location: FieldLocation) throws -> Int64 {
        let (end, width) = try integer(location)
        let word = bytes.littleEndian(at: end &- 8, as: Int64.self)
        return width == 0 ? 0 : word &>> Int64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    @inline(__always)
    func unsigned(_ location: FieldLocation) throws -> UInt64 {
        let (end, width) = try integer(location)
        let word = bytes.littleEndian(at: end &- 8, as: UInt64.self)
        return width == 0 ? 0 : word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    /// The sum of the widths in the first groups, which must be full.
    @inline(never)
    func widths(ofGroups count: Int) -> Int {
        var sum = 0
        for group in 0..<count {
            sum &+= IntegerWidths.sum(bytes.littleEndian(at: Int(frame.pointee.widthsStart) &+ 8 &* group))
        }
        return sum
    }

    /// The sum of all widths.
    @inline(__always)
    var allWidths: Int {
        let count = Int(frame.pointee.integerCount)
        guard count > 0 else { return 0 }
        let last = bytes.littleEndian(at: Int(frame.pointee.lastGroup), as: UInt64.self)
        let sum = IntegerWidths.sum(last &>> UInt64(frame.pointee.lastGroupShift))
        return count <= 16 ? sum : sum &+ widths(ofGroups: (count &- 1) / 16)
    }

    // MARK: Variable fields

    /// Where the last variable field ends (the header lies before the table).
    @inline(__always)
    func lastEntry(_ flags: RecordFlags) -> Int {
        let word = bytes.littleEndian(at: tableEnd(flags) &- 4, as: UInt32.self)
        return Int(word &>> (32 &- 8 &<< UInt32(truncatingIfNeeded: flags.entryShift)))
    }

    /// Where a variable field lies in the record.
    @inline(__always)
    func variable(_ location: FieldLocation) throws -> VariableField {
        let flags = flags
        guard flags == .plain else { return try variable(location, flags: flags) }
        // What most records have: entries of one byte, and nothing external.
        let entry = Int(frame.pointee.tableStart) &+ Int(location.offset)
        let first = Int(frame.pointee.tableStart) &+ Int(frame.pointee.variableCount)
        let end = Int(bytes.littleEndian(at: entry, as: UInt8.self))
        let start =
            location.offset == 0 ? first &+ allWidths : Int(bytes.littleEndian(at: entry &- 1, as: UInt8.self))
        guard first <= start, start <= end, end <= bytes.byteCount else { throw Self.isUnordered }
        return VariableField(
            range: Range(uncheckedBounds: (start, end)), isPlain: bit(location), isExternal: false)
    }

    /// The location of a variable field in a record whose offset table has entries of any width.
    private func variable(_ location: FieldLocation, flags: RecordFlags) throws -> VariableField {
        let shift = flags.entryShift
        let first = integerStart(flags)
        let next = Int(frame.pointee.tableStart) &+ (Int(location.offset) &+ 1) &<< shift
        let width = 8 &<< UInt64(truncatingIfNeeded: shift)
        // This entry and the one before it are the last of the 8 bytes that end here.
        let word = bytes.littleEndian(at: next &- 8, as: UInt64.self)
        let end = Int(truncatingIfNeeded: word &>> (64 &- width))
        let before = Int(truncatingIfNeeded: (word &>> (64 &- 2 &* width)) & ((1 &<< width) &- 1))
        let start = location.offset == 0 ? first &+ allWidths : before
        guard first <= start, start <= end, end <= bytes.byteCount else { throw Self.isUnordered }
        return VariableField(
            range: Range(uncheckedBounds: (start, end)), isPlain: bit(location),
            isExternal: flags.hasExternal && isExternal(location))
    }

    @inline(never)
    private func isExternal(_ location: FieldLocation) -> Bool {
        let byte = bytes.littleEndian(at: tableEnd(flags) &+ Int(location.offset) / 8, as: UInt8.self)
        return byte &>> UInt8(truncatingIfNeeded: location.offset % 8) & 1 != 0
    }

    /// Length and hash of the long value of an external field.
    func external(_ range: Range<Int>) throws -> (length: Int, hash: UInt64) {
        guard range.count == LongValue.keptByteCount,
            let length = Int(exactly: bytes.littleEndian(at: range.lowerBound, as: UInt64.self)),
            length > LongValue.threshold
        else { throw StorageError(.damagedRecord("a long value's length is not one")) }
        return (length, bytes.littleEndian(at: range.lowerBound &+ 8))
    }
}

/// Errors are made out of line: they would cost every access its registers and its stack.
extension RecordView {
    @inline(never)
    func unknown(_ slot: Int) -> any Error { layout.error(.unknownProperty, slot: slot) }

    @inline(never)
    func mismatch(_ expected: StaticString, slot: Int) -> any Error {
        layout.error(.typeMismatch(expected: "\(expected)", found: layout.fields[slot].type.description), slot: slot)
    }

    static var isShort: any Error {
        @inline(never) get { StorageError(.damagedRecord("it is shorter than its layout")) }
    }

    static var isOfAnotherLayout: any Error {
        @inline(never) get { StorageError(.damagedRecord("it is of another layout")) }
    }

    static var hasUnknownFlags: any Error {
        @inline(never) get { StorageError(.damagedRecord("it has unknown flags")) }
    }

    static var hasWrongLength: any Error {
        @inline(never) get { StorageError(.damagedRecord("its length is not that of its fields")) }
    }

    static var hasWrongWidth: any Error {
        @inline(never) get { StorageError(.damagedRecord("an integer has a wrong width")) }
    }

    static var isUnordered: any Error {
        @inline(never) get { StorageError(.damagedRecord("its offset table is not ascending")) }
    }
}
