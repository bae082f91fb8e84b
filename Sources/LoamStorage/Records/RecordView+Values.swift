import Foundation

extension RecordView {
    /// The value of a field, decoded. Cost: the field's bytes. Throws `damagedRecord`, and `longValueNotLoaded` for a
    /// long value, which the caller loads and gives to ``decode(_:as:)``.
    package func value(_ slot: Int) throws -> Value {
        let location = try location(slot)
        if isNull(location) { return .null }
        switch location.kind {
        case .bool: return .bool(bit(location))
        case .int8, .int16, .int32, .int64: return .int(try signed(location))
        case .uint8, .uint16, .uint32, .uint64: return .uint(try unsigned(location))
        case .float: return .float(try float(slot))
        case .double: return .double(try double(slot))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: try double(slot)))
        case .uuid: return .uuid(FieldDecoding.uuid(bytes.extracting(unchecked: wideRange(location))))
        default:
            let field = try variable(location)
            guard !field.isExternal else { throw layout.error(.longValueNotLoaded, slot: slot) }
            do {
                return try FieldDecoding.value(bytes.extracting(unchecked: field.range), kind: location.kind)
            } catch {
                throw layout.naming(error, slot: slot)
            }
        }
    }

    /// All values in slot order. O(bytes).
    ///
    /// - Throws: `damagedRecord`, and `longValueNotLoaded` where one of the values is a long one.
    package func values() throws -> [Value] {
        try layout.fields.indices.map { try value($0) }
    }

    /// The value at the end of a path of member names inside a structure (or of string keys inside a dictionary),
    /// without decoding what lies beside it. Null when a member on the way is absent or nil. O(members on the way).
    /// Throws `typeMismatch` where the path leads through another kind of value, else as ``value(_:)``.
    package func nestedValue(_ slot: Int, path: [String]) throws -> Value {
        guard !path.isEmpty else { return try value(slot) }
        let location = try location(slot)
        if isNull(location) { return .null }
        guard location.kind.isComposite else {
            let type = layout.fields[slot].type.description
            throw layout.error(.typeMismatch(expected: "structure", found: type), slot: slot)
        }
        let field = try variable(location)
        guard !field.isExternal else { throw layout.error(.longValueNotLoaded, slot: slot) }
        do {
            let content = bytes.extracting(unchecked: field.range)
            try location.kind.checkTag(of: content)
            return try Self.nestedValue(in: content, path: path)
        } catch {
            throw layout.naming(error, slot: slot)
        }
    }

    /// ``nestedValue(_:path:)`` in the bytes of a composite value, a long one too.
    ///
    /// - Throws: `typeMismatch` where the path leads through a value without members, `damagedRecord` where the bytes
    ///   are no composite value.
    package static func nestedValue(in composite: RawSpan, path: [String]) throws -> Value {
        guard let range = try CompositeReader.find(path, in: composite) else { return .null }
        return try CompositeReader.decode(composite.extracting(unchecked: range))
    }

    /// The bytes of a composite value (array, dictionary or structure), decoded.
    ///
    /// - Throws: `damagedRecord` where the bytes are none.
    package static func decodeComposite(_ bytes: RawSpan) throws -> Value {
        try CompositeReader.decode(bytes)
    }

    /// Appends the UTF-8 of a string that stands where a composite value may, as ``decodeComposite(_:)`` reads it.
    ///
    /// - Returns: whether it is ASCII without CR; nil, and nothing is appended, for any other value.
    package static func appendText(of composite: RawSpan, to text: inout [UInt8]) throws -> Bool? {
        try CompositeReader.appendText(of: composite, to: &text)
    }

    /// A long value's bytes decoded as a value of the field's type, which has variable width.
    ///
    /// - Throws: `typeMismatch` for a type of fixed width, which is never kept outside of a record; `damagedRecord`
    ///   where the bytes are no value of the type.
    package static func decode(_ bytes: RawSpan, as type: ValueType) throws -> Value {
        guard type.fixedWidth == nil else {
            throw StorageError(.typeMismatch(expected: "a type of variable width", found: type.description))
        }
        return try FieldDecoding.value(bytes, kind: FieldKind(type))
    }
}

extension RecordView {
    /// Whether two fields have the same bytes: both nil, or the same type of content byte for byte (long values: the
    /// same length and hash). What decides whether a save conflicts with another. O(bytes of the field).
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have of its record, `damagedRecord` where one
    ///   of the fields has impossible bounds.
    package func fieldBytesEqual(_ slot: Int, other: borrowing RecordView, otherSlot: Int) throws -> Bool {
        let location = try location(slot)
        let otherLocation = try other.location(otherSlot)
        let isNull = isNull(location)
        guard isNull == other.isNull(otherLocation) else { return false }
        if isNull { return true }
        guard location.kind == otherLocation.kind else { return false }
        if location.kind.isVariable {
            let (field, otherField) = (try variable(location), try other.variable(otherLocation))
            return field.isPlain == otherField.isPlain && field.isExternal == otherField.isExternal
                && Self.equal(bytes, range: field.range, right: other.bytes, other: otherField.range)
        }
        if location.kind.isWide {
            return Self.equal(
                bytes, range: wideRange(location), right: other.bytes, other: other.wideRange(otherLocation))
        }
        if location.kind == .bool { return bit(location) == other.bit(otherLocation) }
        return try signedBits(location) == other.signedBits(otherLocation)
    }

    /// The bits of an integer of either signedness, extended to 64.
    func signedBits(_ location: FieldLocation) throws -> UInt64 {
        location.kind.isSigned ? UInt64(bitPattern: try signed(location)) : try unsigned(location)
    }

    private static func equal(_ left: RawSpan, range: Range<Int>, right: RawSpan, other: Range<Int>) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                left[range].elementsEqual(right[other])
            }
        }
    }
}
