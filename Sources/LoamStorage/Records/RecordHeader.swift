/// The first bytes of every record.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 2 | id of the layout that the record was written with; the entity follows from it |
/// | 2 | 1 | ``RecordFlags`` |
/// | 3 | 6 | number of the save that last changed the record |
/// | 9 | 4 | checksum, see ``checksum(of:rowID:entity:)`` |
///
/// Little endian; the record's other parts are described at ``RecordLayout``.
package struct RecordHeader: Hashable, Sendable {
    package var layout: LayoutID
    var flags: RecordFlags
    package var save: UInt64
    package var checksum: UInt32

    /// The number of bytes of a header.
    package static var byteCount: Int { 13 }

    /// The last number that a save can have: its field has 48 bits.
    package static var maximumSave: UInt64 { 1 << 48 - 1 }

    static var layoutOffset: Int { 0 }
    static var flagsOffset: Int { 2 }
    static var saveOffset: Int { 3 }
    static var checksumOffset: Int { 9 }

    /// Reads a record's header. Throws when the bytes are too few or a flag is unknown; the checksum is not verified.
    package static func read(_ record: RawSpan) throws -> RecordHeader {
        guard record.byteCount >= byteCount else { throw StorageError(.damagedRecord("it is shorter than a header")) }
        let flags = RecordFlags(rawValue: record.littleEndian(at: flagsOffset))
        guard flags.isValid else { throw StorageError(.damagedRecord("it has unknown flags")) }
        return RecordHeader(
            layout: record.littleEndian(at: layoutOffset), flags: flags, save: save(of: record),
            checksum: record.littleEndian(at: checksumOffset))
    }

    /// The layout's id alone, with the checks of ``read(_:)``: what a scan asks of every record.
    @inline(__always)
    static func layout(of record: RawSpan) throws -> LayoutID {
        guard record.byteCount >= byteCount,
            RecordFlags(rawValue: record.littleEndian(at: flagsOffset)).isValid
        else { return try read(record).layout }
        return record.littleEndian(at: layoutOffset)
    }

    /// The save's number in a record of at least ``byteCount`` bytes.
    @inline(__always)
    static func save(of record: RawSpan) -> UInt64 {
        record.littleEndian(at: saveOffset, as: UInt64.self) & maximumSave
    }

    /// Throws `damagedRecord` unless the record's checksum fits its bytes, its row and its entity. O(bytes), see
    /// ``Checksum``.
    package static func verifyChecksum(record: RawSpan, rowID: RowID, entity: EntityID) throws {
        _ = try layout(of: record)
        let sum = record.withUnsafeBytes { checksum(of: $0, rowID: rowID, entity: entity) }
        guard sum == record.littleEndian(at: checksumOffset) else { throw wrongChecksum(rowID) }
    }

    @inline(never)
    private static func wrongChecksum(_ rowID: RowID) -> any Error {
        StorageError(.damagedRecord("its checksum is wrong"), rowID: rowID)
    }

    /// Writes the save's number and then the checksum into a complete record. Throws when it is shorter than a header,
    /// and `noMoreSaves` for a number above ``maximumSave``.
    package static func seal(
        _ record: UnsafeMutableRawBufferPointer, save: UInt64, rowID: RowID, entity: EntityID
    ) throws {
        guard record.count >= byteCount else { throw StorageError(.damagedRecord("it is shorter than a header")) }
        guard save <= maximumSave else { throw StorageError(.noMoreSaves) }
        record.store(littleEndian: UInt32(truncatingIfNeeded: save), at: saveOffset)
        record.store(littleEndian: UInt16(truncatingIfNeeded: save >> 32), at: saveOffset + 4)
        let sum = checksum(of: UnsafeRawBufferPointer(record), rowID: rowID, entity: entity)
        record.store(littleEndian: sum, at: checksumOffset)
    }

    /// Writes the save's number and then the checksum into a complete record. O(bytes).
    ///
    /// - Throws: `damagedRecord` for bytes shorter than a header, `noMoreSaves` for a number above ``maximumSave``;
    ///   the bytes are then as they were.
    package static func seal(_ record: inout [UInt8], save: UInt64, rowID: RowID, entity: EntityID) throws {
        try record.withUnsafeMutableBytes { try seal($0, save: save, rowID: rowID, entity: entity) }
    }

    /// The checksum that belongs into a record of at least ``byteCount`` bytes: the low half of
    /// ``Checksum/hash64(_:seed:)-(UnsafeRawBufferPointer,_)`` of what follows the header. Its seed is made from the
    /// row id, the 8 bytes at 0, and the byte at 8 before the entity, by ``Checksum/combine(_:word:)``.
    @inline(__always)
    private static func checksum(of record: UnsafeRawBufferPointer, rowID: RowID, entity: EntityID) -> UInt32 {
        guard let start = record.baseAddress else { return 0 }
        let first = start.littleEndian(at: 0, as: UInt64.self)
        let second = UInt64(start.load(fromByteOffset: 8, as: UInt8.self)) << 32 | UInt64(entity)
        let seed = Checksum.combine(Checksum.combine(rowID, word: first), word: second)
        let rest = UnsafeRawBufferPointer(start: start + byteCount, count: record.count &- byteCount)
        return UInt32(truncatingIfNeeded: Checksum.hash64(rest, seed: seed))
    }
}

/// The third byte of a record.
struct RecordFlags: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// Bits 0 and 1: an entry of the offset table has 1 << these bytes, the least that hold the record's length; 3 is
    /// damage. Bit 2: a field is external. All others are 0.
    var rawValue: UInt8

    static var external: UInt8 { 4 }

    /// Entries of one byte, and no external field.
    static var plain: RecordFlags { RecordFlags(rawValue: 0) }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(entryShift: Int, hasExternal: Bool) {
        rawValue = UInt8(truncatingIfNeeded: entryShift) | (hasExternal ? Self.external : 0)
    }

    var isValid: Bool { rawValue < 8 && rawValue & 3 != 3 }
    var entryShift: Int { Int(rawValue & 3) }
    var hasExternal: Bool { rawValue & Self.external != 0 }

    /// The shift for a record that has this many bytes beside its offset table.
    static func entryShift(beside byteCount: Int, variableCount: Int) -> Int {
        if byteCount &+ variableCount <= 0xFF { return 0 }
        return byteCount &+ 2 &* variableCount <= 0xFFFF ? 1 : 2
    }
}
