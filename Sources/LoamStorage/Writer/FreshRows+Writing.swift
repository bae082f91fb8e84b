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
        save: UInt64, _ mapping: [RowID: RowID], _ draft: BatchDraft?, to runs: IndexRuns,
        _ transaction: borrowing WriteTransaction
    ) throws -> Records {
        var records: Records = []
        for group in groups {
            var sealed: [[UInt8]] = []
            sealed.reserveCapacity(group.rows.count)
            let uniqueIDs = group.unique.map(\.index.index.id)
            for (index, run) in group.unique { runs.use(run, for: index) }
            let indexes = group.access.indexes.filter { $0.isMaintained && !uniqueIDs.contains($0.index.id) }
                .map { (index: $0, run: runs.run(of: $0)) }
            var key = KeyBuffer()
            var references = try draft.map { try FreshReferences(group, self, $0, mapping) }
            try references?.choosePositions(transaction)
            for (number, position) in group.rows.enumerated() {
                guard case .insert(let record, _) = batch.rows[position].change else { continue }
                let row = batch.rows[position].rowID
                for long in record.longValues {
                    try LongValues.requireAllowed(byteCount: long.bytes.count, row: row)
                }
                var bytes = record.bytes
                let layout = try group.access.layout(ofRecord: bytes, row)
                try references?.settle(&bytes, number, row, layout, transaction)
                try RecordHeader.seal(&bytes, save: save, rowID: row)
                for (index, run) in indexes {
                    try run.append(bytes, record.longValues, row, index, group.access, layout, &key)
                }
                sealed.append(bytes)
            }
            records.append(sealed)
        }
        return records
    }

    func write(_ records: Records, _ transaction: inout WriteTransaction) throws {
        for (group, sealed) in zip(groups, records) {
            try write(sealed, group, &transaction)
            for position in group.rows {
                guard case .insert(let record, _) = batch.rows[position].change, !record.longValues.isEmpty else {
                    continue
                }
                for long in record.longValues {
                    try LongValues.write(
                        long.bytes, row: batch.rows[position].rowID, property: long.property,
                        in: group.access.longValues, transaction: &transaction)
                }
            }
        }
    }

    private func write(_ records: [[UInt8]], _ group: Group, _ transaction: inout WriteTransaction) throws {
        var cursor = try transaction.writeCursor(in: group.access.records)
        for (record, row) in zip(records, group.rowIDs) {
            try cursor.put(record.span.bytes, for: row, append: group.isAppended)
        }
    }

    /// The rows as a save hands them back.
    func results(_ records: Records) -> [SaveResult.Row] {
        var rows: [SaveResult.Row] = []
        rows.reserveCapacity(count)
        for (group, sealed) in zip(groups, records) {
            let (entity, changed) = (group.access.entity.id, Array(group.access.entity.properties.indices))
            for (record, row) in zip(sealed, group.rowIDs) {
                rows.append(SaveResult.Row(entity: entity, rowID: row, old: nil, new: record, changed: changed))
            }
        }
        return rows
    }
}

/// References of the fresh rows of one entity: every target exists, and rows come last among those with the same.
private struct FreshReferences: ~Copyable {
    private let group: FreshRows.Group
    private let fresh: FreshRows
    private let draft: BatchDraft
    private let mapping: [RowID: RowID]
    /// By reference, the last position that was given at a target.
    private var last: [[RowID: Int64]]
    /// By reference and row of the group, its position; empty where rows get theirs as they come.
    private var chosen: [[Int64?]]
    /// By reference, a target that is known to exist.
    private var known: [RowID?]

    init(_ group: FreshRows.Group, _ fresh: FreshRows, _ draft: BatchDraft, _ mapping: [RowID: RowID]) throws {
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
    mutating func choosePositions(_ transaction: borrowing WriteTransaction) throws {
        for number in group.references.indices where group.references[number].position != nil {
            let relationship = group.references[number].relationship.id
            var placed: [Int] = []
            var isPlaced = Set<Int>()
            for place in fresh.batch.places.reversed() where place.relationship == relationship {
                guard let row = group.rowIDs.firstIndexSorted(place.rowID), isPlaced.insert(row).inserted else {
                    continue
                }
                placed.append(row)
            }
            guard !placed.isEmpty else { continue }
            chosen[number] = Array(repeating: nil, count: group.rows.count)
            for row in group.rows.indices where !isPlaced.contains(row) {
                try choosePosition(of: row, number, transaction)
            }
            for row in placed.reversed() { try choosePosition(of: row, number, transaction) }
        }
    }

    private mutating func choosePosition(
        of row: Int, _ number: Int, _ transaction: borrowing WriteTransaction
    ) throws {
        guard case .insert(let record, _) = fresh.batch.rows[group.rows[row]].change else { return }
        let layout = try group.access.layout(ofRecord: record.bytes, group.rowIDs[row])
        guard let target = try layout.reference(group.references[number].property, of: record.bytes) else { return }
        chosen[number][row] = try nextPosition(at: mapping[target] ?? target, number, transaction)
    }

    /// Brings references and positions of a record to what they are to be.
    ///
    /// - Parameter place: of the row in the group.
    mutating func settle(
        _ bytes: inout [UInt8], _ place: Int, _ row: RowID, _ layout: LayoutAccess,
        _ transaction: borrowing WriteTransaction
    ) throws {
        for number in group.references.indices {
            let access = group.references[number]
            var target = try layout.reference(access.property, of: bytes)
            if let stale = target, let mapped = mapping[stale] {
                target = mapped
                layout.patch(&bytes, access.property, to: mapped)
            }
            if let target { try require(target, number, row, transaction) }
            guard let field = access.position else { continue }
            var position: Int64?
            if let target {
                position =
                    try chosen[number].isEmpty ? nextPosition(at: target, number, transaction) : chosen[number][place]
            }
            layout.patch(&bytes, field, to: position.map { UInt64(bitPattern: $0) })
        }
    }

    private mutating func require(
        _ target: RowID, _ number: Int, _ row: RowID, _ transaction: borrowing WriteTransaction
    ) throws {
        guard known[number] != target else { return }
        let access = group.references[number]
        guard try draft.exists(target, access.relationship.destination, transaction) else {
            throw draft.error(.targetMissing(relationship: access.relationship.name), access.entity, row)
        }
        known[number] = target
    }

    private mutating func nextPosition(
        at target: RowID, _ number: Int, _ transaction: borrowing WriteTransaction
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

extension EntryRun {
    /// Appends the entry of a new row, from its record's bytes.
    ///
    /// - Parameter notesNil: whether the entry says that a component is nil.
    func append(
        _ bytes: [UInt8], _ longValues: [EncodedRecord.LongValue], _ row: RowID, _ index: IndexAccess,
        _ access: EntityAccess, _ layout: LayoutAccess, notesNil: Bool = false, _ key: inout KeyBuffer
    ) throws {
        func value(_ position: Int) throws -> Value {
            var image = try RowImage(rowID: row, bytes: bytes, access: access)
            for long in longValues { image.longValues[long.property] = long.bytes }
            return try image.value(position)
        }
        key.removeAll()
        let recordLayout = layout.layout
        let view = try RecordView(bytes.span.bytes, layout: recordLayout)
        var flags: Flags = try index.appendKey(of: view, layout, to: &key, value: value) ? [] : .inexact
        if notesNil, try index.hasNil(view, layout, value: value) { flags.insert(.hasNil) }
        let included = index.includedPositions.isEmpty ? [] : try index.included(value: value, of: access)
        append(key: key.pointer, rowID: row, flags: flags, included: included)
    }
}
