import LoamQuery
import LoamStorage

/// One state of a store: every read that the benchmarks compare, each as one call.
public struct StoreSnapshot {
    let snapshot: Snapshot

    /// Calls the closure with a row whose checksum was verified; returns whether there is one.
    ///
    /// - Throws: an error that names the row, where its record or checksum is wrong, and what the closure throws.
    @discardableResult
    public func withRow(
        _ rowID: UInt64, of entity: EntityHandle, _ body: (borrowing RowReader) throws -> Void
    ) throws -> Bool {
        try snapshot.visitRow(rowID, of: entity.entity) { row in
            try row.verifyChecksum()
            try body(RowReader(row))
        }
    }

    /// Calls the closure with the rows of a range, in the order of the index or reversed, at most `limit`; checksums
    /// are verified. O(log n) for each row.
    ///
    /// - Throws: an error where the index was removed or cannot be read now, where a block of it is damaged, or where
    ///   a row's record or checksum is wrong, and what the closure throws. Rows before that were handed out by then.
    public func forEachRow(
        in range: IndexRange, reversed: Bool = false, limit: Int = .max, _ body: (borrowing RowReader) throws -> Void
    ) throws {
        let entity = range.index.entity
        var left = limit
        try snapshot.scanIndex(range.index.index, range: range.range, reversed: reversed) { batch in
            for position in 0..<min(batch.count, left) {
                try snapshot.visitRow(batch.rowID(at: position), of: entity) { row in
                    try row.verifyChecksum()
                    try body(RowReader(row))
                }
            }
            left -= min(batch.count, left)
            return left > 0
        }
    }

    /// The row ids of a range, in the order of the index. O(log n + rows of the range).
    ///
    /// - Throws: an error where the index was removed or cannot be read now, where a block of it is damaged.
    public func rowIDs(in range: IndexRange) throws -> [UInt64] {
        var rowIDs: [UInt64] = []
        try snapshot.scanIndex(range.index.index, range: range.range) { batch in
            batch.rowIDs.withUnsafeBufferPointer { rowIDs.append(contentsOf: $0) }
            return true
        }
        return rowIDs
    }

    /// Calls the closure with every row, in the order of their ids; nothing is decoded that it does not ask for.
    /// O(rows).
    ///
    /// - Parameter verifying: whether checksums are verified, as they are where rows become objects.
    /// - Throws: an error that names the row, where its record is wrong, or its checksum and `verifying` is true, and
    ///   what the closure throws. Rows before that were handed out by then.
    public func forEachRow(
        of entity: EntityHandle, verifying: Bool, _ body: (borrowing RowReader) throws -> Void
    ) throws {
        try snapshot.scanRows(of: entity.entity) { row in
            if verifying { try row.verifyChecksum() }
            try body(RowReader(row))
            return true
        }
    }

    /// The ids of the rows that meet a predicate, as the planner finds them. O(rows that the plan reaches).
    ///
    /// - Throws: an error that says which part of the predicate cannot be run, or what is damaged.
    public func rowIDs(of entity: EntityHandle, where format: String) throws -> [UInt64] {
        let query = Query(
            entity: entity.entity.name, predicate: try PredicateParser.parse(format), columns: [])
        var rowIDs: [UInt64] = []
        var work = Work()
        try Planner.plan(query, in: snapshot).execute(in: snapshot, work: &work) { rowID, _ in
            rowIDs.append(rowID)
            return true
        }
        return rowIDs
    }

    /// The number of rows. O(1).
    ///
    /// - Throws: an error where the entity was removed.
    public func count(of entity: EntityHandle) throws -> Int { try snapshot.count(of: entity.entity) }

    /// The number of entries in a range. O(log n), beside the sums of the index, which a snapshot reads once.
    ///
    /// - Throws: an error where the index was removed or cannot be read now, where a block of it is damaged, or where
    ///   its sums are.
    public func count(in range: IndexRange) throws -> Int {
        try snapshot.count(in: range.index.index, range: range.range)
    }

    /// The sections of an index by its leading component, a string: titles and sizes, in order. O(sections · log n),
    /// beside the sums of the index.
    ///
    /// - Throws: an error where the index was removed or cannot be read now, where a block of it is damaged, or where
    ///   its sums are.
    public func sections(of index: IndexHandle) throws -> [(title: String, count: Int)] {
        try snapshot.sections(in: index.index, range: .all).map { section in
            var offset = 0
            let value = try index.shape.components[0].decode(section.key.span.bytes, at: &offset)
            guard case .string(let title) = value else { return ("", section.count) }
            return (title, section.count)
        }
    }
}
