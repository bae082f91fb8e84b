import Dispatch
import Foundation

/// Sorts index entries in bounded memory: runs that exceed the budget go to an unlinked temporary file and are merged.
///
/// An item in the buffer: length of the full key (2 bytes), full key, flags (1 byte), then each included field with its
/// length (2 bytes, 0xFFFF for nil). One thread at a time.
final class EntrySorter {
    private let includedCount: Int
    private let invertsRowID: Bool
    private let budget: Int
    private var buffer: UnsafeMutableRawBufferPointer
    private var used = 0
    private var offsets: [Int] = []
    private var isSorted = true
    private var spilled: [SpilledRun] = []
    private(set) var count = 0
    /// Items in sorted order lie all over the memory. So many are read one after the other before they are handed out:
    /// then the processor waits for them together, not for each on its own.
    private static let ahead = 64
    /// Written so that those reads are made.
    private var touched: UInt8 = 0

    init(shape: BlockShape, budget: Int) {
        includedCount = shape.includedCount
        invertsRowID = shape.invertsRowID
        self.budget = max(budget, 1 << 16)
        buffer = .allocate(byteCount: 1 << 16, alignment: 8)
    }

    deinit { buffer.deallocate() }

    /// Bytes of items in memory; 0 when some lie in files.
    var memoryBytes: Int? { spilled.isEmpty ? used : nil }

    func append(_ entry: IndexEntry) throws {
        try entry.key.withUnsafeBytes {
            try append(key: $0, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included)
        }
    }

    /// Appends an entry from borrowed component bytes.
    func append(key: UnsafeRawBufferPointer, rowID: RowID, isInexact: Bool, included: [[UInt8]?] = []) throws {
        let needed = 11 + key.count + included.reduce(0) { $0 + 2 + ($1?.count ?? 0) }
        if used + needed > budget { try spill() }
        if used + needed > buffer.count { grow(needed) }
        offsets.append(used)
        put(UInt16(truncatingIfNeeded: key.count + 8).littleEndian)
        put(key)
        put((invertsRowID ? ~rowID : rowID).bigEndian)
        put(UInt8(isInexact ? 1 : 0))
        for field in included {
            guard let field, field.count < 0xFFFF else {
                put(UInt16.max)
                continue
            }
            put(UInt16(truncatingIfNeeded: field.count).littleEndian)
            field.withUnsafeBytes { put($0) }
        }
        count += 1
        isSorted = false
    }

    private func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
        buffer.storeBytes(of: number, toByteOffset: used, as: type(of: number))
        used += MemoryLayout.size(ofValue: number)
    }

    private func put(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + bytes.count]).copyMemory(from: bytes)
        used += bytes.count
    }

    private func grow(_ needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(buffer.count * 2, used + needed), alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<used]))
        buffer.deallocate()
        buffer = larger
    }

    /// Calls the closure with every entry in order of the full keys. May be called again.
    func forEachSorted(_ body: (borrowing SortedEntry) throws -> Void) throws {
        sort()
        guard !spilled.isEmpty else {
            let bytes = UnsafeRawBufferPointer(buffer)
            for start in stride(from: 0, to: offsets.count, by: Self.ahead) {
                let chunk = start..<min(start + Self.ahead, offsets.count)
                touched = chunk.reduce(0) { $0 | bytes[offsets[$1]] }
                for position in chunk {
                    try body(SortedEntry(bytes, at: offsets[position], includedCount, invertsRowID))
                }
            }
            return
        }
        try spill()
        var merge = try RunMerge(spilled.map { try SpilledRunReader($0) })
        while let item = try merge.next() {
            try item.withUnsafeBytes { try body(SortedEntry($0, at: 0, includedCount, invertsRowID)) }
        }
    }

    /// Sorts what is in memory, see ``EntrySort``.
    func sort() {
        guard !isSorted else { return }
        isSorted = true
        EntrySort.sort(&offsets, in: UnsafeRawBufferPointer(buffer))
    }

    private func spill() throws {
        guard !offsets.isEmpty else { return }
        sort()
        let run = try SpilledRun()
        let bytes = UnsafeRawBufferPointer(buffer)
        for offset in offsets {
            let end = SortedEntry(bytes, at: offset, includedCount, invertsRowID).end
            try run.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
        }
        try run.finish()
        spilled.append(run)
        offsets.removeAll(keepingCapacity: true)
        used = 0
        isSorted = true
    }

    /// Sorts several at once, on as many cores as there are.
    static func sort(_ sorters: [EntrySorter]) {
        nonisolated(unsafe) let sorters = sorters
        DispatchQueue.concurrentPerform(iterations: sorters.count) { sorters[$0].sort() }
    }
}

/// An entry as it lies in a sorter's memory; gone when the closure that it is handed to returns.
struct SortedEntry: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private let offset: Int
    private let includedCount: Int
    private let invertsRowID: Bool

    fileprivate init(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ includedCount: Int, _ invertsRowID: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.includedCount = includedCount
        self.invertsRowID = invertsRowID
    }

    private var keyEnd: Int { offset + 2 + FullKey.length(bytes, offset) }

    /// Component bytes.
    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<keyEnd - 8]) }

    var rowID: RowID {
        let number = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: keyEnd - 8, as: UInt64.self))
        return invertsRowID ? ~number : number
    }

    var isInexact: Bool { bytes[keyEnd] == 1 }

    var included: [[UInt8]?] {
        guard includedCount > 0 else { return [] }
        var at = keyEnd + 1
        return (0..<includedCount).map { _ in
            let length = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
            at += 2
            guard length != 0xFFFF else { return nil }
            defer { at += length }
            return Array(bytes[at..<at + length])
        }
    }

    var entry: IndexEntry {
        IndexEntry(key: Array(key), rowID: rowID, isInexact: isInexact, included: included)
    }

    fileprivate var end: Int {
        var at = keyEnd + 1
        for _ in 0..<includedCount {
            let length = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
            at += 2 + (length == 0xFFFF ? 0 : length)
        }
        return at
    }
}

/// Comparing items of sorters by their full keys.
enum FullKey {
    static func length(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    static func compare(
        _ left: UnsafeRawBufferPointer, _ leftOffset: Int, _ right: UnsafeRawBufferPointer, _ rightOffset: Int,
        skipping common: Int = 0
    ) -> Int {
        let leftCount = length(left, leftOffset) - common
        let rightCount = length(right, rightOffset) - common
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
        let order = memcmp(
            leftBase + leftOffset + 2 + common, rightBase + rightOffset + 2 + common, min(leftCount, rightCount))
        return order != 0 ? Int(order) : leftCount - rightCount
    }
}
