import LMDB

/// A load's steps in the catalog: begin, switch in, abandon.
extension Store {
    /// - Parameter isLease: whether the rows were leased for this load alone.
    func beginLoad(
        _ target: LoadTarget, rows: Range<RowID>, isLease: Bool
    ) throws -> (LoadRecord, EntityAccess, baseSave: UInt64) {
        let begun = Box<(LoadRecord, EntityAccess, UInt64)>()
        let (range, process) = (rows.lowerBound...max(rows.lowerBound, rows.upperBound - 1), ProcessMark.begin())
        do {
            try run(
                WriterJob { transaction, state in
                    // A generation is never met again, so neither is the load's number.
                    let id = state.catalog.generation
                    let load = try CatalogStorage.change(in: &transaction, state: state) { document in
                        try document.beginLoad(
                            target, id: id, rows: range, leases: isLease ? [rows] : [], process: process)
                    }
                    begun.value = (load, try state.catalog.access(load.entity.id), state.counters.lastSave)
                })
            guard let (load, access, baseSave) = begun.value else { throw StorageError(.storeClosed) }
            return (load, access, baseSave)
        } catch {
            process.end()
            throw error
        }
    }

    /// The one commit that makes everything visible.
    func finishLoad(_ load: LoadRecord, rowCount: Int, indexes: [IndexID]) throws -> UInt64 {
        let number = Box<UInt64>()
        let replacements = load.replacements
        try run(
            WriterJob { transaction, state in
                let toCheck = load.isNewEntity ? [] : indexes
                try IndexBuilder.finish(toCheck, in: &transaction, state: state) { document in
                    try document.finishLoad(load.id, replacements: replacements)
                }
                let save = try state.counters.nextSave()
                state.counters.lastSave = save
                state.changes.rewritten.insert(load.entity.id)
                var entry = HistoryEntry(save: save, author: nil, time: state.time)
                entry.rewritten = rowCount == 0 ? [] : [load.entity.id]
                if state.retention.isKept {
                    try HistoryWriter.write(entry, to: state.databases.history, in: &transaction)
                }
                number.value = save
            })
        sweepWhatCanBe()
        return number.value ?? 0
    }

    /// Takes away what a load has written so far, and gives its row ids back where no others were given out since.
    func abandonLoad(_ id: UInt64) throws {
        guard let load = try catalog().document.loads.first(where: { $0.id == id }) else { return }
        if !load.isNewEntity, try catalog().entities[load.entity.id] != nil {
            for rows in load.rows { while try deleteSomeRows(rows, of: load) {} }
        }
        try run(
            WriterJob(isDeletion: true) { transaction, state in
                // Once, with the load itself: later the same ids may be somebody else's.
                let leases = try CatalogStorage.change(in: &transaction, state: state) {
                    $0.abandonLoad(id)?.leases ?? []
                }
                for lease in leases.reversed() { state.giveBack(lease) }
            })
        sweepWhatCanBe()
    }

    /// Abandons the loads of processes that are gone.
    func abandonDeadLoads() throws {
        for load in try catalog().document.loads where !load.process.isAlive(in: environment) {
            try abandonLoad(load.id)
        }
    }

    /// Deletes up to 512 hidden rows, the last ones first: those that are left have no gaps, so they can be counted.
    ///
    /// - Returns: whether there may be more.
    func deleteSomeRows(_ rows: ClosedRange<RowID>, of load: LoadRecord) throws -> Bool {
        let (id, entity) = (load.id, load.entity.id)
        let access = try catalog().access(entity)
        let found = try environment.read { transaction in
            var cursor = try transaction.cursor(in: access.records)
            var found: [(row: RowID, longValues: [PropertyID])] = []
            var isAtEntry = try cursor.seek(atMost: rows.upperBound)
            while isAtEntry, found.count < 512, cursor.integerKey >= rows.lowerBound {
                let bytes = cursor.value.withUnsafeBytes { Array($0) }
                let image = try RowImage(rowID: cursor.integerKey, bytes: bytes, access: access)
                found.append((cursor.integerKey, try image.externalFields().map(\.property)))
                isAtEntry = try cursor.previous()
            }
            return found
        }
        guard !found.isEmpty else { return false }
        let isListed = Box<Bool>()
        try run(
            WriterJob(isDeletion: true) { transaction, state in
                // Where another process has abandoned the load meanwhile, the ids may be somebody else's by now.
                isListed.value = state.catalog.document.loads.contains { $0.id == id }
                guard isListed.value == true else { return }
                let access = try state.catalog.access(entity)
                state.hasWritten = true
                for (row, longValues) in found {
                    _ = try transaction.delete(row, in: access.records)
                    for property in longValues {
                        try LongValues.delete(
                            row: row, property: property, in: access.longValues, transaction: &transaction)
                    }
                }
            })
        return isListed.value ?? false
    }
}

extension CatalogDocument {
    mutating func beginLoad(
        _ target: LoadTarget, id: UInt64, rows: ClosedRange<RowID>, leases: [Range<RowID>] = [],
        process: ProcessMark
    ) throws -> LoadRecord {
        let load: LoadRecord
        switch target {
        case .newEntity(let definition):
            let isTaken = loads.contains { $0.isNewEntity && $0.entity.name == definition.name }
            guard schema.entity(named: definition.name) == nil, !isTaken else {
                throw StorageError(.entityExists, entity: definition.name)
            }
            load = LoadRecord(
                id: id, entity: try makeEntity(definition, planned: definition.planned), isNewEntity: true,
                rows: [rows],
                leases: leases, process: process)
        case .existingEntity(let name):
            try requireNoLoad(of: name)
            markStale(for: [try entity(name).id])
            let entity = try entity(name)
            if let index = entity.indexes.first(where: { $0.state == .building }) {
                throw StorageError(.indexNotReady(state: "being built"), entity: name, index: index.name)
            }
            var replacements: [IndexID: IndexID] = [:]
            for index in entity.indexes where index.state == .ready {
                replacements[index.id] = try addReplacement(of: index, in: name).id
            }
            load = LoadRecord(
                id: id, entity: try self.entity(name), isNewEntity: false, rows: [rows],
                leases: leases, replacements: replacements, process: process)
        }
        loads.append(load)
        return load
    }

    /// The position of a load in the list; throws when another process has abandoned it.
    func position(ofLoad id: UInt64) throws -> Int {
        guard let position = loads.firstIndex(where: { $0.id == id }) else {
            throw StorageError(.storage("The load was abandoned by another process."))
        }
        return position
    }

    mutating func updateLoad(_ id: UInt64, _ change: (inout LoadRecord) -> Void) throws {
        change(&loads[try position(ofLoad: id)])
    }

    mutating func finishLoad(_ id: UInt64, replacements: [IndexID: IndexID]) throws {
        let load = loads.remove(at: try position(ofLoad: id))
        if load.isNewEntity {
            guard schema.entity(named: load.entity.name) == nil else {
                throw StorageError(.entityExists, entity: load.entity.name)
            }
            schema.entities.append(load.entity)
            return
        }
        for (old, new) in replacements { try replace(index: old, by: new) }
    }

    /// - Returns: the load; nil when it was abandoned before.
    @discardableResult
    mutating func abandonLoad(_ id: UInt64) -> LoadRecord? {
        guard let load = loads.first(where: { $0.id == id }) else { return nil }
        loads.removeAll { $0.id == id }
        if load.isNewEntity {
            retiredIndexes += load.entity.indexes.map(\.id)
            retiredEntities.append(load.entity.id)
            forget(load.entity)
        } else {
            for new in load.replacements.values { retire(index: new) }
        }
        return load
    }
}
