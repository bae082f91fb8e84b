import LMDB

/// Fresh rows on their way into the store.
extension FreshRows {
    /// Records as they are stored, group by group.
    typealias Records = [[[UInt8]]]

    /// Seals the records and adds their index entries. Reads only.
    ///
    /// - Parameters:
    ///   - draft: what the batch does to relationships; nil where no fresh row has any.
    ///   - mapping: of rows that inserts became.
    func seal(
        save: UInt64, mapping: [RowID: RowID], draft: BatchDraft?, to buffers: IndexBuffers,
        in transaction: borrowing WriteTransaction
    ) throws -> Records {
        try groups.map { group in
            let uniqueIDs = group.unique.map(\.index.index.id)
            for (index, buffer) in group.unique { buffers.use(buffer, for: index) }
            let indexes = group.access.indexes.filter { $0.isMaintained && !uniqueIDs.contains($0.index.id) }
            let entries = FreshEntries(
                group.access, indexes: indexes.map { ($0, buffers.buffer(of: $0)) }, reserving: group.rows.count)
            var references = draft.map { FreshReferences(group, fresh: self, draft: $0, mapping: mapping) }
            try references?.choosePositions(in: transaction)
            var sealed: [[UInt8]] = []
            sealed.reserveCapacity(group.rows.count)
            let entity = group.access.entity.id
            for start in stride(from: 0, to: group.rows.count, by: FreshEntries.chunkRows) {
                let chunk = start..<min(start + FreshEntries.chunkRows, group.rows.count)
                for number in chunk {
                    let row = group.rowIDs[number]
                    var bytes = record(group.rows[number])
                    try references?.settle(&bytes, rowIndex: number, row: row, in: transaction)
                    try RecordHeader.seal(&bytes, save: save, rowID: row, entity: entity)
                    sealed.append(bytes)
                }
                try entries.append(batch, positions: group.rows[chunk], records: sealed[chunk])
            }
            return sealed
        }
    }

    /// The bytes of the values that are written outside of the records. O(rows) of groups that have any.
    var longValueBytes: Int {
        groups.lazy.filter(\.hasLongValues).flatMap(\.rows).reduce(0) { sum, position in
            guard case .insert(let record, _) = batch.rows[position].change else { return sum }
            return record.longValues.reduce(sum) { $0 + $1.bytes.count }
        }
    }

    func write(_ records: Records, in transaction: inout WriteTransaction) throws {
        for (group, sealed) in zip(groups, records) {
            try write(sealed, group: group, in: &transaction)
            for position in group.rows where group.hasLongValues {
                guard case .insert(let record, _) = batch.rows[position].change else { continue }
                for long in record.longValues {
                    try LongValues.write(
                        long.bytes, row: batch.rows[position].rowID, property: long.property,
                        in: group.access.longValues, transaction: &transaction)
                }
            }
        }
    }

    private func write(_ records: [[UInt8]], group: Group, in transaction: inout WriteTransaction) throws {
        var cursor = try transaction.writeCursor(in: group.access.records)
        for (record, row) in zip(records, group.rowIDs) {
            try cursor.put(record.span.bytes, for: row, append: group.isAppended)
        }
    }

    /// Adds the rows as a save hands them back.
    func append(_ records: Records, to rows: inout [SaveResult.Row]) {
        rows.reserveCapacity(rows.count + count)
        for (group, sealed) in zip(groups, records) {
            let (entity, changed) = (group.access.entity.id, Array(group.access.entity.properties.indices))
            for (record, row) in zip(sealed, group.rowIDs) {
                rows.append(SaveResult.Row(entity: entity, rowID: row, old: nil, new: record, changed: changed))
            }
        }
    }
}

/// Makes the index entries of new rows from the bytes of their records, index by index for some rows at a time.
struct FreshEntries {
    /// So many records are still in the processor's cache when the next index asks for them.
    static let chunkRows = 256

    private let access: EntityAccess
    private let indexes: [(index: IndexAccess, buffer: EntryBuffer)]
    private let notesNil: Bool

    /// - Parameter notesNil: whether entries say that a component is nil.
    init(
        _ access: EntityAccess, indexes: [(index: IndexAccess, buffer: EntryBuffer)], notesNil: Bool = false,
        reserving count: Int
    ) {
        self.access = access
        self.indexes = indexes
        self.notesNil = notesNil
        for (_, buffer) in indexes { buffer.reserve(count) }
    }

    /// - Parameters:
    ///   - positions: of the rows in the batch.
    ///   - records: theirs.
    func append(_ batch: WriteBatch, positions: ArraySlice<Int>, records: some Collection<[UInt8]>) throws {
        try batch.rows.withUnsafeBufferPointer { rows in
            for (index, buffer) in indexes {
                var key = KeyBuffer()
                var layout = access.current
                for (position, record) in zip(positions, records) {
                    let id = try RecordHeader.layout(of: record.span.bytes)
                    if id != layout.layout.id { layout = try access.layout(id) }
                    try append(record, of: rows, at: position, layout: layout, index: index, buffer: buffer, key: &key)
                }
            }
        }
    }

    /// Takes the batch's rows by address: a closure that holds the batch would retain and release it for each row.
    @inline(__always)
    private func append(
        _ record: [UInt8], of rows: UnsafeBufferPointer<RowWrite>, at position: Int, layout: LayoutAccess,
        index: IndexAccess, buffer: EntryBuffer, key: inout KeyBuffer
    ) throws {
        func value(_ property: Int) throws -> Value {
            var image = try RowImage(rowID: rows[position].rowID, bytes: record, access: access)
            if case .insert(let encoded, _) = rows[position].change {
                for long in encoded.longValues { image.longValues[long.property] = long.bytes }
            }
            return try image.value(property)
        }
        let view = try RecordView(record.span.bytes, frame: layout.layout.frame)
        if index.hasTrigrams {
            return try index.forEachTrigramKey(of: view, layout, key: &key, value: value) {
                buffer.append(key: $0, rowID: rows[position].rowID)
            }
        }
        key.removeAll()
        var flags: EntryBuffer.Flags = try index.appendKey(of: view, layout, to: &key, value: value) ? [] : .inexact
        if notesNil, try index.hasNil(view, layout: layout, value: value) { flags.insert(.hasNil) }
        let included = index.includedPositions.isEmpty ? [] : try index.included(value: value, of: access)
        buffer.append(key: key.pointer, rowID: rows[position].rowID, flags: flags, included: included)
    }
}

/// References of the fresh rows of one entity: every target exists, and rows come last among those with the same.
private struct FreshReferences: ~Copyable {
    private let group: FreshRows.Group
    private let fresh: FreshRows
    private let draft: BatchDraft
    private let mapping: [RowID: RowID]
    /// For each reference the last position that was given at each target.
    private var last: [[RowID: Int64]]
    /// For each reference the positions of the group's rows; empty where rows get theirs in the order in which they
    /// come.
    private var chosen: [[Int64?]]
    /// For each reference a target that is known to exist.
    private var known: [RowID?]

    init(_ group: FreshRows.Group, fresh: FreshRows, draft: BatchDraft, mapping: [RowID: RowID]) {
        self.group = group
        self.fresh = fresh
        self.draft = draft
        self.mapping = mapping
        last = group.references.map { _ in [:] }
        chosen = group.references.map { _ in [] }
        known = group.references.map { _ in nil }
    }

    /// Gives positions to the rows of which the batch says where they stand, behind all others: they come in the order
    /// in which it says so.
    mutating func choosePositions(in transaction: borrowing WriteTransaction) throws {
        for number in group.references.indices where group.references[number].position != nil {
            let relationship = group.references[number].relationship.id
            var placed: [Int] = []
            var isPlaced = Set<Int>()
            for write in fresh.batch.places.reversed() where write.relationship == relationship {
                guard let row = group.rowIDs.firstIndexSorted(write.rowID), isPlaced.insert(row).inserted else {
                    continue
                }
                placed.append(row)
            }
            guard !placed.isEmpty else { continue }
            chosen[number] = Array(repeating: nil, count: group.rows.count)
            for row in group.rows.indices where !isPlaced.contains(row) {
                try choosePosition(of: row, number: number, in: transaction)
            }
            for row in placed.reversed() { try choosePosition(of: row, number: number, in: transaction) }
        }
    }

    private mutating func choosePosition(
        of row: Int, number: Int, in transaction: borrowing WriteTransaction
    ) throws {
        let record = fresh.record(group.rows[row])
        let property = group.references[number].property
        guard let target = try group.access.current.reference(property, of: record) else { return }
        chosen[number][row] = try nextPosition(at: mapping[target] ?? target, number: number, in: transaction)
    }

    /// Brings references and positions of a record to what they are to be.
    ///
    /// - Parameter rowIndex: of the row in the group.
    mutating func settle(
        _ bytes: inout [UInt8], rowIndex: Int, row: RowID, in transaction: borrowing WriteTransaction
    ) throws {
        let layout = group.access.current
        for number in group.references.indices {
            let access = group.references[number]
            var target = try layout.reference(access.property, of: bytes)
            if let stale = target, let mapped = mapping[stale] {
                target = mapped
                try layout.patch(&bytes, position: access.property, to: mapped)
            }
            if let target { try require(target, number: number, row: row, in: transaction) }
            guard let field = access.position else { continue }
            var position: Int64?
            if let target {
                position =
                    try chosen[number].isEmpty
                    ? nextPosition(at: target, number: number, in: transaction) : chosen[number][rowIndex]
            }
            try layout.patch(&bytes, position: field, to: position.map { UInt64(bitPattern: $0) })
        }
    }

    private mutating func require(
        _ target: RowID, number: Int, row: RowID, in transaction: borrowing WriteTransaction
    ) throws {
        guard known[number] != target else { return }
        let access = group.references[number]
        guard try draft.exists(target, entity: access.relationship.destination, in: transaction) else {
            throw draft.error(.targetMissing(relationship: access.relationship.name), entity: access.entity, row: row)
        }
        known[number] = target
    }

    private mutating func nextPosition(
        at target: RowID, number: Int, in transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        let access = group.references[number]
        var before = last[number][target]
        if before == nil, !fresh.contains(target, of: access.relationship.destination) {
            before = try draft.draft(access).withOrder(of: target) { try $0.lastPosition(in: transaction) }
        }
        let next = try MemberOrder.position(behind: before ?? 0)
        last[number][target] = next
        return next
    }
}
