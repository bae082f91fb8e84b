/// Changes of one field in a record's bytes, for those who choose a reference or a position after the record was made.
extension RecordLayout {
    /// Sets a field of 64-bit integers in the bytes of a record of this layout, or makes it nil. Save number and
    /// checksum stay: the record has to be sealed anew.
    ///
    /// The record is as if it had been written with the value, so it may become longer or shorter. O(bytes), mostly
    /// moving them.
    ///
    /// - Parameter bits: the number, a signed one in two's complement.
    /// - Throws: `damagedRecord` when it is not a record of the layout; `missingValue` for nil where the field may not
    ///   be; `typeMismatch` when it is a field of another type.
    func setInteger(_ bits: UInt64?, at slot: Int, in record: inout [UInt8]) throws {
        guard fields.indices.contains(slot) else { throw error(.unknownProperty, slot: slot) }
        let location = locations[slot]
        guard location.kind == .int64 || location.kind == .uint64 else {
            throw error(.typeMismatch(expected: "a 64-bit integer", found: fields[slot].type.description), slot: slot)
        }
        guard bits != nil || location.isOptional else { throw error(.missingValue, slot: slot) }
        let number = bits ?? 0
        let width =
            location.kind.isSigned ? IntegerWidths.least(Int64(bitPattern: number)) : IntegerWidths.least(number)
        let spot = try spot(of: location, in: record.span.bytes)
        let growth = width - spot.width
        let beside = record.count + growth - variableCount << spot.entryShift
        guard RecordFlags.entryShift(beside: beside, variableCount: variableCount) == spot.entryShift else {
            return try rewrite(location.kind.isSigned, bits: bits, at: slot, in: &record)
        }
        resize(&record, at: spot.end, by: growth)
        record.withUnsafeMutableBytes { bytes in
            let start = spot.end - spot.width
            for byte in 0..<width { bytes[start + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte)) }
            let nilByte = Int(location.nilByte)
            bytes[nilByte] = bits == nil ? bytes[nilByte] | location.nilMask : bytes[nilByte] & ~location.nilMask
            let widthByte = sections.widthsStart + location.ordinal / 2
            let widthShift = UInt8(location.ordinal % 2 * 4)
            bytes[widthByte] = bytes[widthByte] & ~(15 << widthShift) | UInt8(width) << widthShift
            if growth != 0 { moveEnds(by: growth, entryShift: spot.entryShift, in: bytes) }
        }
    }

    /// Moves what lies behind an offset.
    private func resize(_ record: inout [UInt8], at offset: Int, by growth: Int) {
        let following = record.count - offset
        if growth > 0 { for _ in 0..<growth { record.append(0) } }
        if growth != 0 {
            record.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                (start + (offset + growth)).copyMemory(from: start + offset, byteCount: following)
            }
        }
        if growth < 0 { record.removeLast(-growth) }
    }

    private func spot(of location: FieldLocation, in record: RawSpan) throws -> (end: Int, width: Int, entryShift: Int)
    {
        let view = try RecordView(record, frame: frame)
        let (end, width) = try view.integer(location)
        return (end, width, view.flags.entryShift)
    }

    /// Adds to every end in the offset table; each still has room in its entry.
    private func moveEnds(by growth: Int, entryShift: Int, in record: UnsafeMutableRawBufferPointer) {
        switch entryShift {
        case 0: moveEnds(by: growth, in: record, as: UInt8.self)
        case 1: moveEnds(by: growth, in: record, as: UInt16.self)
        default: moveEnds(by: growth, in: record, as: UInt32.self)
        }
    }

    private func moveEnds<Entry: FixedWidthInteger & BitwiseCopyable>(
        by growth: Int, in record: UnsafeMutableRawBufferPointer, as type: Entry.Type
    ) {
        let size = MemoryLayout<Entry>.size
        for start in stride(from: sections.tableStart, to: sections.tableStart + variableCount * size, by: size) {
            let end: Entry = UnsafeRawBufferPointer(record).littleEndian(at: start)
            let moved = Entry(truncatingIfNeeded: Int(truncatingIfNeeded: end) &+ growth)
            record.store(littleEndian: moved, at: start)
        }
    }

    /// Sets an integer field by writing the record anew, where the entries of the offset table change their width.
    private func rewrite(_ isSigned: Bool, bits: UInt64?, at slot: Int, in record: inout [UInt8]) throws {
        var writer = RecordWriter(capacity: record.count + 64)
        try writer.begin(copying: RecordView(record.span.bytes, frame: frame))
        if let bits {
            if isSigned {
                try writer.set(int: Int64(bitPattern: bits), at: slot)
            } else {
                try writer.set(uint: bits, at: slot)
            }
        } else {
            try writer.setNull(at: slot)
        }
        var rewritten = try writer.finishUnsealed()
        for offset in RecordHeader.saveOffset..<RecordHeader.byteCount { rewritten[offset] = record[offset] }
        record = rewritten
    }
}
