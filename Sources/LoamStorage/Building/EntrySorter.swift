/// Sorts index entries in bounded memory: buffers that exceed the budget go to an unlinked temporary file and are
/// merged. What sorting short entries takes besides their bytes is counted too.
///
/// One thread at a time.
final class EntrySorter {
    private let shape: BlockShape
    private let budget: Int
    private let buffer: EntryBuffer
    private var spilled: [SpilledRun] = []
    private(set) var count = 0
    /// Items in sorted order lie all over the memory. So many are read one after the other before they are handed out:
    /// then the processor waits for them together, not for each on its own.
    private static let ahead = 64
    /// Written so that those reads are made.
    private var touched: UInt8 = 0

    init(shape: BlockShape, budget: Int) {
        self.shape = shape
        self.budget = max(budget, 1 << 16)
        buffer = EntryBuffer(shape: shape, capacity: 1 << 16)
    }

    /// The most bytes that items took in memory at a time.
    private(set) var mostBytes = 0

    /// Bytes of items in memory; nil when some lie in files.
    var memoryBytes: Int? { spilled.isEmpty ? buffer.byteCount : nil }

    func append(_ entry: IndexEntry) throws {
        try entry.key.withUnsafeBytes {
            try append(key: $0, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included)
        }
    }

    /// Appends an entry from borrowed component bytes.
    func append(key: UnsafeRawBufferPointer, rowID: RowID, isInexact: Bool, included: [[UInt8]?] = []) throws {
        if buffer.memoryCount + EntryBuffer.memoryCount(key: key.count, included: included) > budget { try spill() }
        buffer.append(key: key, rowID: rowID, flags: isInexact ? .inexact : [], included: included)
        count += 1
        mostBytes = max(mostBytes, buffer.memoryCount)
    }

    /// Calls the closure with every entry in order of the full keys. May be called again.
    func forEachSorted(_ body: (borrowing SortedEntry) throws -> Void) throws {
        sort()
        guard !spilled.isEmpty else {
            return try buffer.withItems { items in
                for start in stride(from: 0, to: items.count, by: Self.ahead) {
                    let chunk = start..<min(start + Self.ahead, items.count)
                    touched = chunk.reduce(0) { $0 | items[$1].firstByte }
                    for position in chunk { try body(items[position]) }
                }
            }
        }
        try spill()
        var merge = try RunMerge(spilled.map { try SpilledRunReader($0) })
        while let item = try merge.next() {
            try item.withUnsafeBytes { item in
                try body(
                    SortedEntry(item, at: 0, includedCount: shape.includedCount, invertsRowID: shape.invertsRowID))
            }
        }
    }

    /// Sorts what is in memory.
    func sort() { buffer.sort(moves: false) }

    private func spill() throws {
        guard buffer.count > 0 else { return }
        sort()
        let file = try SpilledRun()
        try buffer.withItems { items in
            for position in 0..<items.count { try file.append(items[position].item) }
        }
        try file.finish()
        spilled.append(file)
        buffer.removeAll()
    }

    /// Sorts several at once, on as many cores as there are.
    static func sort(_ sorters: [EntrySorter]) { EntryBuffer.sort(sorters.map(\.buffer), moves: false) }
}
