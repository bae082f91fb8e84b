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
    private(set) var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// Bytes of the record so far.
    private var count = 0
    private(set) var layout: RecordLayout?
    private var places: UnsafeMutablePointer<FieldPlace>?
    private var slotCount = 0
    private var tableStart = 0
    private var variableStart = 0
    /// Entries of the offset table from this ordinal on are not written yet.
    private(set) var nextOrdinal = 0
    private var hasExternal = false
    var composite = CompositeEncoder()

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

    /// Starts a record with the fields of another one of the layout, as one copy of its bytes; setting fields then
    /// changes it. O(bytes). Throws `damagedRecord` when its offset table is not ascending. The other record must not
    /// lie in this writer.
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

    /// Completes the record and seals it. The span is valid until the writer is changed. O(bytes). Throws
    /// `missingValue` naming the first field that is nil and may not be.
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

    /// The completed record with save number and checksum 0.
    mutating func finishUnsealed() throws -> [UInt8] { Array(try complete()) }

    /// Completes and seals the record and appends its bytes to an array.
    mutating func finish(save: UInt64, rowID: RowID, appendingTo bytes: inout [UInt8]) throws {
        let record = try complete()
        try RecordHeader.seal(record, save: save, rowID: rowID)
        bytes.append(contentsOf: record)
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

    // MARK: Bytes, for the facets that set fields

    @inline(__always)
    func place(_ slot: Int) throws -> FieldPlace {
        guard let places, UInt(bitPattern: slot) < UInt(bitPattern: slotCount) else {
            throw unknown(slot)
        }
        return places[slot]
    }

    @inline(__always)
    func markPresent(_ slot: Int) {
        let byte = RecordHeader.byteCount &+ slot / 8
        let bits = base.load(fromByteOffset: byte, as: UInt8.self) & ~(1 << UInt8(truncatingIfNeeded: slot % 8))
        base.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
    }

    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, _ slot: Int, _ place: FieldPlace) {
        markPresent(slot)
        base.storeBytes(of: number.littleEndian, toByteOffset: Int(place.offset), as: Number.self)
    }

    @inline(__always)
    func storeInteger(_ bits: UInt64, _ slot: Int, _ place: FieldPlace) {
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

    /// Writes a variable field: at the end when its ordinal is the highest so far, else by moving what follows. More
    /// than ``LongValue/threshold`` bytes become a long value.
    mutating func write(
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
    func mismatch(_ found: String, _ slot: Int) -> StorageError {
        guard let layout, layout.fields.indices.contains(slot) else { return StorageError(.unknownProperty) }
        let expected = layout.fields[slot].type.description
        return layout.error(.typeMismatch(expected: expected, found: found), slot: slot)
    }

    @inline(never)
    func integerMismatch(_ found: String, _ place: FieldPlace, _ slot: Int) -> StorageError {
        mismatch(layout?.fields[slot].type.isInteger == true ? "an integer out of its range" : found, slot)
    }
}
