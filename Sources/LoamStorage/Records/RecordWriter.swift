/// Builds records in a buffer of its own, field by field, without a ``Value`` in between: the path of bulk loads.
///
///     var writer = RecordWriter()
///     try writer.begin(layout)
///     try writer.set(int: 42, at: 0)
///     try writer.set(string: "loam", at: 1)
///     let record = try writer.finish(save: 7, rowID: 12)
///
/// Fields may be set in any order and more than once; ascending slots are the fast way (setting a variable field or an
/// integer before one that is there already moves bytes). Fields that are not set are nil. The buffer is used again for
/// each record and grows to the longest. Every `set` checks the type: a wrong one throws `typeMismatch` and leaves the
/// field alone.
///
/// What only looks is `mutating` too: to lend a value as large as this one, the compiler copies it, for each field.
package struct RecordWriter: ~Copyable {
    /// The staging, see ``RecordStaging``; room for all that lies before the variable fields, which is put there when
    /// its length is known; and from ``room`` on the variable fields, which stay where they are.
    private(set) var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var parts = RecordStaging(RecordSections([]), slotCount: 0)
    /// Where the variable fields start.
    private(set) var room = 0
    /// Bytes of the variable fields so far.
    private(set) var count = 0
    private(set) var layout: RecordLayout?
    private var locations: UnsafeMutablePointer<FieldLocation>?
    private(set) var slotCount = 0
    /// The ends of variable fields from this ordinal on are not written yet.
    private(set) var nextOrdinal = 0
    private(set) var mayHaveExternal = false
    /// Where the integers so far end.
    private var integersEnd = 0
    /// Integers from this ordinal on are not written yet.
    private var nextInteger = 0
    /// ``RecordStaging/endsAt``, kept apart from the other ``parts``, which would all be copied to read it.
    private var endsAt = 0
    private(set) var entity: EntityID = 0
    var composite = CompositeEncoder()

    /// Bytes of the integers so far.
    var integerByteCount: Int { integersEnd &- parts.integersAt }

    /// The fields of this record whose bytes are to be stored outside it; those that ``copy(_:from:otherSlot:)`` took
    /// over from another record as length and hash are not among them.
    package private(set) var longValues: [LongValue] = []

    package init(capacity: Int = 4_096) {
        self.capacity = max(capacity, RecordHeader.byteCount)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// Starts a record with every field nil, dropping an unfinished one. O(fields).
    package mutating func begin(_ layout: RecordLayout) {
        if self.layout !== layout { use(layout) }
        layout.template.withUnsafeBytes { template in
            if let start = template.baseAddress { base.copyMemory(from: start, byteCount: template.count) }
        }
        count = 0
        nextOrdinal = 0
        integersEnd = parts.integersAt
        nextInteger = 0
        mayHaveExternal = false
        if !longValues.isEmpty { longValues.removeAll() }
    }

    private mutating func use(_ layout: RecordLayout) {
        self.layout = layout
        entity = layout.entity
        locations = layout.stagingLocations
        slotCount = layout.fields.count
        parts = layout.staging
        endsAt = parts.endsAt
        count = 0
        room = parts.byteCount + layout.sections.mostBytesBeforeVariable
        reserve(0)
    }

    /// Starts a record with the fields of another one of the layout; setting fields then changes it. O(bytes). Throws
    /// `damagedRecord` when its offset table is not ascending or a width is none. The other record must not lie in this
    /// writer.
    package mutating func begin(copying other: borrowing RecordView) throws {
        begin(other.layout)
        let head = base + parts.headAt
        other.bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { head.copyMemory(from: start, byteCount: parts.headCount) }
        }
        for offset in RecordHeader.flagsOffset..<RecordHeader.byteCount {
            head.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
        }
        for word in 0..<parts.unsetWords { base.storeBytes(of: 0, toByteOffset: 8 &* word, as: UInt64.self) }
        try copyVariable(of: other, from: copyIntegers(of: other))
    }

    /// Copies the integers; returns where they end in the other record.
    private mutating func copyIntegers(of other: borrowing RecordView) throws -> Int {
        let start = other.integerStart(other.flags)
        let widthsStart = Int(other.frame.pointee.widthsStart)
        for ordinal in 0..<parts.integerCount {
            let width = Self.width(ordinal, in: base + (parts.headAt &+ widthsStart))
            guard width <= 8 else { throw RecordView.hasWrongWidth }
            integersEnd &+= width
        }
        nextInteger = parts.integerCount
        guard integerByteCount <= other.bytes.byteCount &- start else { throw RecordView.hasWrongWidth }
        let target = base + parts.integersAt
        other.bytes.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { target.copyMemory(from: source + start, byteCount: integerByteCount) }
        }
        return start &+ integerByteCount
    }

    private mutating func copyVariable(of other: borrowing RecordView, from start: Int) throws {
        mayHaveExternal = other.hasLongValues
        guard other.layout.variableCount > 0 else { return }
        let locations = other.layout.locations
        for slot in 0..<slotCount where locations[slot].kind.isVariable {
            let field = try other.variable(locations[slot])
            guard start <= field.range.lowerBound else { throw RecordView.isUnordered }
            store(field.range.upperBound &- start, isExternal: field.isExternal, ordinal: nextOrdinal)
            nextOrdinal &+= 1
        }
        reserve(other.bytes.byteCount &- start)
        count = other.bytes.byteCount &- start
        let target = base + room
        other.bytes.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress, count > 0 { target.copyMemory(from: source + start, byteCount: count) }
        }
    }

    // MARK: Bytes, for the facets that set fields

    @inline(__always)
    mutating func location(_ slot: Int) throws -> FieldLocation {
        guard let locations, UInt(bitPattern: slot) < UInt(bitPattern: slotCount) else {
            throw unknown(slot)
        }
        return locations[slot]
    }

    /// Notes that a field was set.
    @inline(__always)
    mutating func markPresent(_ location: FieldLocation) {
        set(false, mask: location.nilMask, inByte: Int(location.nilByte))
    }

    @inline(__always)
    mutating func set(_ value: Bool, mask: UInt8, inByte offset: Int) {
        let byte = base.load(fromByteOffset: offset, as: UInt8.self) & ~mask
        base.storeBytes(of: value ? byte | mask : byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Sets the bits of an integer field and its width: behind those that are there when its ordinal is the highest so
    /// far, else by moving what follows.
    @inline(__always)
    mutating func storeInteger(_ bits: UInt64, width: Int, location: FieldLocation) {
        guard location.ordinal >= nextInteger else { return replaceInteger(bits, width: width, location: location) }
        nextInteger = location.ordinal &+ 1
        let widths = base.load(fromByteOffset: Int(location.offset), as: UInt8.self)
        let moved = UInt8(truncatingIfNeeded: width) &<< location.bitMask
        base.storeBytes(of: widths | moved, toByteOffset: Int(location.offset), as: UInt8.self)
        base.store(littleEndian: bits, at: integersEnd)
        integersEnd &+= width
    }

    @inline(never)
    private mutating func replaceInteger(_ bits: UInt64, width: Int, location: FieldLocation) {
        let widthAt = Int(location.offset)
        let widths = base + (widthAt &- location.ordinal / 2)
        var start = parts.integersAt
        for ordinal in 0..<location.ordinal { start &+= Self.width(ordinal, in: widths) }
        let oldEnd = start &+ Self.width(location.ordinal, in: widths)
        (base + (start &+ width)).copyMemory(from: base + oldEnd, byteCount: integersEnd &- oldEnd)
        withUnsafeBytes(of: bits.littleEndian) { bytes in
            if let number = bytes.baseAddress { (base + start).copyMemory(from: number, byteCount: width) }
        }
        integersEnd &+= start &+ width &- oldEnd
        let byte = base.load(fromByteOffset: widthAt, as: UInt8.self) & ~(15 &<< location.bitMask)
        let moved = UInt8(truncatingIfNeeded: width) &<< location.bitMask
        base.storeBytes(of: byte | moved, toByteOffset: widthAt, as: UInt8.self)
    }

    /// A width in a width table.
    private static func width(_ ordinal: Int, in table: UnsafeMutableRawPointer) -> Int {
        let byte = table.load(fromByteOffset: ordinal / 2, as: UInt8.self)
        return Int(byte &>> UInt8(truncatingIfNeeded: (ordinal & 1) &* 4) & 15)
    }

    /// Makes room for more bytes behind the ``count`` that are there.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity &- room &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let used = min(room + count, capacity)
        capacity = max(2 * capacity, room + count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: used)
        base.deallocate()
        base = larger
    }

    /// Where a variable field ends, counted from the first one's start.
    @inline(__always)
    mutating func end(_ ordinal: Int) -> Int { Int(entry(ordinal) & ~RecordStaging.external) }

    @inline(__always)
    mutating func isExternal(_ ordinal: Int) -> Bool { entry(ordinal) & RecordStaging.external != 0 }

    @inline(__always)
    private mutating func entry(_ ordinal: Int) -> UInt32 {
        base.load(fromByteOffset: endsAt &+ 4 &* ordinal, as: UInt32.self)
    }

    @inline(__always)
    private mutating func store(_ end: Int, isExternal: Bool, ordinal: Int) {
        let bits = UInt32(truncatingIfNeeded: end) | (isExternal ? RecordStaging.external : 0)
        base.storeBytes(of: bits, toByteOffset: endsAt &+ 4 &* ordinal, as: UInt32.self)
    }

    /// Makes the fields before an ordinal that were not set empty.
    @inline(__always)
    mutating func fillEnds(upTo ordinal: Int) {
        while nextOrdinal < ordinal {
            store(count, isExternal: false, ordinal: nextOrdinal)
            nextOrdinal &+= 1
        }
    }

    /// Writes a variable field: at the end when its ordinal is the highest so far, else by moving what follows. More
    /// than ``LongValue/threshold`` bytes become a long value.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, isPlain: Bool = false, isExternal: Bool = false, slot: Int,
        location: FieldLocation
    ) throws {
        if mayHaveExternal { longValues.removeAll { $0.slot == slot } }
        if bytes.count > LongValue.threshold {
            return try writeExternal(bytes, isPlain: isPlain, slot: slot, location: location)
        }
        if isExternal { mayHaveExternal = true }
        let ordinal = Int(location.offset)
        if ordinal < nextOrdinal {
            makeRoom(for: bytes.count, isExternal: isExternal, ordinal: ordinal)
            copyBytes(bytes, to: ordinal == 0 ? 0 : end(ordinal &- 1))
        } else {
            fillEnds(upTo: ordinal)
            reserve(bytes.count)
            copyBytes(bytes, to: count)
            count &+= bytes.count
            store(count, isExternal: isExternal, ordinal: ordinal)
            nextOrdinal = ordinal &+ 1
        }
        set(isPlain, mask: location.bitMask, inByte: Int(location.bitByte))
        markPresent(location)
    }

    private mutating func writeExternal(
        _ bytes: UnsafeRawBufferPointer, isPlain: Bool, slot: Int, location: FieldLocation
    ) throws {
        let hash = Checksum.hash64(bytes)
        let kept = (UInt64(bytes.count).littleEndian, hash.littleEndian)
        try withUnsafeBytes(of: kept) {
            try write($0, isPlain: isPlain, isExternal: true, slot: slot, location: location)
        }
        longValues.append(LongValue(slot: slot, bytes: Array(bytes)))
    }

    /// Gives a field that is there already another length, and moves the fields behind it.
    private mutating func makeRoom(for length: Int, isExternal: Bool, ordinal: Int) {
        let start = ordinal == 0 ? 0 : end(ordinal &- 1)
        let end = end(ordinal)
        let growth = length &- (end &- start)
        reserve(max(growth, 0))
        let tail = base + (room &+ end)
        (tail + growth).copyMemory(from: tail, byteCount: count &- end)
        count &+= growth
        store(end &+ growth, isExternal: isExternal, ordinal: ordinal)
        for later in (ordinal &+ 1)..<max(nextOrdinal, ordinal &+ 1) {
            store(self.end(later) &+ growth, isExternal: self.isExternal(later), ordinal: later)
        }
    }

    @inline(__always)
    private mutating func copyBytes(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
        if let start = bytes.baseAddress { (base + room + offset).copyMemory(from: start, byteCount: bytes.count) }
    }

    @inline(never)
    private mutating func unknown(_ slot: Int) -> any Error {
        layout?.error(.unknownProperty, slot: slot) ?? StorageError(.unknownProperty)
    }

    @inline(never)
    mutating func mismatch(_ found: String, slot: Int) -> StorageError {
        guard let layout, layout.fields.indices.contains(slot) else { return StorageError(.unknownProperty) }
        let expected = layout.fields[slot].type.description
        return layout.error(.typeMismatch(expected: expected, found: found), slot: slot)
    }

    @inline(never)
    mutating func integerMismatch(_ found: String, location: FieldLocation, slot: Int) -> StorageError {
        mismatch(layout?.fields[slot].type.isInteger == true ? "an integer out of its range" : found, slot: slot)
    }
}
