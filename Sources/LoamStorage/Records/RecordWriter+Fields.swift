package import Foundation

extension RecordWriter {
    // MARK: Fixed-width fields

    /// Makes a field nil.
    package mutating func setNull(at slot: Int) throws {
        let place = try place(slot)
        if place.isFixed {
            base.advanced(by: Int(place.offset)).initializeMemory(
                as: UInt8.self, repeating: 0, count: Int(place.width))
        } else if Int(place.offset) < nextOrdinal {
            try write(UnsafeRawBufferPointer(start: nil, count: 0), flags: 0, slot, place)
        }
        let byte = RecordHeader.byteCount &+ slot / 8
        let bits = base.load(fromByteOffset: byte, as: UInt8.self) | 1 << UInt8(truncatingIfNeeded: slot % 8)
        base.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
    }

    package mutating func set(bool value: Bool, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .bool else { throw mismatch("bool", slot) }
        store(UInt8(value ? 1 : 0), slot, place)
    }

    /// Sets a signed integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(int value: Int64, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind.holds(value) else { throw integerMismatch("int", place, slot) }
        storeInteger(UInt64(bitPattern: value), slot, place)
    }

    /// Sets an unsigned integer field of any width. Throws `typeMismatch` when the number is out of its range.
    package mutating func set(uint value: UInt64, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind.holds(value) else { throw integerMismatch("uint", place, slot) }
        storeInteger(value, slot, place)
    }

    /// Sets a Double field, or a Date field by its seconds.
    package mutating func set(double value: Double, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .double || place.kind == .date else { throw mismatch("double", slot) }
        store(value.bitPattern, slot, place)
    }

    package mutating func set(float value: Float, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .float else { throw mismatch("float", slot) }
        store(value.bitPattern, slot, place)
    }

    package mutating func set(uuid value: UUID, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .uuid else { throw mismatch("uuid", slot) }
        markPresent(slot)
        base.storeBytes(of: value.uuid, toByteOffset: Int(place.offset), as: uuid_t.self)
    }

    // MARK: Variable fields

    /// Sets a string or URL field from UTF-8. Throws `typeMismatch` when the bytes are not UTF-8.
    package mutating func set(utf8 value: UnsafeRawBufferPointer, at slot: Int) throws {
        let isPlain = PlainText.isPlain(value)
        guard isPlain || PlainText.isUTF8(value) else { throw mismatch("bytes that are not UTF-8", slot) }
        try set(text: value, isPlain: isPlain, at: slot)
    }

    /// Sets a string field, or a URL field by its absolute string.
    package mutating func set(string value: String, at slot: Int) throws {
        var value = value
        try value.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            try set(text: text, isPlain: PlainText.isPlain(text), at: slot)
        }
    }

    package mutating func set(data value: UnsafeRawBufferPointer, at slot: Int) throws {
        let place = try place(slot)
        guard place.kind == .data else { throw mismatch("data", slot) }
        try write(value, flags: 0, slot, place)
    }

    package mutating func set(decimal value: Decimal, at slot: Int) throws {
        guard let parts = DecimalParts(value) else { throw mismatch("a decimal without exact parts", slot) }
        try set(parts: parts, at: slot)
    }

    /// Sets a field from a value of its type (integers of either signedness that are in its range), or to nil.
    package mutating func set(value: Value, at slot: Int) throws {
        let place = try place(slot)
        if value.isNull { return try setNull(at: slot) }
        do {
            if place.kind.isComposite {
                try set(composite: value, slot, place)
            } else {
                try set(scalar: Scalar(value, as: place.kind), at: slot)
            }
        } catch {
            throw layout?.naming(error, slot: slot) ?? error
        }
    }

    /// Copies a field from another record, also one of another layout, without decoding it; a long value as length and
    /// hash. Throws `typeMismatch` when the types differ. The other record must not lie in this writer.
    package mutating func copy(_ slot: Int, from other: borrowing RecordView, _ otherSlot: Int) throws {
        let place = try place(slot)
        let otherPlace = try other.place(otherSlot)
        guard place.kind == otherPlace.kind else {
            throw mismatch(other.layout.fields[otherSlot].type.description, slot)
        }
        if try other.isNull(otherSlot, otherPlace) { return try setNull(at: slot) }
        if place.isFixed {
            markPresent(slot)
            let source = other.fixedRange(otherPlace)
            let target = base + Int(place.offset)
            other.bytes.withUnsafeBytes { bytes in
                target.copyMemory(
                    from: bytes.baseAddress.map { $0 + source.lowerBound } ?? UnsafeRawPointer(target),
                    byteCount: source.count)
            }
        } else {
            let (range, entry) = try other.variable(otherPlace)
            if entry.isExternal { _ = try other.external(range) }
            try other.bytes.withUnsafeBytes { bytes in
                try write(
                    UnsafeRawBufferPointer(rebasing: bytes[range]), flags: entry.flags, slot, place)
            }
        }
    }

    private mutating func set(composite value: Value, _ slot: Int, _ place: FieldPlace) throws {
        guard let layout else { return }
        try composite.encode(value, as: layout.fields[slot].type)
        let bytes = composite.bytes
        try bytes.withUnsafeBytes { try write($0, flags: 0, slot, place) }
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
        guard place.kind == .decimal else { throw mismatch("decimal", slot) }
        try parts.withBytes { try write($0, flags: 0, slot, place) }
    }

    private mutating func set(text: UnsafeRawBufferPointer, isPlain: Bool, at slot: Int) throws {
        let place = try place(slot)
        switch place.kind {
        case .string: try write(text, flags: isPlain ? VariableEntry.plain : 0, slot, place)
        case .url: try write(text, flags: 0, slot, place)
        default: throw mismatch("string", slot)
        }
    }
}
