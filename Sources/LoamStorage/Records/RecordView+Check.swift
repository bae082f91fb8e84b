extension RecordView {
    /// Checks that the record is as a writer would have left it. Reads everything once, O(bytes); the checksum is not
    /// verified.
    ///
    /// - Throws: `damagedRecord` at the first thing that no writer would have left: stray bits, a value in a nil
    ///   field, an integer or an offset table in more bytes than it needs, a wrong *plain* bit, a value that cannot
    ///   be decoded.
    package func checkInvariants() throws {
        let sections = layout.sections
        try checkUnused(
            bitsFrom: sections.bitCount, of: RecordSections.bitsStart..<sections.widthsStart, "its bits are too many")
        try checkUnused(
            bitsFrom: 4 * sections.integerCount, of: sections.widthsStart..<sections.wideStart,
            "its width table is too long")
        let tableBytes = sections.variableCount << flags.entryShift
        guard
            flags.entryShift
                == RecordFlags.entryShift(
                    beside: bytes.byteCount - tableBytes, variableCount: sections.variableCount)
        else { throw StorageError(.damagedRecord("its offset table is too wide")) }
        if flags.hasExternal {
            try checkUnused(
                bitsFrom: sections.variableCount, of: tableEnd(flags)..<integerStart(flags),
                "its external bits are too many")
        }
        var hasLongValues = false
        for slot in layout.fields.indices { hasLongValues = try checkField(slot) || hasLongValues }
        guard hasLongValues == flags.hasExternal else {
            throw StorageError(.damagedRecord("its flag for long values is wrong"))
        }
    }

    /// Throws unless the bits of some bytes from one on are 0.
    private func checkUnused(bitsFrom first: Int, of range: Range<Int>, _ what: String) throws {
        for bit in first..<max(first, 8 * range.count) {
            let byte = bytes.littleEndian(at: range.lowerBound + bit / 8, as: UInt8.self)
            guard byte >> UInt8(bit % 8) & 1 == 0 else { throw StorageError(.damagedRecord(what)) }
        }
    }

    /// Checks a field; returns whether it is a long value.
    private func checkField(_ slot: Int) throws -> Bool {
        let location = try location(slot)
        if location.kind.isVariable { return try checkVariable(slot, location: location) }
        if location.kind.isInteger { try checkWidth(slot, location: location) }
        guard isNull(location) else {
            _ = try value(slot)
            return false
        }
        var isEmpty = true
        switch location.kind {
        case .bool: isEmpty = !bit(location)
        case _ where location.kind.isInteger: isEmpty = try integer(location).width == 0
        default:
            for offset in wideRange(location) where bytes.littleEndian(at: offset, as: UInt8.self) != 0 {
                isEmpty = false
            }
        }
        guard isEmpty else { throw layout.error(.damagedRecord("a nil field has a value"), slot: slot) }
        return false
    }

    private func checkWidth(_ slot: Int, location: FieldLocation) throws {
        let least =
            try location.kind.isSigned ? IntegerWidths.least(signed(location)) : IntegerWidths.least(unsigned(location))
        guard try integer(location).width == least else {
            throw layout.error(.damagedRecord("an integer has more bytes than it needs"), slot: slot)
        }
    }

    /// Checks a variable field; returns whether it is a long value.
    private func checkVariable(_ slot: Int, location: FieldLocation) throws -> Bool {
        let field = try variable(location)
        if location.offset == 0, field.range.lowerBound != integerStart(flags) + allWidths {
            throw layout.error(.damagedRecord("bytes belong to no field"), slot: slot)
        }
        if isNull(location) {
            guard field.range.isEmpty, !field.isPlain, !field.isExternal else {
                throw layout.error(.damagedRecord("a nil field has a value"), slot: slot)
            }
            return false
        }
        if field.isExternal {
            _ = try external(field.range)
            return true
        }
        _ = try value(slot)
        let isPlain = bytes.extracting(unchecked: field.range).withUnsafeBytes(PlainText.isPlain)
        guard field.range.count <= LongValue.threshold, location.kind != .string || field.isPlain == isPlain else {
            throw layout.error(.damagedRecord("a field is marked wrongly as plain"), slot: slot)
        }
        return false
    }
}
