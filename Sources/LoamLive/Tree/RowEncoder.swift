import LoamStorage

/// Writes rows that come in order into the storage of a leaf.
struct RowEncoder: ~Copyable {
    private var rowIDs: [RowID] = []
    private var keys: [UInt8] = []
    /// The key of the last row, where ``unread`` is nil.
    private var lastKey: [UInt8] = []
    /// Where the key of the last row can be read, if another one follows.
    private var unread: (storage: RowStorage, position: Int)?

    var count: Int { rowIDs.count }

    /// Appends a row.
    ///
    /// - Parameter key: without zeros at its end.
    mutating func append(_ rowID: RowID, key: UnsafeRawBufferPointer) {
        write(key)
        rowIDs.append(rowID)
        lastKey.removeAll(keepingCapacity: true)
        lastKey += key
    }

    /// Appends rows of a leaf. O(rows of the leaf).
    mutating func append(_ rows: Range<Int>, of storage: RowStorage?) {
        guard let storage, let first = rows.first else { return }
        // The key of the first one is written anew, unless it has none before it in either.
        let isBeginning = first == 0 && rowIDs.isEmpty
        if !isBeginning { storage.key(first).withUnsafeBytes { write($0) } }
        rowIDs.reserveCapacity(rowIDs.count + rows.count + 1)
        storage.withRowIDs { rowID in
            for position in rows { rowIDs.append(rowID(position)) }
        }
        storage.withKeys { reader in
            reader.skip(isBeginning ? 0 : first + 1)
            let start = reader.rest
            if rows.upperBound == storage.count { return keys += start }
            reader.skip(isBeginning ? rows.count : rows.count - 1)
            keys += start.prefix(start.count - reader.rest.count)
        }
        unread = (storage, rows.upperBound - 1)
    }

    /// The rows that were written, in as much memory as they take; nil where there is none. Begins anew.
    mutating func finish() -> RowStorage? {
        guard !rowIDs.isEmpty else { return nil }
        let storage = RowStorage.make(rowIDs, keys: keys)
        rowIDs.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        lastKey.removeAll(keepingCapacity: true)
        unread = nil
        return storage
    }

    private mutating func write(_ key: UnsafeRawBufferPointer) {
        if let (storage, position) = unread {
            lastKey = storage.key(position)
            unread = nil
        }
        let shared = lastKey.withUnsafeBytes { $0.commonCount(with: key) }
        write(shared)
        write(key.count - shared)
        keys += key[shared...]
    }

    private mutating func write(_ number: Int) {
        var rest = number
        while rest >= 0x80 {
            keys.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        keys.append(UInt8(rest))
    }
}
