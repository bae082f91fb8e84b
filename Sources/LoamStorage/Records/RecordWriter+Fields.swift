package import Foundation

extension RecordWriter {
    // MARK: Fields that are not variable

    /// Makes a field nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have. That the field must not be nil is found
    ///   when the record is completed.
    package mutating func setNull(at slot: Int) throws {
        let location = try location(slot)
        if location.kind.isVariable {
            if Int(location.offset) < nextOrdinal {
                try write(UnsafeRawBufferPointer(start: nil, count: 0), slot: slot, location: location)
            }
        } else if location.kind.isInteger {
            storeInteger(0, width: 0, location: location)
        } else if location.kind.isWide {
            (base + Int(location.offset)).initializeMemory(as: UInt8.self, repeating: 0, count: Int(location.width))
        } else {
            set(false, mask: location.bitMask, inByte: Int(location.bitByte))
        }
        set(true, mask: location.nilMask, inByte: Int(location.nilByte))
    }

    /// Sets a Bool field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(bool value: Bool, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind == .bool else { throw mismatch("bool", slot: slot) }
        set(value, mask: location.bitMask, inByte: Int(location.bitByte))
        markPresent(location)
    }

    /// Sets a signed integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(int value: Int64, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind.holds(value) else { throw integerMismatch("int", location: location, slot: slot) }
        storeInteger(UInt64(bitPattern: value), width: IntegerWidths.least(value), location: location)
        markPresent(location)
    }

    /// Sets an unsigned integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(uint value: UInt64, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind.holds(value) else { throw integerMismatch("uint", location: location, slot: slot) }
        storeInteger(value, width: IntegerWidths.least(value), location: location)
        markPresent(location)
    }

    /// Sets a Double field, or a Date field by its seconds.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(double value: Double, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind == .double || location.kind == .date else { throw mismatch("double", slot: slot) }
        base.store(littleEndian: value.bitPattern, at: Int(location.offset))
        markPresent(location)
    }

    /// Sets a Float field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(float value: Float, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind == .float else { throw mismatch("float", slot: slot) }
        base.store(littleEndian: value.bitPattern, at: Int(location.offset))
        markPresent(location)
    }

    /// Sets a UUID field.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` where the field is of
    ///   another type; the field stays as it was.
    package mutating func set(uuid value: UUID, at slot: Int) throws {
        let location = try location(slot)
        guard location.kind == .uuid else { throw mismatch("uuid", slot: slot) }
        base.storeBytes(of: value.uuid, toByteOffset: Int(location.offset), as: uuid_t.self)
        markPresent(location)
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
        let location = try location(slot)
        guard location.kind == .data else { throw mismatch("data", slot: slot) }
        try write(value, slot: slot, location: location)
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
        let location = try location(slot)
        if value.isNull { return try setNull(at: slot) }
        do {
            if location.kind.isComposite {
                try set(composite: value, slot: slot, location: location)
            } else {
                try set(scalar: Scalar(value, as: location.kind), at: slot)
            }
        } catch {
            throw layout?.naming(error, slot: slot) ?? error
        }
    }

    /// Copies a field from another record, also one of another layout, without decoding it; a long value as length and
    /// hash. Throws `typeMismatch` when the types differ. The other record must not lie in this writer.
    package mutating func copy(_ slot: Int, from other: borrowing RecordView, otherSlot: Int) throws {
        let location = try location(slot)
        let otherLocation = try other.location(otherSlot)
        guard location.kind == otherLocation.kind else {
            throw mismatch(other.layout.fields[otherSlot].type.description, slot: slot)
        }
        if other.isNull(otherLocation) { return try setNull(at: slot) }
        if location.kind.isVariable {
            let field = try other.variable(otherLocation)
            if field.isExternal { _ = try other.external(field.range) }
            return try other.bytes.withUnsafeBytes { bytes in
                try write(
                    UnsafeRawBufferPointer(rebasing: bytes[field.range]), isPlain: field.isPlain,
                    isExternal: field.isExternal, slot: slot, location: location)
            }
        }
        if location.kind.isInteger {
            let width = try other.integer(otherLocation).width
            storeInteger(try other.signedBits(otherLocation), width: width, location: location)
        } else if location.kind == .bool {
            set(other.bit(otherLocation), mask: location.bitMask, inByte: Int(location.bitByte))
        } else {
            let source = other.wideRange(otherLocation)
            let target = base + Int(location.offset)
            other.bytes.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    target.copyMemory(from: start + source.lowerBound, byteCount: source.count)
                }
            }
        }
        markPresent(location)
    }

    private mutating func set(composite value: Value, slot: Int, location: FieldLocation) throws {
        guard let layout else { return }
        try composite.encode(value, as: layout.fields[slot].type)
        let bytes = composite.bytes
        try bytes.withUnsafeBytes { try write($0, slot: slot, location: location) }
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
        let location = try location(slot)
        guard location.kind == .decimal else { throw mismatch("decimal", slot: slot) }
        try parts.withBytes { try write($0, slot: slot, location: location) }
    }

    private mutating func set(text: UnsafeRawBufferPointer, isPlain: Bool, at slot: Int) throws {
        let location = try location(slot)
        switch location.kind {
        case .string: try write(text, isPlain: isPlain, slot: slot, location: location)
        case .url: try write(text, slot: slot, location: location)
        default: throw mismatch("string", slot: slot)
        }
    }
}
