import LMDB

extension Store {
    /// Deletes every row and every link, of all entities, as one save. The schema stays, and no row id is used again.
    ///
    /// Reads no row, so delete rules have no say: nothing is left that they could protect. Memory and time follow the
    /// number of the file's pages, 8 bytes for each, not that of the rows. Those who follow the store are told that all
    /// entities were rewritten; history keeps the save as such, and what it says of earlier saves until it is trimmed.
    ///
    /// The file keeps its size: what was deleted lies in free pages until they are used again or left out by
    /// ``compact(to:)``.
    ///
    /// - Returns: the number of the save.
    /// - Throws: ``StorageError/Kind/loadInProgress`` beside a bulk load; then nothing is deleted.
    @discardableResult
    package func erase(author: String? = nil) throws -> UInt64 {
        try takeAwayLeftovers()
        let number = Box<UInt64>()
        try run(
            WriterJob(isDeletion: true, isExclusive: true) { transaction, state in
                guard state.catalog.document.loads.isEmpty else { throw StorageError(.loadInProgress) }
                let save = try state.counters.nextSave()
                state.hasWritten = true
                try state.removeAllRows(in: &transaction)
                state.counters.lastSave = save
                let entities = Set(state.catalog.entities.keys)
                state.changes.rewritten.formUnion(entities)
                if state.retention.isKept {
                    var entry = HistoryEntry(save: save, author: author, time: state.time)
                    entry.rewritten = entities.sorted()
                    let chunks = try HistoryWriter.write(entry, to: state.databases.history, in: &transaction)
                    try HistoryTrimmer.trim(in: &transaction, state: state, retention: state.retention, after: chunks)
                }
                number.value = save
            })
        guard let save = number.value else { throw StorageError(.storeClosed) }
        return save
    }
}

extension WriterState {
    /// Empties what holds rows, links, entries and what is known of them: whole trees, page by page.
    fileprivate func removeAllRows(in transaction: inout WriteTransaction) throws {
        for access in catalog.entities.values {
            try transaction.empty(access.records)
            if let longValues = try transaction.database(access.longValues) { try transaction.empty(longValues) }
        }
        for table in catalog.links.values {
            if let links = try transaction.database(table) { try transaction.empty(links) }
        }
        if let statistics = try transaction.database(catalog.statistics) { try transaction.empty(statistics) }
        try transaction.empty(databases.indexes)
        // With the sums of the indexes the row-id mark goes, too; it comes back as it was.
        try transaction.empty(databases.counters)
        try counters.write(in: &transaction, to: databases.counters)
    }
}
