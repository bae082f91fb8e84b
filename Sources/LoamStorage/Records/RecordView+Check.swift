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
        let place = try place(slot)
        if place.kind.isVariable { return try checkVariable(slot, place: place) }
        if place.kind.isInteger { try checkWidth(slot, place: place) }
        guard isNull(place) else {
            _ = try value(slot)
            return false
        }
        var isEmpty = true
        switch place.kind {
        case .bool: isEmpty = !bit(place)
        case _ where place.kind.isInteger: isEmpty = try integer(place).width == 0
        default:
            for offset in wideRange(place) where bytes.littleEndian(at: offset, as: UInt8.self) != 0 { isEmpty = false }
        }
        guard isEmpty else { throw layout.error(.damagedRecord("a nil field has a value"), slot: slot) }
        return false
    }

    private func checkWidth(_ slot: Int, place: FieldPlace) throws {
        let least = try place.kind.isSigned ? IntegerWidths.least(signed(place)) : IntegerWidths.least(unsigned(place))
        guard try integer(place).width == least else {
            throw layout.error(.damagedRecord("an integer has more bytes than it needs"), slot: slot)
        }
    }

    /// Checks a variable field; returns whether it is a long value.
    private func checkVariable(_ slot: Int, place: FieldPlace) throws -> Bool {
        let field = try variable(place)
        if place.offset == 0, field.range.lowerBound != integerStart(flags) + allWidths {
            throw layout.error(.damagedRecord("bytes belong to no field"), slot: slot)
        }
        if isNull(place) {
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
        guard field.range.count <= LongValue.threshold, place.kind != .string || field.isPlain == isPlain else {
            throw layout.error(.damagedRecord("a field is marked wrongly as plain"), slot: slot)
        }
        return false
    }
}
