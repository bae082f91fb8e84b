import LMDB

/// Two rows that are related, each with its place in the other's order.
struct RelatedPair: Hashable {
    var source: RowID
    var place: Int64
    var destination: RowID
    var otherPlace: Int64
}

/// Pairs of rows in the order of their destinations, sorted in bounded memory.
///
/// One thread at a time.
final class RelatedPairs {
    let budget: Int
    private let sorter: EntrySorter

    /// - Parameter budget: bytes of pairs in memory before they are sorted in a file.
    init(budget: Int) {
        self.budget = budget
        sorter = EntrySorter(shape: .ofBytes(24), budget: budget)
    }

    var count: Int { sorter.count }
    /// The most bytes of pairs that lay in memory at a time.
    var mostBytes: Int { sorter.mostBytes }

    func append(_ pair: RelatedPair) throws {
        var key: [UInt8] = []
        key.reserveCapacity(24)
        key += [UInt8](bigEndian: pair.destination)
        key += LinkTable.ordered(pair.place)
        key += LinkTable.ordered(pair.otherPlace)
        try key.withUnsafeBytes { try sorter.append(key: $0, rowID: pair.source, isInexact: false) }
    }

    /// Calls the closure with every pair, by destination. May be called again.
    func forEach(_ body: (RelatedPair) throws -> Void) throws {
        try sorter.forEachSorted { entry in
            let key = entry.key
            try body(
                RelatedPair(
                    source: entry.rowID, place: LinkTable.position(key, offset: 8), destination: key.bigEndian(at: 0),
                    otherPlace: LinkTable.position(key, offset: 16)))
        }
    }

    /// The first row that several pairs lead to.
    func firstRepeatedDestination() throws -> RowID? {
        var (last, repeated): (RowID?, RowID?) = (nil, nil)
        try forEach { pair in
            if repeated == nil, pair.destination == last { repeated = last }
            last = pair.destination
        }
        return repeated
    }

    /// The first row of an entity that no pair leads to.
    func firstRow(of entity: EntityAccess, in transaction: borrowing some Transaction & ~Copyable) throws -> RowID? {
        var rows = RowIDs(entity)
        var left: RowID?
        var next = try rows.next(in: transaction)
        try forEach { pair in
            guard left == nil, let row = next, row <= pair.destination else { return }
            if row < pair.destination { left = row } else { next = try rows.next(in: transaction) }
        }
        return left ?? next
    }
}

/// The ids of an entity's rows, ascending, read a few at a time.
private struct RowIDs {
    private let entity: EntityAccess
    private var ids: ArraySlice<RowID> = []
    private var bound: RowID? = 0

    init(_ entity: EntityAccess) { self.entity = entity }

    mutating func next(in transaction: borrowing some Transaction & ~Copyable) throws -> RowID? {
        if ids.isEmpty { try read(in: transaction) }
        return ids.popFirst()
    }

    private mutating func read(in transaction: borrowing some Transaction & ~Copyable) throws {
        guard let bound else { return }
        var read: [RowID] = []
        var cursor = try transaction.cursor(in: entity.records)
        var isAtEntry = try cursor.seek(atLeast: bound)
        while isAtEntry, read.count < 1_024 {
            read.append(cursor.integerKey)
            isAtEntry = try cursor.next()
        }
        self.bound = read.last.flatMap { $0 == .max ? nil : $0 + 1 }
        ids = read[...]
    }
}

/// The entries of a table of links, both halves of each, sorted in bounded memory and put in the order of their keys.
final class SortedLinks {
    private let sorter: EntrySorter

    /// - Parameter budget: bytes of entries in memory before they are sorted in a file.
    init(budget: Int) { sorter = EntrySorter(shape: .ofBytes(LinkTable.keyBytes), budget: budget) }

    /// - Parameter link: as half 0 has it.
    func append(_ link: LinkTable.Link) throws {
        for (half, side) in [(LinkTable.Half.forward, link), (.backward, link.mirrored)] {
            let key = LinkTable.key(half, owner: side.owner, position: side.position, member: side.member)
            let value = UInt64(bitPattern: side.otherPosition)
            try key.withUnsafeBytes { try sorter.append(key: $0, rowID: value, isInexact: false) }
        }
    }

    func put(to table: LinkTable, in transaction: inout WriteTransaction) throws {
        guard sorter.count > 0 else { return }
        let database = try transaction.makeDatabase(table.database)
        try sorter.forEachSorted { entry in
            let value = LinkTable.ordered(Int64(bitPattern: entry.rowID))
            try transaction.put(value.span.bytes, for: Array(entry.key).span.bytes, in: database)
        }
    }
}

extension BlockShape {
    /// For sorting keys of so many bytes that are no index's.
    fileprivate static func ofBytes(_ count: Int) -> BlockShape {
        BlockShape(id: 0, stride: count, leadingLength: .fixed(count))
    }
}
