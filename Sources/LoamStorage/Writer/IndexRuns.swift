/// What a batch does to indexes, each index's changes in a run of their own.
final class IndexRuns {
    private var runs: [IndexID: (index: IndexAccess, run: EntryRun)] = [:]
    private var key = KeyBuffer()

    /// The run of an index, which is empty at first.
    func run(of index: IndexAccess) -> EntryRun {
        if let known = runs[index.index.id] { return known.run }
        let run = EntryRun(shape: index.blockShape)
        runs[index.index.id] = (index, run)
        return run
    }

    /// Uses a run that was filled elsewhere.
    func use(_ run: EntryRun, for index: IndexAccess) { runs[index.index.id] = (index, run) }

    /// Adds what follows from the changes of rows, to every index that is kept up: index by index for some rows of an
    /// entity at a time, while those are in the processor's cache.
    func add(_ outcomes: [RowOutcome]) throws {
        var start = 0
        while start < outcomes.count {
            let access = outcomes[start].access
            var end = start + 1
            while end < outcomes.count, end - start < FreshEntries.chunkRows, outcomes[end].access === access {
                end += 1
            }
            for index in access.indexes where index.isMaintained {
                let run = run(of: index)
                for position in start..<end where outcomes[position].touches(index) {
                    try add(outcomes[position], index: index, run: run)
                }
            }
            start = end
        }
    }

    private func add(_ outcome: RowOutcome, index: IndexAccess, run: EntryRun) throws {
        if let old = outcome.old { try run.append(old, index: index, flags: .removal, key: &key) }
        if let new = outcome.new { try run.append(new, index: index, flags: [], key: &key) }
        if outcome.old != nil, outcome.new != nil { run.cancelLastTwo() }
    }

    /// All runs that hold anything, by the ids of their indexes, sorted.
    func sorted() -> [(index: IndexAccess, run: EntryRun)] {
        let filled = runs.sorted { $0.key < $1.key }.map(\.value).filter { $0.run.count > 0 }
        EntryRun.sort(filled.map(\.run))
        return filled
    }
}

extension EntryRun {
    /// Appends the entry of a row.
    func append(_ image: RowImage, index: IndexAccess, flags: Flags, key: inout KeyBuffer) throws {
        key.removeAll()
        let isExact = try index.appendKey(of: image, to: &key)
        let included = index.includedPositions.isEmpty ? [] : try index.included(value: image.value, of: image.access)
        append(
            key: key.pointer, rowID: image.rowID, flags: isExact ? flags : flags.union(.inexact), included: included)
    }
}
