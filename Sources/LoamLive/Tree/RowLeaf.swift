import LoamStorage

/// Rows of a result in order, with their whole keys: 16 bytes for most of them.
///
/// What the keys begin with in common is kept once. Behind it lie 8 bytes of each key beside its row's id; what a key
/// has behind those, as long strings have, lies in ``RowTails``. Keys are compared as if zeros followed them without
/// end: no key of an order is the beginning of another one, so zeros never decide, and none is kept at a key's end.
///
/// One allocation for the rows, and one for what they have in common. Copies share them until one is changed.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `storage` | nobody: what two leaves share is not written | the only leaf that holds it | the last leaf goes |
package struct RowLeaf: CountedLeaf, @unchecked Sendable {
    var storage: RowStorage?

    package init() {}

    init(_ storage: RowStorage) { self.storage = storage }

    package var count: Int { storage?.header.count ?? 0 }
    package var weight: Int { count }

    package func weight(before position: Int) -> Int { position }

    /// The row at a position, with its key: a copy.
    package subscript(position: Int) -> ResultRow {
        guard let storage else { preconditionFailure("There is no such position.") }
        return ResultRow(rowID: storage.rowID(position), key: storage.key(position))
    }

    /// The id of the row at a position.
    func rowID(_ position: Int) -> RowID {
        guard let storage else { preconditionFailure("There is no such position.") }
        return storage.rowID(position)
    }

    // MARK: Changes

    package mutating func insert(_ element: ResultRow, at position: Int, capacity: Int) {
        let isUnique = isKnownUniquelyReferenced(&storage)
        guard let shared = storage else {
            var rows = RowBuffer()
            element.key.withUnsafeBytes { rows.append(element.rowID, key: $0) }
            storage = RowStorage.make(rows, 0..<1, capacity: capacity)
            return
        }
        precondition(0...shared.header.count ~= position, "There is no such position.")
        let common = element.key.withUnsafeBytes { shared.header.prefix.commonCount(paddedWith: $0) }
        let target: RowStorage
        if isUnique, common == shared.header.prefix.count, shared.hasRoom {
            target = shared
        } else {
            target = shared.copy(prefixCount: common, capacity: capacity)
            storage = target
        }
        element.key.withUnsafeBytes { target.insert(element.rowID, key: $0, at: position) }
    }

    package mutating func remove(at position: Int, capacity: Int) {
        unique(capacity).remove(at: position)
        if count == 0 { storage = nil }
    }

    package mutating func replace(at position: Int, with element: ResultRow, capacity: Int) {
        remove(at: position, capacity: capacity)
        insert(element, at: position, capacity: capacity)
    }

    package mutating func split(at position: Int, capacity: Int) -> Self {
        guard let storage else { return self }
        var rows = RowBuffer()
        rows.append(storage)
        let count = rows.count
        self.storage = RowStorage.make(rows, 0..<position, capacity: capacity)
        return Self(RowStorage.make(rows, position..<count, capacity: max(capacity, count - position)))
    }

    package mutating func append(_ other: Self, capacity: Int) {
        guard let added = other.storage else { return }
        var rows = RowBuffer()
        if let storage { rows.append(storage) }
        rows.append(added)
        storage = RowStorage.make(rows, 0..<rows.count, capacity: max(capacity, rows.count))
    }

    private mutating func unique(_ capacity: Int) -> RowStorage {
        let isUnique = isKnownUniquelyReferenced(&storage)
        guard let shared = storage else { preconditionFailure("There is no such position.") }
        if isUnique { return shared }
        let copy = shared.copy(prefixCount: shared.header.prefix.count, capacity: capacity)
        storage = copy
        return copy
    }
}

/// A row as a leaf keeps it.
struct RowEntry: BitwiseCopyable {
    /// The first 8 bytes of the key behind what all keys begin with, as a number that orders as they do.
    var remainder: UInt64
    var rowID: RowID
}

/// The rows of a ``RowLeaf``.
final class RowStorage: ManagedBuffer<RowStorage.Header, RowEntry> {
    struct Header {
        var count: Int
        let capacity: Int
        let prefix: [UInt8]
        /// What the keys have behind the remainders; empty where no key has anything there.
        var tails = RowTails()
    }

    /// Room for one more than a leaf holds, before it is split.
    static func make(prefix: [UInt8], capacity: Int) -> RowStorage {
        let buffer = create(minimumCapacity: capacity + 1) { _ in
            Header(count: 0, capacity: capacity + 1, prefix: prefix)
        }
        return unsafeDowncast(buffer, to: RowStorage.self)
    }

    /// The rows of a range of a buffer, whose keys begin with as much in common as they can.
    static func make(_ rows: borrowing RowBuffer, _ range: Range<Int>, capacity: Int) -> RowStorage {
        let storage = make(prefix: rows.prefix(of: range), capacity: capacity)
        for number in range { rows.withKey(number) { storage.insert($0, key: $1, at: storage.header.count) } }
        return storage
    }

    var hasRoom: Bool { header.count < header.capacity }

    /// The same rows behind a prefix that is as long, or shorter.
    func copy(prefixCount: Int, capacity: Int) -> RowStorage {
        if prefixCount == header.prefix.count {
            let copy = Self.make(prefix: header.prefix, capacity: max(capacity, header.count))
            copy.header.count = header.count
            copy.header.tails = header.tails
            withUnsafeMutablePointerToElements { source in
                copy.withUnsafeMutablePointerToElements { $0.initialize(from: source, count: header.count) }
            }
            return copy
        }
        let copy = Self.make(prefix: Array(header.prefix[..<prefixCount]), capacity: max(capacity, header.count))
        var rows = RowBuffer()
        rows.append(self)
        for number in 0..<rows.count { rows.withKey(number) { copy.insert($0, key: $1, at: number) } }
        return copy
    }

    func rowID(_ position: Int) -> RowID { entry(position).rowID }

    func entry(_ position: Int) -> RowEntry {
        precondition(0..<header.count ~= position, "There is no such position.")
        return withUnsafeMutablePointerToElements { $0[position] }
    }

    /// The key of the row at a position, without zeros at its end.
    func key(_ position: Int) -> [UInt8] {
        var key: [UInt8] = []
        appendKey(position, to: &key)
        key.trimZeros(after: 0)
        return key
    }

    /// Appends the key of the row at a position, with zeros at its end if it is short.
    func appendKey(_ position: Int, to key: inout [UInt8]) {
        key += header.prefix
        withUnsafeBytes(of: entry(position).remainder.bigEndian) { key += $0 }
        header.tails.withTail(position) { key += $0 }
    }

    /// Inserts a row whose key begins with the prefix.
    func insert(_ rowID: RowID, key: UnsafeRawBufferPointer, at position: Int) {
        let count = header.count
        precondition(count < header.capacity, "A leaf holds no more rows.")
        withUnsafeMutablePointerToElements { entries in
            let target = entries + position
            (target + 1).update(from: target, count: count - position)
            target.initialize(to: RowEntry(remainder: key.remainder(behind: header.prefix.count), rowID: rowID))
        }
        header.tails.insert(key.tail(behind: header.prefix.count), at: position, count: count)
        header.count = count + 1
    }

    func remove(at position: Int) {
        let count = header.count
        precondition(0..<count ~= position, "There is no such position.")
        withUnsafeMutablePointerToElements { entries in
            (entries + position).update(from: entries + position + 1, count: count - position - 1)
        }
        header.tails.remove(at: position)
        header.count = count - 1
    }
}

/// The ends of keys that are longer than what a leaf keeps beside their rows.
struct RowTails: Sendable {
    /// Where the tail of each row ends in the bytes; empty where no row has one.
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    /// About the memory that they take.
    var byteCount: Int { ends.isEmpty ? 0 : 64 + 8 * ends.capacity + bytes.capacity }

    func withTail<R>(_ position: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        guard !ends.isEmpty else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let range = range(position)
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func range(_ position: Int) -> Range<Int> {
        (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }

    /// - Parameter count: how many rows there were.
    mutating func insert(_ tail: UnsafeRawBufferPointer, at position: Int, count: Int) {
        if ends.isEmpty {
            if tail.isEmpty { return }
            ends = Array(repeating: 0, count: count)
        }
        let start = position == 0 ? 0 : ends[position - 1]
        bytes.insert(contentsOf: tail, at: start)
        ends.insert(start, at: position)
        for later in position..<ends.count { ends[later] += tail.count }
    }

    mutating func remove(at position: Int) {
        guard !ends.isEmpty else { return }
        let range = range(position)
        bytes.removeSubrange(range)
        ends.remove(at: position)
        for later in position..<ends.count { ends[later] -= range.count }
        if bytes.isEmpty { ends = [] }
    }
}
