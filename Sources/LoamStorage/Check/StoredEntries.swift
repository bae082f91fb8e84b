/// The entries of an index one by one, a block's worth copied out at a time.
struct StoredEntries {
    private let index: IndexAccess
    private let reader: IndexReader
    private let snapshot: Snapshot
    private var buffer: [IndexEntry] = []
    /// For each entry and included field whether the index leaves the value to the record. Empty without included
    /// fields.
    private var leftOut: [[Bool]] = []
    private var position = 0
    private var isAtEnd = false

    init(_ index: IndexAccess, reader: IndexReader, snapshot: Snapshot) throws {
        self.index = index
        self.reader = reader
        self.snapshot = snapshot
        try fill(from: .all)
    }

    /// The entry at hand; nil after the last.
    var head: IndexEntry? { position < buffer.count ? buffer[position] : nil }

    /// For each included field of the current entry whether the index leaves the value to the record.
    var headLeavesOut: [Bool] { position < leftOut.count ? leftOut[position] : [] }

    mutating func advance() throws {
        position += 1
        guard position >= buffer.count, !isAtEnd, let last = buffer.last else { return }
        // The smallest key above the last one.
        let bound = last.fullKey(invertsRowID: index.blockShape.invertsRowID) + [0]
        try fill(from: KeyRange(lower: bound))
        // In a block out of order the last entry need not be the greatest: without this it would come again and again.
        guard let head, head.fullKey(invertsRowID: index.blockShape.invertsRowID).precedes(bound) else { return }
        throw StorageError(.damagedBlock("its entries are out of order"), index: index.index.name)
    }

    private mutating func fill(from range: KeyRange) throws {
        var entries: [IndexEntry] = []
        var leftOut: [[Bool]] = []
        let columns = 0..<index.blockShape.includedCount
        try reader.scan(range, reversed: false, in: snapshot.transaction) { batch in
            for position in 0..<batch.count {
                entries.append(try batch.entry(at: position))
                guard !columns.isEmpty else { continue }
                leftOut.append(try columns.map { try batch.includedState($0, at: position) == .leftOut })
            }
            return entries.count < 4_096
        }
        (buffer, self.leftOut) = (entries, leftOut)
        position = 0
        isAtEnd = entries.isEmpty
    }
}

extension IndexEntry {
    /// Whether the included values are the same, but for those that did not fit and are left out.
    func agrees(with derived: IndexEntry, leavingOut leftOut: [Bool]) -> Bool {
        guard included.count == derived.included.count, included.count == leftOut.count else { return false }
        return included.indices.allSatisfy { leftOut[$0] || included[$0] == derived.included[$0] }
    }
}

extension [UInt8] {
    func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
