extension RecordView {
    /// Reads everything once and throws `damagedRecord` at the first thing that no writer would have left: stray bits
    /// in the null bitmap, bytes in a nil field, a wrong *plain* flag, a value that cannot be decoded. Checksum
    /// excluded. O(bytes).
    package func checkInvariants() throws {
        let header = try header
        let slots = layout.fields.count
        if slots % 8 != 0 {
            let last = bytes.littleEndian(at: RecordHeader.byteCount + slots / 8, as: UInt8.self)
            guard last >> UInt8(slots % 8) == 0 else {
                throw StorageError(.damagedRecord("its null bitmap is too long"))
            }
        }
        var hasLongValues = false
        for slot in 0..<slots {
            let place = try place(slot)
            if place.isFixed {
                try checkFixed(slot, place)
            } else if try checkVariable(slot, place) {
                hasLongValues = true
            }
        }
        guard hasLongValues == (header.flags & RecordHeader.hasLongValues != 0) else {
            throw StorageError(.damagedRecord("its flag for long values is wrong"))
        }
    }

    private func checkFixed(_ slot: Int, _ place: FieldPlace) throws {
        guard try isNull(slot, place) else {
            _ = try value(slot)
            return
        }
        for offset in fixedRange(place) where bytes.littleEndian(at: offset, as: UInt8.self) != 0 {
            throw layout.error(.damagedRecord("a nil field has a value"), slot: slot)
        }
    }

    /// Checks a variable field; returns whether it is a long value.
    private func checkVariable(_ slot: Int, _ place: FieldPlace) throws -> Bool {
        let (range, entry) = try variable(place)
        if try isNull(slot, place) {
            guard range.isEmpty, entry.flags == 0 else {
                throw layout.error(.damagedRecord("a nil field has a value"), slot: slot)
            }
            return false
        }
        guard !entry.isPlain || place.kind == .string else {
            throw layout.error(.damagedRecord("a field is marked wrongly as plain"), slot: slot)
        }
        if entry.isExternal {
            _ = try external(range)
            return true
        }
        _ = try value(slot)
        let isPlain = bytes.extracting(unchecked: range).withUnsafeBytes(PlainText.isPlain)
        guard range.count <= LongValue.threshold, place.kind != .string || entry.isPlain == isPlain else {
            throw layout.error(.damagedRecord("a field is marked wrongly as plain"), slot: slot)
        }
        return false
    }
}
