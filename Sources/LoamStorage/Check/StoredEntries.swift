/// The entries of an index one by one, a block's worth copied out at a time.
struct StoredEntries {
    private let index: IndexAccess
    private let reader: IndexReader
    private let snapshot: Snapshot
    private var buffer: [IndexEntry] = []
    private var position = 0
    private var isAtEnd = false

    init(_ index: IndexAccess, _ reader: IndexReader, _ snapshot: Snapshot) throws {
        self.index = index
        self.reader = reader
        self.snapshot = snapshot
        try fill(from: .all)
    }

    /// The entry at hand; nil after the last.
    var head: IndexEntry? { position < buffer.count ? buffer[position] : nil }

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
        try reader.scan(range, reversed: false, in: snapshot.transaction) { batch in
            for position in 0..<batch.count { entries.append(try batch.entry(at: position)) }
            return entries.count < 4_096
        }
        buffer = entries
        position = 0
        isAtEnd = entries.isEmpty
    }
}

extension IndexEntry {
    /// Whether the included values are the same, where they are there at all: one that does not fit is left out.
    func agrees(with derived: IndexEntry) -> Bool {
        guard included.count == derived.included.count else { return false }
        return zip(included, derived.included).allSatisfy { $0 == nil || $0 == $1 }
    }
}

extension [UInt8] {
    func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
