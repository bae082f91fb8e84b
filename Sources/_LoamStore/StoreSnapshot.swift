import LoamQuery
import LoamStorage

/// One state of a store: every read that the benchmarks compare, each as one call.
public struct StoreSnapshot {
    let snapshot: Snapshot

    /// The object of a row; nil where there is none. The record's checksum is verified.
    public func object<Object>(
        _ rowID: UInt64, of entity: EntityHandle, _ make: (borrowing RowReader) throws -> Object
    ) throws -> Object? {
        try snapshot.withRow(rowID, of: entity.entity) { row in
            try row.verifyChecksum()
            return try make(RowReader(row))
        }
    }

    /// The objects of a range, in the order of the index or reversed, at most `limit`.
    public func objects<Object>(
        in range: IndexRange, reversed: Bool = false, limit: Int = .max,
        _ make: (borrowing RowReader) throws -> Object
    ) throws -> [Object] {
        let entity = range.index.entity
        var objects: [Object] = []
        try snapshot.scanIndex(range.index.index, range: range.range, reversed: reversed) { batch in
            for position in 0..<min(batch.count, limit - objects.count) {
                let object = try snapshot.withRow(batch.rowID(at: position), of: entity) { row in
                    try row.verifyChecksum()
                    return try make(RowReader(row))
                }
                if let object { objects.append(object) }
            }
            return objects.count < limit
        }
        return objects
    }

    /// The row ids of a range, in the order of the index.
    public func rowIDs(in range: IndexRange) throws -> [UInt64] {
        var rowIDs: [UInt64] = []
        try snapshot.scanIndex(range.index.index, range: range.range) { batch in
            batch.rowIDs.withUnsafeBufferPointer { rowIDs.append(contentsOf: $0) }
            return true
        }
        return rowIDs
    }

    /// All objects in the order of their ids.
    public func objects<Object>(
        of entity: EntityHandle, _ make: (borrowing RowReader) throws -> Object
    ) throws -> [Object] {
        var objects: [Object] = []
        objects.reserveCapacity(try snapshot.count(of: entity.entity))
        try snapshot.scanRows(of: entity.entity) { row in
            try row.verifyChecksum()
            objects.append(try make(RowReader(row)))
            return true
        }
        return objects
    }

    /// Calls the closure with every row, in the order of their ids; nothing is decoded that it does not ask for.
    public func forEachRow(of entity: EntityHandle, _ body: (borrowing RowReader) throws -> Void) throws {
        try snapshot.scanRows(of: entity.entity) { row in
            try body(RowReader(row))
            return true
        }
    }

    /// The ids of the rows that meet a predicate, as the planner finds them.
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

    /// The number of rows.
    public func count(of entity: EntityHandle) throws -> Int { try snapshot.count(of: entity.entity) }

    /// The number of entries in a range.
    public func count(in range: IndexRange) throws -> Int {
        try snapshot.count(in: range.index.index, range: range.range)
    }

    /// The sections of an index by its leading component, a string: titles and sizes, in order.
    public func sections(of index: IndexHandle) throws -> [(title: String, count: Int)] {
        try snapshot.sections(in: index.index, range: .all).map { section in
            var offset = 0
            let value = try index.shape.components[0].decode(section.key.span.bytes, at: &offset)
            guard case .string(let title) = value else { return ("", section.count) }
            return (title, section.count)
        }
    }
}
