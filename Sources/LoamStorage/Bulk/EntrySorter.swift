import Foundation

/// Sorts index entries in bounded memory: runs that exceed the budget go to an unlinked temporary file and are merged.
///
/// An item in the buffer: length of the full key (2 bytes), full key, flags (1 byte), then each included field with its
/// length (2 bytes, 0xFFFF for nil). Sorting compares the first eight bytes of the full keys as one number, then the
/// rest. Not thread-safe.
final class EntrySorter {
    private let includedCount: Int
    private let invertsRowID: Bool
    private let budget: Int
    private var buffer: [UInt8] = []
    private var items: [Item] = []
    private var spilled: [SpilledRun] = []
    private(set) var count = 0

    private struct Item {
        let prefix: UInt64
        let offset: Int
    }

    init(shape: BlockShape, budget: Int) {
        includedCount = shape.includedCount
        invertsRowID = shape.invertsRowID
        self.budget = max(budget, 1 << 16)
    }

    func append(_ entry: IndexEntry) throws {
        if buffer.count + 64 + entry.key.count > budget { try spill() }
        let offset = buffer.count
        let length = entry.key.count + 8
        buffer.append(UInt8(truncatingIfNeeded: length))
        buffer.append(UInt8(truncatingIfNeeded: length >> 8))
        buffer.append(contentsOf: entry.key)
        buffer.appendRowID(entry.rowID, inverted: invertsRowID)
        buffer.append(entry.isInexact ? 1 : 0)
        for field in entry.included {
            let length = field.map { min($0.count, 0xFFFE) } ?? 0xFFFF
            buffer.append(UInt8(truncatingIfNeeded: length))
            buffer.append(UInt8(truncatingIfNeeded: length >> 8))
            if let field { buffer.append(contentsOf: field.prefix(length)) }
        }
        items.append(Item(prefix: prefix(at: offset), offset: offset))
        count += 1
    }

    /// Calls the closure with every entry in order of the full keys, once. The sorter is empty afterwards.
    func drain(_ body: (IndexEntry) throws -> Void) throws {
        sortItems()
        if spilled.isEmpty {
            for item in items { try body(entry(at: item.offset)) }
        } else {
            try spill()
            var merge = try RunMerge(spilled.map { try SpilledRunReader($0) })
            while let bytes = try merge.next() { try body(Self.entry(bytes[...], includedCount, invertsRowID)) }
        }
        buffer = []
        items = []
        spilled = []
    }

    private func prefix(at offset: Int) -> UInt64 {
        // A full key ends with a row id, so eight bytes are always there.
        buffer.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset + 2, as: UInt64.self)) }
    }

    private func sortItems() {
        buffer.withUnsafeBytes { bytes in
            items.sort { left, right in
                if left.prefix != right.prefix { return left.prefix < right.prefix }
                return FullKey.precedes(bytes, left.offset, right.offset)
            }
        }
    }

    private func spill() throws {
        guard !items.isEmpty else { return }
        sortItems()
        let run = try SpilledRun()
        for item in items { try run.append(buffer[item.offset..<itemEnd(item.offset)]) }
        try run.finish()
        spilled.append(run)
        buffer.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
    }

    private func itemEnd(_ offset: Int) -> Int {
        var at = offset + 2 + Int(buffer[offset]) + Int(buffer[offset + 1]) << 8 + 1
        for _ in 0..<includedCount {
            let length = Int(buffer[at]) + Int(buffer[at + 1]) << 8
            at += 2 + (length == 0xFFFF ? 0 : length)
        }
        return at
    }

    private func entry(at offset: Int) -> IndexEntry {
        Self.entry(buffer[offset...], includedCount, invertsRowID)
    }

    /// Reads back what `append` wrote.
    private static func entry(_ bytes: ArraySlice<UInt8>, _ includedCount: Int, _ inverted: Bool) -> IndexEntry {
        var at = bytes.startIndex
        func length() -> Int {
            defer { at += 2 }
            return Int(bytes[at]) + Int(bytes[at + 1]) << 8
        }
        let keyEnd = length() + at
        let key = Array(bytes[at..<keyEnd - 8])
        let number = bytes[keyEnd - 8..<keyEnd].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isInexact = bytes[keyEnd] == 1
        at = keyEnd + 1
        var included: [[UInt8]?] = []
        for _ in 0..<includedCount {
            let length = length()
            included.append(length == 0xFFFF ? nil : Array(bytes[at..<at + length]))
            at += length == 0xFFFF ? 0 : length
        }
        return IndexEntry(key: key, rowID: inverted ? ~number : number, isInexact: isInexact, included: included)
    }
}

/// Comparing items of a sorter by their full keys.
enum FullKey {
    static func precedes(_ bytes: UnsafeRawBufferPointer, _ left: Int, _ right: Int) -> Bool {
        compare(bytes, left, bytes, right) < 0
    }

    static func compare(
        _ left: UnsafeRawBufferPointer, _ leftOffset: Int, _ right: UnsafeRawBufferPointer, _ rightOffset: Int
    ) -> Int {
        let leftCount = Int(left[leftOffset]) + Int(left[leftOffset + 1]) << 8
        let rightCount = Int(right[rightOffset]) + Int(right[rightOffset + 1]) << 8
        let leftKey = UnsafeRawBufferPointer(rebasing: left[leftOffset + 2..<leftOffset + 2 + leftCount])
        let rightKey = UnsafeRawBufferPointer(rebasing: right[rightOffset + 2..<rightOffset + 2 + rightCount])
        guard let leftBase = leftKey.baseAddress, let rightBase = rightKey.baseAddress else { return 0 }
        let order = memcmp(leftBase, rightBase, min(leftCount, rightCount))
        return order != 0 ? Int(order) : leftCount - rightCount
    }
}
