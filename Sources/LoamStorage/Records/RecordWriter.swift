package import Foundation

/// Builds records in a buffer of its own, field by field, without a ``Value`` in between: the path of bulk loads.
///
///     var writer = RecordWriter()
///     try writer.begin(layout)
///     try writer.set(int: 42, at: 0)
///     try writer.set(string: "loam", at: 1)
///     let record = try writer.finish(save: 7, rowID: 12)
///
/// Fields may be set in any order and more than once; ascending slots are the fast way (setting a variable field before
/// one that is there already moves bytes). Fields that are not set are nil. The buffer is reused from record to record
/// and grows to the longest. Every `set` checks the type: a wrong one throws `typeMismatch` and leaves the field alone.
package struct RecordWriter: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// Bytes of the record so far.
    private var count = 0
    private(set) var layout: RecordLayout?
    private var places: UnsafeMutablePointer<FieldPlace>?
    private var slotCount = 0
    private var tableStart = 0
    private var variableStart = 0
    /// Entries of the offset table from this ordinal on are not written yet.
    private var nextOrdinal = 0
    private var hasExternal = false
    private var composite = CompositeEncoder()

    /// The fields of this record whose bytes are to be stored outside it; those that ``copy(_:from:_:)`` took over from
    /// another record as length and hash are not among them.
    package private(set) var longValues: [LongValue] = []

    package init(capacity: Int = 4_096) {
        self.capacity = max(capacity, RecordHeader.byteCount)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// Starts a record with every field nil, dropping an unfinished one. O(fields).
    package mutating func begin(_ layout: RecordLayout) {
        if self.layout !== layout {
            self.layout = layout
            places = layout.places
            slotCount = layout.fields.count
            tableStart = layout.tableStart
            variableStart = layout.variableStart
        }
        count = 0
        reserve(variableStart)
        layout.template.withUnsafeBytes { template in
            if let start = template.baseAddress { base.copyMemory(from: start, byteCount: template.count) }
        }
        count = variableStart
        nextOrdinal = 0
        hasExternal = false
        if !longValues.isEmpty { longValues.removeAll() }
    }

    /// Starts a record with the fields of another one of the layout, as one copy of its bytes; setting fields then changes
    /// it. O(bytes). Throws `damagedRecord` when its offset table is not ascending. The other record must not lie in this
    /// writer.
    package mutating func begin(copying other: borrowing RecordView) throws {
        let flags = try other.header.flags
        begin(other.layout)
        nextOrdinal = other.layout.variableCount
        try other.bytes.withUnsafeBytes { bytes in
            reserve(bytes.count &- variableStart)
            copyBytes(bytes, to: 0)
            count = bytes.count
            var end = 0
            for ordinal in 0..<nextOrdinal {
                let next = entry(ordinal).end
                guard end <= next else { throw StorageError(.damagedRecord("its offset table is not ascending")) }
                end = next
            }
        }
        hasExternal = flags & RecordHeader.hasLongValues != 0
        base.storeBytes(of: 0, toByteOffset: RecordHeader.checksumOffset, as: UInt64.self)
        base.storeBytes(of: 0, toByteOffset: RecordHeader.saveOffset, as: UInt64.self)
    }

    /// Completes the record and seals it. The span is valid until the writer is changed. O(bytes). Throws `missingValue`
    /// naming the first field that is nil and may not be.
    @_lifetime(&self)
    package mutating func finish(save: UInt64, rowID: RowID) throws -> RawSpan {
        let bytes = try complete()
        try RecordHeader.seal(bytes, save: save, rowID: rowID)
        return _overrideLifetime(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)), mutating: &self)
    }

    /// Completes the record with save number and checksum 0 and replaces an array's bytes by it, see
    /// ``RecordHeader/seal(_:save:rowID:)-(Array<UInt8>,_,_)``.
    mutating func finish(into record: inout [UInt8]) throws {
        let bytes = try complete()
        record.removeAll(keepingCapacity: true)
        record.append(contentsOf: bytes)
    }

    private mutating func complete() throws -> UnsafeMutableRawBufferPointer {
        guard let layout else { throw StorageError(.damagedRecord("no layout was chosen")) }
        fillTable(upTo: layout.variableCount)
        var flags: UInt16 = 0
        if hasExternal, containsExternal(layout) { flags = RecordHeader.hasLongValues }
        base.storeBytes(of: flags.littleEndian, toByteOffset: RecordHeader.flagsOffset, as: UInt16.self)
        for (byte, required) in layout.requiredBits.enumerated() {
            let missing = required & base.load(fromByteOffset: RecordHeader.byteCount &+ byte, as: UInt8.self)
            if missing != 0 { throw layout.error(.missingValue, slot: byte * 8 + missing.trailingZeroBitCount) }
        }
        return UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    private func containsExternal(_ layout: RecordLayout) -> Bool {
        for ordinal in 0..<layout.variableCount where entry(ordinal).isExternal { return true }
        return false
    }

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

    // MARK: Bytes

    @inline(__always)
    private func place(_ slot: Int) throws -> FieldPlace {
        guard let places, UInt(bitPattern: slot) < UInt(bitPattern: slotCount) else {
            throw unknown(slot)
        }
        return places[slot]
    }

    @inline(__always)
    private func markPresent(_ slot: Int) {
        let byte = RecordHeader.byteCount &+ slot / 8
        let bits = base.load(fromByteOffset: byte, as: UInt8.self) & ~(1 << UInt8(truncatingIfNeeded: slot % 8))
        base.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
    }

    @inline(__always)
    private func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, _ slot: Int, _ place: FieldPlace)
    {
        markPresent(slot)
        base.storeBytes(of: number.littleEndian, toByteOffset: Int(place.offset), as: Number.self)
    }

    @inline(__always)
    private func storeInteger(_ bits: UInt64, _ slot: Int, _ place: FieldPlace) {
        switch place.width {
        case 1: store(UInt8(truncatingIfNeeded: bits), slot, place)
        case 2: store(UInt16(truncatingIfNeeded: bits), slot, place)
        case 4: store(UInt32(truncatingIfNeeded: bits), slot, place)
        default: store(bits, slot, place)
        }
    }

    /// Makes room for more bytes behind the ``count`` that are there.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }

    @inline(__always)
    private func entry(_ ordinal: Int) -> VariableEntry {
        let bits = base.loadUnaligned(fromByteOffset: tableStart &+ 4 &* ordinal, as: UInt32.self)
        return VariableEntry(bits: UInt32(littleEndian: bits))
    }

    @inline(__always)
    private func store(_ end: Int, flags: UInt32, ordinal: Int) {
        let bits = UInt32(truncatingIfNeeded: end) | flags
        base.storeBytes(of: bits.littleEndian, toByteOffset: tableStart &+ 4 &* ordinal, as: UInt32.self)
    }

    /// Makes the fields before an ordinal that were not set empty.
    @inline(__always)
    private mutating func fillTable(upTo ordinal: Int) {
        while nextOrdinal < ordinal {
            store(count &- variableStart, flags: 0, ordinal: nextOrdinal)
            nextOrdinal &+= 1
        }
    }

    /// Writes a variable field: at the end when its ordinal is the highest so far, else by moving what follows. More than
    /// ``LongValue/threshold`` bytes become a long value.
    private mutating func write(
        _ bytes: UnsafeRawBufferPointer, flags: UInt32, _ slot: Int, _ place: FieldPlace
    ) throws {
        if hasExternal { longValues.removeAll { $0.slot == slot } }
        if bytes.count > LongValue.threshold { return try writeExternal(bytes, flags: flags, slot, place) }
        if flags & VariableEntry.external != 0 { hasExternal = true }
        let ordinal = Int(place.offset)
        if ordinal < nextOrdinal {
            makeRoom(for: bytes.count, flags: flags, ordinal: ordinal)
            let start = ordinal == 0 ? 0 : entry(ordinal &- 1).end
            copyBytes(bytes, to: variableStart &+ start)
        } else {
            fillTable(upTo: ordinal)
            reserve(bytes.count)
            copyBytes(bytes, to: count)
            count &+= bytes.count
            store(count &- variableStart, flags: flags, ordinal: ordinal)
            nextOrdinal = ordinal &+ 1
        }
        markPresent(slot)
    }

    private mutating func writeExternal(
        _ bytes: UnsafeRawBufferPointer, flags: UInt32, _ slot: Int, _ place: FieldPlace
    ) throws {
        let hash = Checksum.hash64(bytes)
        let kept = (UInt64(bytes.count).littleEndian, hash.littleEndian)
        try withUnsafeBytes(of: kept) { try write($0, flags: flags | VariableEntry.external, slot, place) }
        longValues.append(LongValue(slot: slot, bytes: Array(bytes)))
    }

    /// Gives a field that is there already another length, and moves the fields behind it.
    private mutating func makeRoom(for length: Int, flags: UInt32, ordinal: Int) {
        let start = ordinal == 0 ? 0 : entry(ordinal &- 1).end
        let end = entry(ordinal).end
        let growth = length &- (end &- start)
        reserve(max(growth, 0))
        let tail = base + (variableStart &+ end)
        (tail + growth).copyMemory(from: tail, byteCount: count &- variableStart &- end)
        count &+= growth
        store(end &+ growth, flags: flags, ordinal: ordinal)
        for later in (ordinal &+ 1)..<max(nextOrdinal, ordinal &+ 1) {
            let entry = entry(later)
            store(entry.end &+ growth, flags: entry.flags, ordinal: later)
        }
    }

    @inline(__always)
    private func copyBytes(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
        if let start = bytes.baseAddress { (base + offset).copyMemory(from: start, byteCount: bytes.count) }
    }

    @inline(never)
    private func unknown(_ slot: Int) -> any Error {
        layout?.error(.unknownProperty, slot: slot) ?? StorageError(.unknownProperty)
    }

    @inline(never)
    private func mismatch(_ found: String, _ slot: Int) -> StorageError {
        guard let layout, layout.fields.indices.contains(slot) else { return StorageError(.unknownProperty) }
        let expected = layout.fields[slot].type.description
        return layout.error(.typeMismatch(expected: expected, found: found), slot: slot)
    }

    @inline(never)
    private func integerMismatch(_ found: String, _ place: FieldPlace, _ slot: Int) -> StorageError {
        mismatch(layout?.fields[slot].type.isInteger == true ? "an integer out of its range" : found, slot)
    }
}
