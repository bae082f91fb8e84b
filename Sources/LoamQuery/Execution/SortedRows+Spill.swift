import LoamStorage

/// The bound of a sort's memory: what of it each part may take, and what happens where rows exceed it.
extension SortSpace {
    /// Bytes that are written at a time, and those of the rows of a portion that is handed out.
    var portionBytes: Int { min(max(0, memory) / 8, 8 << 20) }

    /// What is left for the rows while they are collected: a portion may be written meanwhile.
    fileprivate var collectingBytes: Int { max(0, memory) - 2 * portionBytes }

    /// What a ``SortBound`` may take besides.
    fileprivate var boundBytes: Int { min(portionBytes, 1 << 20) }
}

extension SortedRows {
    /// Puts what is in memory in order. O(n log n).
    private mutating func sortItems() {
        let (direction, keys) = (rowIDDirection, keys)
        keys.withUnsafeBytes { keys in
            items.sort { Self.precedes($0, right: $1, keys: keys, rowIDDirection: direction) }
        }
    }

    /// The bytes that are held for the rows in memory, with those that sorting them takes.
    var heldBytes: Int {
        rowRoom * Self.rowBytes + keyRoom + valueBytes
    }

    /// A sort moves up to half of the items aside.
    private static var rowBytes: Int { MemoryLayout<Item>.stride * 3 / 2 + MemoryLayout<Kept>.stride }

    /// Makes room for one more row: in memory, where there is enough of it, even while both the old and the new buffers
    /// are there; else the rows that are in memory are written.
    ///
    /// - Throws: `temporaryFile`.
    mutating func makeRoom(for match: Match, key: UnsafeRawBufferPointer) throws {
        if keys.count + key.count > keyRoom, keys.count > 2 * usedBytes { dropUnusedKeys() }
        var (rows, keyBytes) = growth(keyCount: key.count)
        if let space, heldBytes + rows * Self.rowBytes + keyBytes > space.collectingBytes, !items.isEmpty {
            try spill(to: space, leaving: match.isComplete ? 0 : match.values.sortedByteCount)
            (rows, keyBytes) = growth(keyCount: key.count)
        }
        noteBytes(besides: rows * Self.rowBytes + keyBytes)
        if rows > 0 {
            items.reserveCapacity(rows)
            kept.reserveCapacity(rows)
            rowRoom = rows
        }
        if keyBytes > 0 {
            keys.reserveCapacity(keyBytes)
            keyRoom = keyBytes
        }
        valueRoom = space.map { max(valueBytes, $0.collectingBytes - heldBytes + valueBytes) } ?? .max
    }

    /// The rows and the bytes of keys for which buffers that are full are made anew; 0 for the others.
    private func growth(keyCount: Int) -> (rows: Int, keyBytes: Int) {
        let needed = keys.count + keyCount
        return (
            items.count == rowRoom && rowRoom != limit ? min(max(8, 2 * rowRoom), limit ?? .max) : 0,
            needed > keyRoom ? max(64, 2 * keyRoom, needed) : 0
        )
    }

    private mutating func noteBytes(besides bytes: Int) {
        mostBytes = max(mostBytes, heldBytes + (bound?.byteCount ?? 0) + bytes)
    }

    /// Writes the rows that are in memory as a run, up to the bound that it comes to, and keeps the memory.
    ///
    /// - Parameter rest: bytes of values that belong to a row that comes later.
    mutating func spill(to space: SortSpace, leaving rest: Int = 0) throws {
        sortItems()
        var file = try runs ?? SortRunFile(space, rowIDDirection: rowIDDirection)
        var bound =
            bound ?? limit.map { SortBound(wanted: $0, memory: space.boundBytes, rowIDDirection: rowIDDirection) }
        bound?.beginRun(rowCount: items.count)
        try keys.withUnsafeBytes { keys in
            try file.append { writer in
                for item in items {
                    let key = item.key(in: keys)
                    if bound?.isBefore(item.rowID, prefix: item.prefix, key: key) == true { break }
                    try writer.append(item, key: key, kept: kept[item.index])
                    bound?.note(item, key: key, isLast: writer.rowCount == items.count)
                }
            }
        }
        (runs, self.bound) = (file, bound)
        noteBytes(besides: space.portionBytes)
        items.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        (usedBytes, valueBytes) = (0, rest)
    }

    /// The rows in order. O(n log n).
    ///
    /// - Throws: `temporaryFile`.
    consuming func sorted() throws -> SortedMatches {
        if let space, runs != nil, !items.isEmpty { try spill(to: space) }
        guard let runs else {
            sortItems()
            return SortedMatches(
                items, kept: kept, keys: keys, portionBytes: space?.portionBytes ?? .max,
                mostBytes: max(mostBytes, heldBytes))
        }
        // What is held goes before runs are merged.
        (items, kept, keys, bound) = ([], [], [], nil)
        return try SortedMatches(merging: runs, limit: limit, mostBytes: mostBytes)
    }
}
