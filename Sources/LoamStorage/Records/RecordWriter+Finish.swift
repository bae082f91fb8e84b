/// How the parts of a record become its bytes. What lies before the variable fields is put there back to front.
extension RecordWriter {
    /// Completes the record and seals it. The span is valid until the writer is changed. O(bytes). Throws
    /// `missingValue` naming the first field that is nil and may not be.
    @_lifetime(&self)
    package mutating func finish(save: UInt64, rowID: RowID) throws -> RawSpan {
        let bytes = try sealed(save: save, rowID: rowID)
        return _overrideLifetime(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)), mutating: &self)
    }

    /// Completes the record with save number and checksum 0 and replaces an array's bytes by it, see
    /// ``RecordHeader/seal(_:save:rowID:entity:)-(Array<UInt8>,_,_,_)``.
    mutating func finish(into record: inout [UInt8]) throws {
        let bytes = try complete()
        record.removeAll(keepingCapacity: true)
        record.append(contentsOf: bytes)
    }

    /// The completed record with save number and checksum 0.
    mutating func finishUnsealed() throws -> [UInt8] { Array(try complete()) }

    /// Completes and seals the record and appends its bytes to an array.
    mutating func finish(save: UInt64, rowID: RowID, appendingTo bytes: inout [UInt8]) throws {
        bytes.append(contentsOf: try sealed(save: save, rowID: rowID))
    }

    private mutating func sealed(save: UInt64, rowID: RowID) throws -> UnsafeMutableRawBufferPointer {
        let bytes = try complete()
        try RecordHeader.seal(bytes, save: save, rowID: rowID, entity: entity)
        return bytes
    }

    /// The record as it stands, in the room before the variable fields. Without a layout there is none.
    private mutating func complete() throws -> UnsafeMutableRawBufferPointer {
        let parts = parts
        guard room > 0 else { throw StorageError(.damagedRecord("no layout was chosen")) }
        for word in 0..<parts.unsetWords {
            let unset = base.load(fromByteOffset: 8 &* word, as: UInt64.self)
            if unset != 0 { throw missing(word * 64 + UInt64(littleEndian: unset).trailingZeroBitCount) }
        }
        fillEnds(upTo: parts.variableCount)
        let integerByteCount = integerByteCount
        var start = room &- integerByteCount
        (base + start).copyMemory(from: base + parts.integersAt, byteCount: integerByteCount)
        let hasExternal = mayHaveExternal && (0..<parts.variableCount).contains { isExternal($0) }
        if hasExternal {
            start &-= parts.externalByteCount
            putExternalBits(at: start)
        }
        let beside = parts.headCount &+ (room &- start) &+ count
        let shift = RecordFlags.entryShift(beside: beside, variableCount: parts.variableCount)
        start &-= parts.variableCount &<< shift
        let variableStart = parts.headCount &+ (room &- start)
        putOffsets(at: start, shift: shift, after: variableStart)
        start &-= parts.headCount
        (base + start).copyMemory(from: base + parts.headAt, byteCount: parts.headCount)
        let flags = RecordFlags(entryShift: shift, hasExternal: hasExternal)
        base.storeBytes(of: flags.rawValue, toByteOffset: start &+ RecordHeader.flagsOffset, as: UInt8.self)
        return UnsafeMutableRawBufferPointer(start: base + start, count: variableStart &+ count)
    }

    @inline(never)
    private mutating func missing(_ slot: Int) -> any Error {
        layout?.error(.missingValue, slot: slot) ?? StorageError(.missingValue)
    }

    private mutating func putExternalBits(at start: Int) {
        for byte in 0..<parts.externalByteCount {
            var bits: UInt8 = 0
            for bit in 0..<min(8, parts.variableCount - byte * 8) where isExternal(byte * 8 + bit) {
                bits |= 1 << UInt8(bit)
            }
            base.storeBytes(of: bits, toByteOffset: start + byte, as: UInt8.self)
        }
    }

    @inline(__always)
    private mutating func putOffsets(at start: Int, shift: Int, after variableStart: Int) {
        switch shift {
        case 0: putOffsets(at: start, after: variableStart, as: UInt8.self)
        case 1: putOffsets(at: start, after: variableStart, as: UInt16.self)
        default: putOffsets(at: start, after: variableStart, as: UInt32.self)
        }
    }

    @inline(__always)
    private mutating func putOffsets<Entry: FixedWidthInteger & BitwiseCopyable>(
        at start: Int, after variableStart: Int, as type: Entry.Type
    ) {
        for ordinal in 0..<parts.variableCount {
            let end = Entry(truncatingIfNeeded: variableStart &+ end(ordinal))
            let at = start &+ ordinal &* MemoryLayout<Entry>.size
            base.store(littleEndian: end, at: at)
        }
    }
}
