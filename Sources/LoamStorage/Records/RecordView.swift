/// A record in memory that belongs to somebody else (a page of the store, a buffer), read through its layout.
///
///     let view = try RecordView(bytes, layout: layout)
///     if try !view.isNull(slot) { total += try view.int64(slot) }
///
/// Opening checks the layout's id and the total length; every access checks its slot and its bounds, in O(1), without
/// decoding other fields. Damaged bytes throw `damagedRecord` or give some value of the type, never trap: whether they
/// are the bytes that were written is for ``RecordHeader/verifyChecksum(record:rowID:entity:)``.
package struct RecordView: ~Escapable, BitwiseCopyable {
    package let bytes: RawSpan
    /// The frame of the layout that the view was opened with. It is not retained: the view depends on the layout's
    /// lifetime.
    let frame: UnsafeMutablePointer<RecordFrame>

    package var layout: RecordLayout { frame.pointee.layout.takeUnretainedValue() }

    /// Opens a record. A few nanoseconds. Throws `damagedRecord` when it is not one of this layout.
    @_lifetime(copy bytes, borrow layout)
    package init(_ bytes: RawSpan, layout: borrowing RecordLayout) throws {
        let view = try RecordView(bytes, frame: layout.frame)
        self = _overrideLifetime(view, copying: bytes)
    }

    /// Opens a record for a caller that holds the layout. Throws `damagedRecord` when it is not one of this layout.
    @_lifetime(copy bytes)
    @inline(__always)
    init(_ bytes: RawSpan, frame: UnsafeMutablePointer<RecordFrame>) throws {
        self.bytes = bytes
        self.frame = frame
        guard bytes.byteCount >= Int(frame.pointee.leastByteCount) else { throw Self.isShort }
        guard bytes.littleEndian(at: RecordHeader.layoutOffset) == frame.pointee.id else {
            throw Self.isOfAnotherLayout
        }
        let flags = flags
        guard flags.isValid else { throw Self.hasUnknownFlags }
        let start = integerStart(flags)
        guard start <= bytes.byteCount else { throw Self.isShort }
        if frame.pointee.variableCount > 0 {
            guard lastEntry(flags) == bytes.byteCount else { throw Self.hasWrongLength }
        } else {
            guard start &+ allWidths == bytes.byteCount else { throw Self.hasWrongLength }
        }
    }

    /// A record that was opened before and has not changed since: nothing is checked again.
    @_lifetime(copy bytes)
    @inline(__always)
    init(opened bytes: RawSpan, frame: UnsafeMutablePointer<RecordFrame>) {
        self.bytes = bytes
        self.frame = frame
    }

    /// The record's header, its flags checked. Throws `damagedRecord` where they are none.
    package var header: RecordHeader {
        get throws { try RecordHeader.read(bytes) }
    }

    /// The number of the save that last changed the record.
    package var save: UInt64 { RecordHeader.save(of: bytes) }

    package var hasLongValues: Bool { flags.hasExternal }

    // MARK: Fields

    /// Whether a field is nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have.
    package func isNull(_ slot: Int) throws -> Bool { isNull(try location(slot)) }

    /// A field, its variable bytes not decoded.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `damagedRecord` where its bytes cannot
    ///   be those of such a field.
    @_lifetime(copy self)
    package func field(_ slot: Int) throws -> RecordField {
        let location = try location(slot)
        if isNull(location) { return .null }
        if location.kind.isVariable {
            let field = try variable(location)
            if field.isExternal {
                let (length, hash) = try external(field.range)
                return .external(length: length, hash: hash)
            }
            return .inline(bytes.extracting(unchecked: field.range), isPlain: field.isPlain)
        }
        if location.kind.isWide { return .wide(bytes.extracting(unchecked: wideRange(location))) }
        if location.kind == .bool { return .bool(bit(location)) }
        return location.kind.isSigned ? .signed(try signed(location)) : .unsigned(try unsigned(location))
    }

    /// Whether a field is a string in ASCII without CR, in the record or outside.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have.
    package func isPlain(_ slot: Int) throws -> Bool {
        let location = try location(slot)
        return location.kind == .string && bit(location)
    }

    // MARK: Values that are not variable; those of a nil field are false and zero

    /// The value of a Bool field; false for nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` for a field of another
    ///   type.
    package func bool(_ slot: Int) throws -> Bool {
        let location = try location(slot)
        guard location.kind == .bool else { throw mismatch("bool", slot: slot) }
        return bit(location)
    }

    /// The value of a signed integer field of any width; 0 for nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` for a field of another
    ///   type, `damagedRecord` where its width is none that its type has.
    package func int64(_ slot: Int) throws -> Int64 {
        let location = try location(slot)
        guard location.kind.isSigned else { throw mismatch("a signed integer", slot: slot) }
        return try signed(location)
    }

    /// The value of an unsigned integer field of any width; 0 for nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` for a field of another
    ///   type, `damagedRecord` where its width is none that its type has.
    package func uint64(_ slot: Int) throws -> UInt64 {
        let location = try location(slot)
        guard location.kind.isInteger, !location.kind.isSigned else {
            throw mismatch("an unsigned integer", slot: slot)
        }
        return try unsigned(location)
    }

    /// The value of a Double field, or the seconds of a Date field; 0 for nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` for a field of another
    ///   type.
    package func double(_ slot: Int) throws -> Double {
        let location = try location(slot)
        guard location.kind == .double || location.kind == .date else { throw mismatch("double or date", slot: slot) }
        return Double(bitPattern: bytes.littleEndian(at: Int(location.offset)))
    }

    /// The value of a Float field; 0 for nil.
    ///
    /// - Throws: `unknownProperty` for a slot that the layout does not have, `typeMismatch` for a field of another
    ///   type.
    package func float(_ slot: Int) throws -> Float {
        let location = try location(slot)
        guard location.kind == .float else { throw mismatch("float", slot: slot) }
        return Float(bitPattern: bytes.littleEndian(at: Int(location.offset)))
    }

    // MARK: Fields that may be nil, with their location looked up once

    @inline(__always)
    func optionalBool(_ slot: Int) throws -> Bool? {
        let location = try location(slot)
        guard location.kind == .bool else { throw mismatch("bool", slot: slot) }
        return isNull(location) ? nil : bit(location)
    }

    /// A signed integer of any width.
    @inline(__always)
    func optionalInt64(_ slot: Int) throws -> Int64? {
        let location = try location(slot)
        guard location.kind.isSigned else { throw mismatch("a signed integer", slot: slot) }
        return isNull(location) ? nil : try signed(location)
    }

    /// An unsigned integer of any width.
    @inline(__always)
    func optionalUInt64(_ slot: Int) throws -> UInt64? {
        let location = try location(slot)
        guard location.kind.isInteger, !location.kind.isSigned else {
            throw mismatch("an unsigned integer", slot: slot)
        }
        return isNull(location) ? nil : try unsigned(location)
    }

    /// A Double, or a Date as its seconds.
    @inline(__always)
    func optionalDouble(_ slot: Int) throws -> Double? {
        let location = try location(slot)
        guard location.kind == .double || location.kind == .date else { throw mismatch("double or date", slot: slot) }
        return isNull(location) ? nil : Double(bitPattern: bytes.littleEndian(at: Int(location.offset)))
    }

    /// The UTF-8 of a string or URL that lies in the record; nil for a nil one and for a long value.
    @inline(__always)
    @_lifetime(copy self)
    func inlineText(_ slot: Int) throws -> RawSpan? {
        let location = try location(slot)
        guard !isNull(location) else { return nil }
        guard location.kind == .string || location.kind == .url else { throw mismatch("a string or URL", slot: slot) }
        let field = try variable(location)
        return field.isExternal ? nil : bytes.extracting(unchecked: field.range)
    }

    /// Tests the UTF-8 of a string or URL where it lies; `isPlain` says that it is ASCII without CR. False for a nil
    /// one; nil where it lies outside the record, and for a field of another type.
    @inline(__always)
    func text(
        _ slot: Int, matches body: (_ text: UnsafeRawBufferPointer, _ isPlain: Bool) throws -> Bool
    ) throws -> Bool? {
        let location = try location(slot)
        guard !isNull(location) else { return false }
        guard location.kind == .string || location.kind == .url else { return nil }
        let field = try variable(location)
        guard !field.isExternal else { return nil }
        return try bytes.extracting(unchecked: field.range).withUnsafeBytes { try body($0, field.isPlain) }
    }
}
