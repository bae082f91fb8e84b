package import Foundation

extension RecordWriter {
    // MARK: Fields that are not variable

    /// Makes a field nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have. That the field must not be nil is found
    ///   when the record is completed.
    package mutating func setNull(at slot: Int) throws {
        let place = try place(slot)
        if place.kind.isVariable {
            if Int(place.offset) < nextOrdinal {
                try write(UnsafeRawBufferPointer(start: nil, count: 0), slot: slot, place: place)
            }
        } else if place.kind.isInteger {
            storeInteger(0, width: 0, place: place)
        } else if place.kind.isWide {
            (base + Int(place.offset)).initializeMemory(as: UInt8.self, repeating: 0, count: Int(place.width))
        } else {
            set(false, mask: place.bitMask, inByte: Int(place.bitByte))
        }
        set(true, mask: place.nilMask, inByte: Int(place.nilByte))
    }

    /// Sets a Bool field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(bool value: Bool, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .bool else { throw mismatch("bool", slot: slot) }
        set(value, mask: place.bitMask, inByte: Int(place.bitByte))
        markPresent(place)
    }

    /// Sets a signed integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(int value: Int64, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind.holds(value) else { throw integerMismatch("int", place: place, slot: slot) }
        storeInteger(UInt64(bitPattern: value), width: IntegerWidths.least(value), place: place)
        markPresent(place)
    }

    /// Sets an unsigned integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(uint value: UInt64, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind.holds(value) else { throw integerMismatch("uint", place: place, slot: slot) }
        storeInteger(value, width: IntegerWidths.least(value), place: place)
        markPresent(place)
    }

    /// Sets a Double field, or a Date field by its seconds.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(double value: Double, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .double || place.kind == .date else { throw mismatch("double", slot: slot) }
        base.store(littleEndian: value.bitPattern, at: Int(place.offset))
        markPresent(place)
    }

    /// Sets a Float field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(float value: Float, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .float else { throw mismatch("float", slot: slot) }
        base.store(littleEndian: value.bitPattern, at: Int(place.offset))
        markPresent(place)
    }

    /// Sets a UUID field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(uuid value: UUID, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .uuid else { throw mismatch("uuid", slot: slot) }
        base.storeBytes(of: value.uuid, toByteOffset: Int(place.offset), as: uuid_t.self)
        markPresent(place)
    }

    // MARK: Variable fields

    /// Sets a string or URL field from UTF-8. Throws `typeMismatch` when the bytes are not UTF-8.
    package mutating func set(utf8 value: UnsafeRawBufferPointer, at slot: Int) throws {
        let isPlain = PlainText.isPlain(value)
        guard isPlain || PlainText.isUTF8(value) else { throw mismatch("bytes that are not UTF-8", slot: slot) }
        try set(text: value, isPlain: isPlain, at: slot)
    }

    /// Sets a string field, or a URL field by its absolute string.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(string value: String, at slot: Int) throws {
        var value = value
        try value.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            try set(text: text, isPlain: PlainText.isPlain(text), at: slot)
        }
    }

    /// Sets a Data field. More than ``LongValue/threshold`` bytes become a long value, as in every field of variable
    /// width.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(data value: UnsafeRawBufferPointer, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .data else { throw mismatch("data", slot: slot) }
        try write(value, slot: slot, place: place)
    }

    /// Sets a Decimal field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type, or where the number has no exact parts; the field stays as it was.
    package mutating func set(decimal value: Decimal, at slot: Int) throws {
        guard let parts = DecimalParts(value) else { throw mismatch("a decimal without exact parts", slot: slot) }
        try set(parts: parts, at: slot)
    }

    /// Sets a field from a value of its type (integers of either signedness that are in its range), or to nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the value, or a
    ///   member inside it, is of another type than declared or out of its range, `missingValue` for a member that
    ///   must not be nil, `valueTooDeep`; the field stays as it was.
    package mutating func set(value: Value, at slot: Int) throws {
        let place = try place(slot)
        if value.isNull { return try setNull(at: slot) }
        do {
            if place.kind.isComposite {
                try set(composite: value, slot: slot, place: place)
            } else {
                try set(scalar: Scalar(value, as: place.kind), at: slot)
            }
        } catch {
            throw layout?.naming(error, slot: slot) ?? error
        }
    }

    /// Copies a field from another record, also one of another layout, without decoding it; a long value as length and
    /// hash. Throws `typeMismatch` when the types differ. The other record must not lie in this writer.
    package mutating func copy(_ slot: Int, from other: borrowing RecordView, otherSlot: Int) throws {
        let place = try place(slot)
        let otherPlace = try other.place(otherSlot)
        guard place.kind == otherPlace.kind else {
            throw mismatch(other.layout.fields[otherSlot].type.description, slot: slot)
        }
        if other.isNull(otherPlace) { return try setNull(at: slot) }
        if place.kind.isVariable {
            let field = try other.variable(otherPlace)
            if field.isExternal { _ = try other.external(field.range) }
            return try other.bytes.withUnsafeBytes { bytes in
                try write(
                    UnsafeRawBufferPointer(rebasing: bytes[field.range]), isPlain: field.isPlain,
                    isExternal: field.isExternal, slot: slot, place: place)
            }
        }
        if place.kind.isInteger {
            let width = try other.integer(otherPlace).width
            storeInteger(try other.signedBits(otherPlace), width: width, place: place)
        } else if place.kind == .bool {
            set(other.bit(otherPlace), mask: place.bitMask, inByte: Int(place.bitByte))
        } else {
            let source = other.wideRange(otherPlace)
            let target = base + Int(place.offset)
            other.bytes.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    target.copyMemory(from: start + source.lowerBound, byteCount: source.count)
                }
            }
        }
        markPresent(place)
    }

    private mutating func set(composite value: Value, slot: Int, place: FieldPlace) throws {
        guard let layout else { return }
        try composite.encode(value, as: layout.fields[slot].type)
        let bytes = composite.bytes
        try bytes.withUnsafeBytes { try write($0, slot: slot, place: place) }
    }

    private mutating func set(scalar: Scalar, at slot: Int) throws {
        switch scalar {
        case .bool(let value): try set(bool: value, at: slot)
        case .int(let value): try set(int: value, at: slot)
        case .uint(let value): try set(uint: value, at: slot)
        case .float(let value): try set(float: value, at: slot)
        case .double(let value): try set(double: value, at: slot)
        case .uuid(let value): try set(uuid: value, at: slot)
        case .decimal(let parts): try set(parts: parts, at: slot)
        case .string(let value), .url(let value): try set(string: value, at: slot)
        case .data(let value): try value.withUnsafeBytes { try set(data: $0, at: slot) }
        }
    }

    private mutating func set(parts: DecimalParts, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .decimal else { throw mismatch("decimal", slot: slot) }
        try parts.withBytes { try write($0, slot: slot, place: place) }
    }

    private mutating func set(text: UnsafeRawBufferPointer, isPlain: Bool, at slot: Int) throws {
        let place = try place(slot)
        switch place.kind {
        case .string: try write(text, isPlain: isPlain, slot: slot, place: place)
        case .url: try write(text, slot: slot, place: place)
        default: throw mismatch("string", slot: slot)
        }
    }
}
