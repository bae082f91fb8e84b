/// The first bytes of every record.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | checksum: ``Checksum/hash64(_:seed:)-(UnsafeRawBufferPointer,_)`` of every byte after it, seed = row id |
/// | 8 | 4 | id of the layout that the record was written with |
/// | 12 | 4 | id of the concrete entity |
/// | 16 | 8 | number of the save that last changed the record |
/// | 24 | 2 | flags: bit 0 = a field's bytes lie in the table of long values; all others are 0 |
///
/// Little endian; the record's other parts are described at ``RecordLayout``.
package struct RecordHeader: Hashable, Sendable {
    package var layout: LayoutID
    package var entity: EntityID
    package var flags: UInt16
    package var save: UInt64
    package var checksum: UInt64

    /// Bytes of a header.
    package static var byteCount: Int { 26 }

    /// The flag of a record with at least one long value.
    package static var hasLongValues: UInt16 { 1 }

    static var checksumOffset: Int { 0 }
    static var layoutOffset: Int { 8 }
    static var entityOffset: Int { 12 }
    static var saveOffset: Int { 16 }
    static var flagsOffset: Int { 24 }

    /// Reads a record's header. Throws when the bytes are too few or a flag is unknown; the checksum is not verified.
    package static func read(_ record: RawSpan) throws -> RecordHeader {
        guard record.byteCount >= byteCount else { throw StorageError(.damagedRecord("it is shorter than a header")) }
        let header = RecordHeader(
            layout: record.littleEndian(at: layoutOffset), entity: record.littleEndian(at: entityOffset),
            flags: record.littleEndian(at: flagsOffset), save: record.littleEndian(at: saveOffset),
            checksum: record.littleEndian(at: checksumOffset))
        guard header.flags & ~hasLongValues == 0 else { throw StorageError(.damagedRecord("it has unknown flags")) }
        return header
    }

    /// The layout's id alone, with the checks of ``read(_:)``: what a scan asks of every record.
    @inline(__always)
    static func layout(of record: RawSpan) throws -> LayoutID {
        guard record.byteCount >= byteCount,
            record.littleEndian(at: flagsOffset, as: UInt16.self) & ~hasLongValues == 0
        else { return try read(record).layout }
        return record.littleEndian(at: layoutOffset)
    }

    /// Throws `damagedRecord` unless the record's checksum fits its bytes and this row. O(bytes), see ``Checksum``.
    package static func verifyChecksum(record: RawSpan, rowID: RowID) throws {
        let header = try read(record)
        guard record.withUnsafeBytes({ checksum(of: $0, rowID: rowID) }) == header.checksum else {
            throw StorageError(.damagedRecord("its checksum is wrong"), rowID: rowID)
        }
    }

    /// Writes the save's number and then the checksum into a complete record. Throws when it is shorter than a header.
    package static func seal(_ record: UnsafeMutableRawBufferPointer, save: UInt64, rowID: RowID) throws {
        guard record.count >= byteCount else { throw StorageError(.damagedRecord("it is shorter than a header")) }
        record.storeBytes(of: save.littleEndian, toByteOffset: saveOffset, as: UInt64.self)
        let sum = checksum(of: UnsafeRawBufferPointer(record), rowID: rowID)
        record.storeBytes(of: sum.littleEndian, toByteOffset: checksumOffset, as: UInt64.self)
    }

    /// Writes the save's number and then the checksum into a complete record. Throws when it is shorter than a header.
    package static func seal(_ record: inout [UInt8], save: UInt64, rowID: RowID) throws {
        try record.withUnsafeMutableBytes { try seal($0, save: save, rowID: rowID) }
    }

    /// The checksum that belongs into a record of at least ``byteCount`` bytes.
    private static func checksum(of record: UnsafeRawBufferPointer, rowID: RowID) -> UInt64 {
        Checksum.hash64(UnsafeRawBufferPointer(rebasing: record[layoutOffset...]), seed: rowID)
    }
}

extension RawSpan {
    /// A little-endian integer at an offset that the caller has checked: `offset + size <= byteCount`.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    )
        -> Number
    {
        Number(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Number.self))
    }
}
