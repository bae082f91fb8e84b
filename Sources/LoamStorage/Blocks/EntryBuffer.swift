import Dispatch

/// Entries of one index to be put in or taken out, one after another in one buffer: nothing is allocated for
/// an entry.
///
/// An item: length of the full key (2 bytes), full key, flags (1 byte), then each included field with its length
/// (2 bytes, 0xFFFF for nil). Of a field that no entry has room for, only so much is kept that this is known: one byte
/// more than fits. One thread at a time.
final class EntryBuffer {
    let shape: BlockShape
    /// All state in one value, so that the runtime has one exclusive access to check when an entry is added.
    private var storage: Storage

    fileprivate struct Storage: ~Copyable {
        var buffer: ByteBuffer
        /// The offsets where items begin, in order once the items are sorted.
        var offsets: [Int] = []
        var isSorted = true
        var isInsertOnly = true
    }

    struct Flags: OptionSet {
        let rawValue: UInt8
        static let inexact = Flags(rawValue: 1)
        static let removal = Flags(rawValue: 2)
        /// A component is nil, so that the entry equals no other in a unique index.
        static let hasNil = Flags(rawValue: 4)
    }

    init(shape: BlockShape, capacity: Int = 512) {
        self.shape = shape
        storage = Storage(buffer: ByteBuffer(capacity: capacity))
    }

    var count: Int { storage.offsets.count }
    var byteCount: Int { storage.buffer.count }
    /// About the bytes that the items take in memory, with what sorting them takes.
    var memoryCount: Int { storage.buffer.count + storage.offsets.count * Self.bytesPerOffset }
    /// An offset, and meanwhile twice a prefix with an offset, see ``EntrySort``.
    private static let bytesPerOffset = 40
    /// Whether nothing is to be taken out.
    var isInsertOnly: Bool { storage.isInsertOnly }

    /// The items as they lie in memory; good inside the closure, and until the buffer is changed.
    func withItems<R>(_ body: (EntryItems) throws -> R) rethrows -> R {
        let bytes = storage.buffer.bytes
        return try storage.offsets.withUnsafeBufferPointer { try body(EntryItems(bytes: bytes, offsets: $0, shape)) }
    }

    /// Makes room for so many more entries.
    func reserve(_ count: Int) {
        storage.offsets.reserveCapacity(storage.offsets.count + count)
        storage.buffer.reserve(count * (11 + (shape.stride ?? 24) + 8 * shape.includedCount))
    }

    /// Bytes that an item of these parts takes in memory, as ``memoryCount`` has them.
    static func memoryCount(key: Int, included: [[UInt8]?]) -> Int {
        bytesPerOffset + 11 + key + included.reduce(0) { $0 + 2 + keptCount($1?.count ?? 0) }
    }

    /// Bytes that are kept of an included field of so many.
    @inline(__always)
    fileprivate static func keptCount(_ count: Int) -> Int { min(count, BlockFormat.maximumIncluded + 1) }

    func append(
        key: UnsafeRawBufferPointer, rowID: RowID, flags: Flags = [], included: [[UInt8]?] = []
    ) {
        storage.append(
            key, rowID: rowID, flags: flags, included: included, columns: shape.includedCount,
            invertsRowID: shape.invertsRowID)
    }

    func append(_ change: IndexChange) {
        append(change.entry, flags: change.kind == .remove ? .removal : [])
    }

    func append(_ entry: IndexEntry, flags: Flags = []) {
        entry.key.withUnsafeBytes {
            append(
                key: $0, rowID: entry.rowID, flags: entry.isInexact ? flags.union(.inexact) : flags,
                included: entry.included)
        }
    }

    /// Takes the last two items away again where they are the same entry, before and after a change.
    func cancelLastTwo() {
        let isSame = withItems { items in
            items.count > 1 && items[items.count - 2].isSame(as: items[items.count - 1])
        }
        if isSame { truncate(to: count - 2) }
    }

    /// Drops the items behind the first `count`, in the order in which they were added.
    func truncate(to count: Int) {
        guard count < storage.offsets.count else { return }
        storage.buffer.truncate(to: storage.offsets[count])
        storage.offsets.removeSubrange(count...)
    }

    func removeAll() {
        storage.offsets.removeAll(keepingCapacity: true)
        storage.buffer.removeAll()
        storage.isSorted = true
        storage.isInsertOnly = true
    }

    /// Leaves out the items of some rows. The order stays.
    func removeAll(of rows: Set<RowID>) {
        guard !rows.isEmpty else { return }
        let kept = withItems { items in (0..<items.count).filter { !rows.contains(items[$0].rowID) } }
        storage.offsets = kept.map { storage.offsets[$0] }
    }

    /// Puts the items in the order of their full keys, those of one entry in the order in which they came; see
    /// ``EntrySort``.
    ///
    /// - Parameter moves: whether the items themselves are put in order, at the price of twice the memory meanwhile:
    ///   what pays where they are read more than once, for items in order of offsets lie all over the memory.
    func sort(moves: Bool = true) {
        guard !storage.isSorted else { return }
        storage.isSorted = true
        let bytes = storage.buffer.bytes
        EntrySort.sort(&storage.offsets, in: bytes)
        if moves, count > Self.leastMoved { moveItems() }
    }

    /// Fewer items stay in the processor's cache.
    private static var leastMoved: Int { 1 << 10 }

    private func moveItems() {
        var ordered = ByteBuffer(capacity: storage.buffer.count)
        var offsets: [Int] = []
        offsets.reserveCapacity(storage.offsets.count)
        withItems { items in
            for position in 0..<items.count {
                offsets.append(ordered.count)
                ordered.append(items[position].item)
            }
        }
        storage.buffer = ordered
        storage.offsets = offsets
    }

    /// Sorts several, long ones at once on as many cores as there are.
    static func sort(_ buffers: [EntryBuffer], moves: Bool = true) {
        guard buffers.reduce(0, { $0 + $1.count }) > 1 << 14 else { return buffers.forEach { $0.sort(moves: moves) } }
        nonisolated(unsafe) let buffers = buffers
        DispatchQueue.concurrentPerform(iterations: buffers.count) { buffers[$0].sort(moves: moves) }
    }
}

extension EntryBuffer.Storage {
    @inline(__always)
    fileprivate mutating func append(
        _ key: UnsafeRawBufferPointer, rowID: RowID, flags: EntryBuffer.Flags, included: [[UInt8]?], columns: Int,
        invertsRowID: Bool
    ) {
        offsets.append(buffer.count)
        buffer.append(littleEndian: UInt16(truncatingIfNeeded: key.count + 8))
        buffer.append(key)
        buffer.appendRowID(rowID, inverted: invertsRowID)
        buffer.append(flags.rawValue)
        for column in 0..<columns {
            guard included.indices.contains(column), let field = included[column] else {
                buffer.append(littleEndian: UInt16.max)
                continue
            }
            let count = EntryBuffer.keptCount(field.count)
            buffer.append(littleEndian: UInt16(truncatingIfNeeded: count))
            field.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        if flags.contains(.removal) { isInsertOnly = false }
        isSorted = false
    }
}

/// The items of a buffer, borrowed: nothing is counted or checked for an access but its index.
struct EntryItems {
    let bytes: UnsafeRawBufferPointer
    private let offsets: UnsafeBufferPointer<Int>
    private let includedCount: Int
    private let invertsRowID: Bool

    init(bytes: UnsafeRawBufferPointer, offsets: UnsafeBufferPointer<Int>, _ shape: BlockShape) {
        self.bytes = bytes
        self.offsets = offsets
        includedCount = shape.includedCount
        invertsRowID = shape.invertsRowID
    }

    @inline(__always)
    var count: Int { offsets.count }

    @inline(__always)
    subscript(position: Int) -> SortedEntry {
        SortedEntry(bytes, at: offsets[position], includedCount: includedCount, invertsRowID: invertsRowID)
    }

    /// The first index from `start` on whose full key is not below `bound`. O(log n) of the distance.
    func end(from start: Int, below bound: UnsafeRawBufferPointer) -> Int {
        var step = 1
        var low = start
        while low + step < count, self[low + step].fullKey.isBelow(bound) {
            low += step
            step *= 2
        }
        return (low..<max(low, min(count, low + step))).partitionPoint { self[$0].fullKey.isBelow(bound) }
    }
}

/// An entry as it lies in a buffer's memory; gone when that is changed.
struct SortedEntry {
    private let bytes: UnsafeRawBufferPointer
    private let offset: Int
    private let includedCount: Int
    private let invertsRowID: Bool

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int, includedCount: Int, invertsRowID: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.includedCount = includedCount
        self.invertsRowID = invertsRowID
    }

    private var keyEnd: Int { offset + 2 + FullKey.length(bytes, offset: offset) }

    /// Whether nothing but the kind of change tells the two apart.
    func isSame(as other: SortedEntry) -> Bool {
        let (left, right) = (item, other.item)
        let flagsAt = keyEnd - offset
        guard left.count == right.count, flagsAt == other.keyEnd - other.offset else { return false }
        let kind = EntryBuffer.Flags([.removal, .hasNil])
        return flags.union(kind) == other.flags.union(kind) && left[..<flagsAt].elementsEqual(right[..<flagsAt])
            && left[(flagsAt + 1)...].elementsEqual(right[(flagsAt + 1)...])
    }

    var firstByte: UInt8 { bytes[offset] }

    /// Component bytes.
    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<keyEnd - 8]) }

    /// Component bytes and row id.
    var fullKey: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<keyEnd]) }

    var rowID: RowID {
        let number = bytes.bigEndian(at: keyEnd - 8, as: UInt64.self)
        return invertsRowID ? ~number : number
    }

    @inline(__always)
    func hasFullKey(of other: SortedEntry) -> Bool {
        FullKey.length(bytes, offset: offset) == FullKey.length(other.bytes, offset: other.offset)
            && FullKey.compare(bytes, offset, other.bytes, other.offset) == 0
    }

    /// Whether the component bytes are the same.
    @inline(__always)
    func hasKey(of other: SortedEntry) -> Bool {
        let (key, sought) = (key, other.key)
        guard key.count == sought.count, let left = key.baseAddress, let right = sought.baseAddress else {
            return false
        }
        return left.compare(right, count: key.count) == 0
    }

    var flags: EntryBuffer.Flags { EntryBuffer.Flags(rawValue: bytes[keyEnd]) }

    var isInexact: Bool { flags.contains(.inexact) }

    /// Included fields by column, those that no entry has room for cut to one byte more than fits.
    var included: [[UInt8]?] {
        guard includedCount > 0 else { return [] }
        var at = keyEnd + 1
        return (0..<includedCount).map { _ in
            let length = Int(bytes.littleEndian(at: at, as: UInt16.self))
            at += 2
            guard length != 0xFFFF else { return nil }
            defer { at += length }
            return Array(bytes[at..<at + length])
        }
    }

    var entry: IndexEntry {
        IndexEntry(key: Array(key), rowID: rowID, isInexact: isInexact, included: included)
    }

    /// All bytes of the item.
    var item: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset..<end]) }

    private var end: Int {
        var at = keyEnd + 1
        for _ in 0..<includedCount {
            let length = Int(bytes.littleEndian(at: at, as: UInt16.self))
            at += 2 + (length == 0xFFFF ? 0 : length)
        }
        return at
    }
}

/// Comparing items of buffers by their full keys.
enum FullKey {
    @inline(__always)
    static func length(_ bytes: UnsafeRawBufferPointer, offset: Int) -> Int {
        Int(bytes.littleEndian(at: offset, as: UInt16.self))
    }

    static func compare(
        _ left: UnsafeRawBufferPointer, _ leftOffset: Int, _ right: UnsafeRawBufferPointer, _ rightOffset: Int,
        skipping common: Int = 0
    ) -> Int {
        let leftCount = length(left, offset: leftOffset) - common
        let rightCount = length(right, offset: rightOffset) - common
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
        let order = (leftBase + leftOffset + 2 + common)
            .compare(rightBase + rightOffset + 2 + common, count: min(leftCount, rightCount))
        return order != 0 ? Int(order) : leftCount - rightCount
    }
}
