/// A record in memory that belongs to somebody else (a page of the store, a buffer), read through its layout.
///
///     let view = try RecordView(bytes, layout: layout)
///     if try !view.isNull(slot) { total += try view.int64(slot) }
///
/// Opening checks the header's ids and the total length; every access checks its slot and its bounds, in O(1), without
/// decoding other fields. Damaged bytes throw `damagedRecord` or give some value of the type, never trap: whether they
/// are the bytes that were written is for ``RecordHeader/verifyChecksum(record:rowID:)``.
package struct RecordView: ~Escapable, BitwiseCopyable {
    package let bytes: RawSpan
    /// Not retained: the view depends on the lifetime of the layout that it was opened with.
    let frame: UnsafeMutablePointer<RecordFrame>

    package var layout: RecordLayout { frame.pointee.layout.takeUnretainedValue() }

    /// Opens a record. A few nanoseconds. Throws `damagedRecord` when it is not one of this layout.
    @_lifetime(copy bytes, borrow layout)
    package init(_ bytes: RawSpan, layout: borrowing RecordLayout) throws {
        let view = try RecordView(bytes, frame: layout.frame)
        self = _overrideLifetime(view, copying: bytes)
    }

    /// The same for a caller that holds the layout.
    @_lifetime(copy bytes)
    @inline(__always)
    init(_ bytes: RawSpan, frame: UnsafeMutablePointer<RecordFrame>) throws {
        self.bytes = bytes
        self.frame = frame
        let variableStart = Int(frame.pointee.variableStart)
        guard bytes.byteCount >= variableStart else {
            throw Self.isShort
        }
        guard bytes.littleEndian(at: RecordHeader.layoutOffset) == frame.pointee.id,
            bytes.littleEndian(at: RecordHeader.entityOffset) == frame.pointee.entity
        else { throw Self.isOfAnotherLayout }
        var end = 0
        if frame.pointee.variableCount > 0 {
            end = VariableEntry(bits: bytes.littleEndian(at: variableStart &- 4)).end
        }
        guard bytes.byteCount &- variableStart == end else {
            throw Self.hasWrongLength
        }
    }

    package var header: RecordHeader {
        get throws { try RecordHeader.read(bytes) }
    }

    /// The number of the save that last changed the record.
    package var save: UInt64 { bytes.littleEndian(at: RecordHeader.saveOffset) }

    package var hasLongValues: Bool {
        bytes.littleEndian(at: RecordHeader.flagsOffset, as: UInt16.self) & RecordHeader.hasLongValues != 0
    }

    // MARK: Fields

    /// Whether a field is nil. Throws `damagedRecord` when a field that is not optional is.
    package func isNull(_ slot: Int) throws -> Bool { try isNull(slot, place(slot)) }

    /// The bytes of a field.
    @_lifetime(copy self)
    package func field(_ slot: Int) throws -> RecordField {
        let place = try place(slot)
        if try isNull(slot, place) { return .null }
        if place.isFixed { return .fixed(bytes.extracting(unchecked: fixedRange(place))) }
        let (range, entry) = try variable(place)
        if entry.isExternal {
            let (length, hash) = try external(range)
            return .external(length: length, hash: hash)
        }
        return .inline(bytes.extracting(unchecked: range), isPlain: entry.isPlain)
    }

    /// Whether a field is a string in ASCII without CR, in the record or outside.
    package func isPlain(_ slot: Int) throws -> Bool {
        let place = try place(slot)
        return try !place.isFixed && variable(place).entry.isPlain
    }

    // MARK: Fixed-width values; those of a nil field are zero

    package func bool(_ slot: Int) throws -> Bool {
        let place = try place(slot)
        guard place.kind == .bool else { throw mismatch("bool", slot) }
        return try bool(place)
    }

    /// A signed integer of any width.
    package func int64(_ slot: Int) throws -> Int64 {
        let place = try place(slot)
        let offset = Int(place.offset)
        switch place.kind {
        case .int64: return bytes.littleEndian(at: offset)
        case .int32: return Int64(bytes.littleEndian(at: offset, as: Int32.self))
        case .int16: return Int64(bytes.littleEndian(at: offset, as: Int16.self))
        case .int8: return Int64(bytes.littleEndian(at: offset, as: Int8.self))
        default: throw mismatch("a signed integer", slot)
        }
    }

    /// An unsigned integer of any width.
    package func uint64(_ slot: Int) throws -> UInt64 {
        let place = try place(slot)
        let offset = Int(place.offset)
        switch place.kind {
        case .uint64: return bytes.littleEndian(at: offset)
        case .uint32: return UInt64(bytes.littleEndian(at: offset, as: UInt32.self))
        case .uint16: return UInt64(bytes.littleEndian(at: offset, as: UInt16.self))
        case .uint8: return UInt64(bytes.littleEndian(at: offset, as: UInt8.self))
        default: throw mismatch("an unsigned integer", slot)
        }
    }

    /// A Double, or a Date as its seconds.
    package func double(_ slot: Int) throws -> Double {
        let place = try place(slot)
        guard place.kind == .double || place.kind == .date else { throw mismatch("double or date", slot) }
        return Double(bitPattern: bytes.littleEndian(at: Int(place.offset)))
    }

    package func float(_ slot: Int) throws -> Float {
        let place = try place(slot)
        guard place.kind == .float else { throw mismatch("float", slot) }
        return Float(bitPattern: bytes.littleEndian(at: Int(place.offset)))
    }

    // MARK: Fields that may be nil, with their place looked up once

    /// The place of a field that is there; nil for a nil one.
    @inline(__always)
    func presentPlace(_ slot: Int) throws -> FieldPlace? {
        let place = try place(slot)
        return try isNull(slot, place) ? nil : place
    }

    /// A Double, or a Date as its seconds.
    @inline(__always)
    func optionalDouble(_ slot: Int) throws -> Double? {
        guard let place = try presentPlace(slot) else { return nil }
        guard place.kind == .double || place.kind == .date else { throw mismatch("double or date", slot) }
        return Double(bitPattern: bytes.littleEndian(at: Int(place.offset)))
    }

    /// The UTF-8 of a string or URL that lies in the record; nil for a nil one and for a long value.
    @inline(__always)
    @_lifetime(copy self)
    func inlineText(_ slot: Int) throws -> RawSpan? {
        guard let place = try presentPlace(slot) else { return nil }
        guard place.kind == .string || place.kind == .url else { throw mismatch("a string or URL", slot) }
        let (range, entry) = try variable(place)
        return entry.isExternal ? nil : bytes.extracting(unchecked: range)
    }

    // MARK: Access that the facets share; places are those of this layout, so fixed offsets are within the bytes

    @inline(__always)
    func place(_ slot: Int) throws -> FieldPlace {
        guard UInt(bitPattern: slot) < frame.pointee.slotCount else { throw unknown(slot) }
        return frame.pointee.places[slot]
    }

    @inline(__always)
    func isNull(_ slot: Int, _ place: FieldPlace) throws -> Bool {
        let byte = bytes.littleEndian(at: RecordHeader.byteCount &+ slot / 8, as: UInt8.self)
        guard byte & (1 << UInt8(truncatingIfNeeded: slot % 8)) != 0 else { return false }
        guard place.isOptional else { throw isMissing(slot) }
        return true
    }

    @inline(__always)
    func fixedRange(_ place: FieldPlace) -> Range<Int> { Int(place.offset)..<(Int(place.offset) &+ Int(place.width)) }

    @inline(__always)
    func bool(_ place: FieldPlace) throws -> Bool {
        let byte = bytes.littleEndian(at: Int(place.offset), as: UInt8.self)
        guard byte <= 1 else { throw Self.isNoBool }
        return byte == 1
    }

    /// Where a variable field lies in the record, and its entry in the offset table.
    @inline(__always)
    func variable(_ place: FieldPlace) throws -> (range: Range<Int>, entry: VariableEntry) {
        let at = Int(frame.pointee.tableStart) &+ 4 &* Int(place.offset)
        let entry = VariableEntry(bits: bytes.littleEndian(at: at))
        let start = place.offset == 0 ? 0 : VariableEntry(bits: bytes.littleEndian(at: at &- 4)).end
        let base = Int(frame.pointee.variableStart)
        guard start <= entry.end, entry.end <= bytes.byteCount &- base else { throw Self.isUnordered }
        return (Range(uncheckedBounds: (base &+ start, base &+ entry.end)), entry)
    }

    /// Length and hash of the long value of an external field.
    func external(_ range: Range<Int>) throws -> (length: Int, hash: UInt64) {
        guard range.count == VariableEntry.externalWidth,
            let length = Int(exactly: bytes.littleEndian(at: range.lowerBound, as: UInt64.self)),
            length > LongValue.threshold
        else { throw StorageError(.damagedRecord("a long value's length is not one")) }
        return (length, bytes.littleEndian(at: range.lowerBound &+ 8))
    }

    // Errors are made out of line: they would cost every access its registers and its stack.

    @inline(never)

    private func unknown(_ slot: Int) -> any Error { layout.error(.unknownProperty, slot: slot) }

    @inline(never)

    private func isMissing(_ slot: Int) -> any Error {
        layout.error(.damagedRecord("a field is nil and may not be"), slot: slot)
    }

    private static var isShort: any Error {
        @inline(never) get { StorageError(.damagedRecord("it is shorter than its layout")) }
    }

    private static var isOfAnotherLayout: any Error {
        @inline(never) get { StorageError(.damagedRecord("it is of another layout")) }
    }

    private static var hasWrongLength: any Error {
        @inline(never) get { StorageError(.damagedRecord("its length is not that of its fields")) }
    }

    static var isUnordered: any Error {
        @inline(never) get { StorageError(.damagedRecord("its offset table is not ascending")) }
    }

    static var isNoBool: any Error {
        @inline(never) get { StorageError(.damagedRecord("a Bool is neither 0 nor 1")) }
    }

    @inline(never)

    private func mismatch(_ expected: StaticString, _ slot: Int) -> any Error {
        layout.error(.typeMismatch(expected: "\(expected)", found: layout.fields[slot].type.description), slot: slot)
    }
}
