import LMDB

/// Derives everything in a store anew from its records and compares: records decode and their checksums hold, each
/// index equals a rescan in both directions, sums and counters are right, ids lie below their marks, and searches find
/// what is there.
///
/// Reads one snapshot; saves go on. Memory is bounded: entries are sorted in temporary files beyond a budget. What is
/// wrong is listed, not thrown. A file whose *pages* are damaged can make LMDB itself crash the process, so a file
/// that is not trusted is checked in a child process (`loam check` does that).
struct StoreCheck {
    let snapshot: Snapshot
    let sortBudget: Int
    let progress: ((String) -> Void)?
    var report = CheckReport()
    private var counters = StoreCounters()

    init(_ snapshot: Snapshot, sortBudget: Int, progress: ((String) -> Void)?) {
        self.snapshot = snapshot
        self.sortBudget = sortBudget
        self.progress = progress
    }

    mutating func run(in transaction: borrowing ReadTransaction) {
        do {
            counters = try StoreCounters.read(in: transaction, from: snapshot.databases.counters)
            try checkCatalog(in: transaction)
            try checkDatabases(in: transaction)
        } catch {
            report.add(error)
        }
        let hidden = Set(snapshot.catalog.document.loads.filter(\.isNewEntity).map(\.entity.id))
        for access in snapshot.catalog.entities.values.sorted(by: { $0.entity.id < $1.entity.id })
        where !hidden.contains(access.entity.id) {
            check(access, in: transaction)
        }
        checkRelationships(in: transaction)
        checkForeignBlocks(in: transaction)
        checkStatistics(in: transaction)
        checkHistory(in: transaction)
        checkSearches(in: transaction)
        noteLoads()
    }

    /// The catalog as it is stored, not as this process has known it since it was opened.
    private func checkCatalog(in transaction: borrowing ReadTransaction) throws {
        let document = try CatalogStorage.document(in: transaction, from: snapshot.databases.catalog)
        guard document == snapshot.catalog.document else {
            throw StorageError(.damagedCatalog("it is not the one that was opened"))
        }
        let expected = [Keyspace.catalogDocument, Keyspace.catalogGeneration, Keyspace.catalogChecksum]
        guard try transaction.statistics(of: snapshot.databases.catalog).entries == expected.count else {
            throw StorageError(.damagedCatalog("it holds an unknown entry"))
        }
    }

    /// Every database is one that the catalog knows: of those that are made late, one whose name is damaged would read
    /// as empty otherwise.
    private mutating func checkDatabases(in transaction: borrowing ReadTransaction) throws {
        let document = snapshot.catalog.document
        let names = try transaction.databaseNames()
        let known = Set(
            StoreDatabases.names + document.recordDatabases + document.lateDatabases + document.retiredDatabases)
        for name in names where !known.contains(name) {
            report.add(.init("The file holds a database that the store does not know, '\(name)'."))
        }
        if names.count != transaction.databaseCount {
            report.add(.init("The file's list of databases is damaged."))
        }
    }

    private mutating func check(_ access: EntityAccess, in transaction: borrowing ReadTransaction) {
        let name = access.entity.name
        progress?("records of \(name)")
        let indexes = access.indexes.filter(\.isReadable)
        let sorters = indexes.map { EntrySorter(shape: $0.blockShape, budget: sortBudget / max(1, indexes.count)) }
        var expectedLong: Set<[UInt8]> = []
        do {
            var cursor = try transaction.cursor(in: access.records)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                let row = cursor.integerKey
                report.records += 1
                do {
                    let image = try checkRecord(
                        cursor.value, row: row, access: access, expectedLong: &expectedLong, in: transaction)
                    if !access.isHidden(row) {
                        for (index, sorter) in zip(indexes, sorters) {
                            try index.forEachEntry(of: image) { try sorter.append($0) }
                        }
                    }
                } catch {
                    report.add(error, entity: name, rowID: row)
                }
                isAtEntry = try cursor.next()
            }
        } catch {
            report.add(error, entity: name)
        }
        checkLongValues(of: access, expected: expectedLong, in: transaction)
        for (index, sorter) in zip(indexes, sorters) { check(index, of: access, sorter: sorter, in: transaction) }
        for index in access.entity.indexes where !index.isReadable {
            let wayOut = index.isUnderstood ? "Rebuild it." : "This version of Loam does not know what it holds."
            report.notes.append(
                "Index \(index.name) of \(name) is \(index.currentState.rawValue): nothing reads it. \(wayOut)")
        }
    }

    private func checkRecord(
        _ bytes: RawSpan, row: RowID, access: EntityAccess, expectedLong: inout Set<[UInt8]>,
        in transaction: borrowing ReadTransaction
    ) throws -> RowImage {
        try RecordHeader.verifyChecksum(record: bytes, rowID: row, entity: access.entity.id)
        var image = try RowImage(rowID: row, bytes: bytes.withUnsafeBytes { Array($0) }, access: access)
        guard row > 0, row < counters.nextRow else {
            throw StorageError(.inconsistent("the row's id is not below the mark \(counters.nextRow)"))
        }
        guard try image.save <= counters.lastSave else {
            throw StorageError(.inconsistent("the record is newer than the last save"))
        }
        for (id, slot, byteCount) in try image.externalFields() {
            for chunk in 0..<(try LongValues.chunkCount(byteCount: byteCount, row: row)) {
                expectedLong.insert(Keyspace.longValue(row: row, property: id, chunk: chunk))
            }
            let long = try LongValues.read(
                row: row, property: id, byteCount: byteCount, in: access.longValues, transaction: transaction)
            let hash = try image.withView { view in
                if case .external(_, let hash) = try view.field(slot) { hash } else { nil as UInt64? }
            }
            guard hash == Checksum.hash64(long.span.bytes) else {
                throw StorageError(.damagedLongValue("its hash differs from the record's"))
            }
            image.longValues[id] = long
        }
        try image.withView { try $0.checkInvariants() }
        for position in access.entity.properties.indices { _ = try image.value(position) }
        return image
    }

    private mutating func checkLongValues(
        of access: EntityAccess, expected: Set<[UInt8]>, in transaction: borrowing ReadTransaction
    ) {
        do {
            guard let longValues = try transaction.database(access.longValues) else { return }
            var cursor = try transaction.cursor(in: longValues)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                report.longValues += 1
                let key = cursor.key.withUnsafeBytes { Array($0) }
                if !expected.contains(key) {
                    report.add(.init("A long value belongs to no record.", entity: access.entity.name))
                }
                isAtEntry = try cursor.next()
            }
        } catch {
            report.add(error, entity: access.entity.name)
        }
    }

    /// The index against the entries that the records give, both sorted: what is missing and what is too much.
    private mutating func check(
        _ index: IndexAccess, of access: EntityAccess, sorter: EntrySorter, in transaction: borrowing ReadTransaction
    ) {
        let (entity, name) = (access.entity.name, index.index.name)
        progress?("index \(name) of \(entity)")
        report.indexes += 1
        let reader = IndexReader(shape: index.blockShape, databases: snapshot.databases.blocks)
        do {
            let faults = try reader.verify(in: transaction)
            for fault in faults { report.add(.init("\(fault)", entity: entity, index: name)) }
            // The entries of such a block would only say the same again, one by one.
            guard !faults.contains(where: \.makesEntriesUnreadable) else { return }
            var stored = try StoredEntries(index, reader: reader, snapshot: snapshot)
            let shape = index.blockShape
            var expectedCount = 0
            try sorter.forEachSorted { sorted in
                let expected = sorted.entry
                expectedCount += 1
                let key = expected.fullKey(invertsRowID: shape.invertsRowID)
                while let entry = stored.head, entry.fullKey(invertsRowID: shape.invertsRowID).precedes(key) {
                    report.add(.init("An index entry has no record.", entity: entity, index: name, rowID: entry.rowID))
                    try stored.advance()
                }
                guard let entry = stored.head, entry.key == expected.key, entry.rowID == expected.rowID else {
                    report.add(
                        .init("A record has no index entry.", entity: entity, index: name, rowID: expected.rowID))
                    return
                }
                if entry.isInexact != expected.isInexact
                    || !entry.agrees(with: expected, leavingOut: stored.headLeavesOut)
                {
                    report.add(
                        .init(
                            "An index entry's flag or included values are not its record's.", entity: entity,
                            index: name, rowID: expected.rowID))
                }
                try stored.advance()
            }
            while let entry = stored.head {
                report.add(.init("An index entry has no record.", entity: entity, index: name, rowID: entry.rowID))
                try stored.advance()
            }
            report.entries += expectedCount
            if index.index.kind == .unique {
                try checkUniqueness(of: index, access: access, sorter: sorter, in: transaction)
            }
        } catch {
            report.add(error, entity: entity, index: name)
        }
    }

    private mutating func checkUniqueness(
        of index: IndexAccess, access: EntityAccess, sorter: EntrySorter, in transaction: borrowing ReadTransaction
    ) throws {
        var check = SortedUniquenessCheck(index: index, entity: access)
        try sorter.forEachSorted { entry in
            do {
                try check.add(key: entry.key, rowID: entry.rowID) {
                    try RowImage.read($0, of: access, in: transaction)
                }
            } catch let error as StorageError {
                report.add(error, entity: access.entity.name, index: index.index.name, rowID: error.rowID)
            }
        }
    }

    /// Blocks and sums under index ids that the catalog does not know.
    private mutating func checkForeignBlocks(in transaction: borrowing ReadTransaction) {
        let document = snapshot.catalog.document
        var known = Set(snapshot.catalog.entities.values.flatMap(\.entity.indexes).map(\.id))
        known.formUnion(document.retiredIndexes)
        for database in [snapshot.databases.indexes, snapshot.databases.counters] {
            do {
                var cursor = try transaction.cursor(in: database)
                var isAtEntry = try cursor.moveToFirst()
                var lowest: IndexID = 0
                while isAtEntry {
                    let key = cursor.key.withUnsafeBytes { Array($0) }
                    guard key.count >= 4 else {
                        report.add(.init("A key of database \(database.name) is too short."))
                        isAtEntry = try cursor.next()
                        continue
                    }
                    let id = key.prefix(4).reduce(IndexID(0)) { $0 << 8 | IndexID($1) }
                    // On a damaged page a search may end below what it looked for, again and again.
                    guard id >= lowest else {
                        report.add(.init("Database \(database.name) has keys out of order."))
                        break
                    }
                    let isOwn = database == snapshot.databases.counters && key == Keyspace.storeCounters
                    if !known.contains(id), !isOwn {
                        report.add(.init("Database \(database.name) holds entries of an unknown index, \(id)."))
                    }
                    guard id < .max, !isOwn else {
                        isAtEntry = try isOwn ? cursor.next() : false
                        continue
                    }
                    lowest = id + 1
                    let next = [UInt8](bigEndian: lowest)
                    isAtEntry = try cursor.seek(atLeast: next.span.bytes)
                }
            } catch {
                report.add(error)
            }
        }
    }

    private mutating func checkHistory(in transaction: borrowing ReadTransaction) {
        progress?("history")
        var previous: UInt64?
        do {
            try HistoryReader.forEachSave(in: transaction, snapshot.databases.history) { save, bytes in
                report.saves += 1
                if let previous, save != previous &+ 1 {
                    report.add(StorageError(.damagedHistory("saves are missing before save \(save)")))
                }
                previous = save
                do {
                    _ = try HistoryEntry.decode(bytes, save: save)
                } catch {
                    report.add(error)
                }
                return true
            }
        } catch {
            report.add(error)
        }
        if let previous, previous != counters.lastSave {
            report.add(StorageError(.damagedHistory("it ends with save \(previous), not with the last one")))
        }
    }

    private mutating func noteLoads() {
        for load in snapshot.catalog.document.loads {
            let state =
                load.process.isAlive(in: snapshot.transaction.environment)
                ? "is under way" : "was given up; the next load or change of the schema takes it away"
            report.notes.append("A bulk load of \(load.entity.name) \(state).")
        }
    }
}

extension Store {
    /// Checks the whole store; see ``StoreCheck``. Cost: reads everything once, and sorts each index's entries.
    ///
    /// - Throws: ``LMDBError`` where the file cannot be read at all. Whatever is damaged in it is in the report.
    package func check(
        sortBudget: Int = 256 << 20, progress: ((String) -> Void)? = nil
    ) throws -> CheckReport {
        do {
            return try read { snapshot in
                var check = StoreCheck(snapshot, sortBudget: sortBudget, progress: progress)
                check.run(in: snapshot.transaction)
                return check.report
            }
        } catch let error as StorageError {
            // The catalog itself: without it nothing else can be read.
            var report = CheckReport()
            report.add(error)
            return report
        }
    }
}
