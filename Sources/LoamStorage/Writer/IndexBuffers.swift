/// What a batch does to indexes, each index's changes in a buffer of their own.
final class IndexBuffers {
    private var buffers: [IndexID: (index: IndexAccess, buffer: EntryBuffer)] = [:]
    private var key = KeyBuffer()
    /// The trigrams of a row's text before a change.
    private var trigramsBefore = TrigramSet()

    /// The buffer of an index, which is empty at first.
    func buffer(of index: IndexAccess) -> EntryBuffer {
        if let known = buffers[index.index.id] { return known.buffer }
        let buffer = EntryBuffer(shape: index.blockShape)
        buffers[index.index.id] = (index, buffer)
        return buffer
    }

    /// Uses a buffer that was filled elsewhere.
    func use(_ buffer: EntryBuffer, for index: IndexAccess) { buffers[index.index.id] = (index, buffer) }

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
            for index in access.indexes {
                // Most changes of a row touch few indexes.
                var buffer: EntryBuffer?
                for position in start..<end where outcomes[position].touches(index) {
                    let used = buffer ?? self.buffer(of: index)
                    try add(outcomes[position], index: index, buffer: used)
                    buffer = used
                }
            }
            start = end
        }
    }

    private func add(_ outcome: RowOutcome, index: IndexAccess, buffer: EntryBuffer) throws {
        if index.hasTrigrams { return try addTrigrams(outcome, index: index, buffer: buffer) }
        if let old = outcome.old { try buffer.append(old, index: index, flags: .removal, key: &key) }
        if let new = outcome.new { try buffer.append(new, index: index, flags: [], key: &key) }
        if outcome.old != nil, outcome.new != nil { buffer.cancelLastTwo() }
    }

    /// Adds those trigrams that only one of the two texts has, before and after the change.
    private func addTrigrams(_ outcome: RowOutcome, index: IndexAccess, buffer: EntryBuffer) throws {
        trigramsBefore.removeAll()
        key.trigrams.removeAll()
        if let old = outcome.old { try index.takeTrigrams(of: old, into: &trigramsBefore) }
        if let new = outcome.new { try index.takeTrigrams(of: new, into: &key.trigrams) }
        let (before, after) = (trigramsBefore.trigrams, key.trigrams.trigrams)
        var (old, new) = (0, 0)
        while old < before.count || new < after.count {
            if new == after.count || old < before.count && before[old] < after[new] {
                add(before[old], of: outcome.rowID, flags: .removal, to: buffer)
                old += 1
            } else if old == before.count || after[new] < before[old] {
                add(after[new], of: outcome.rowID, flags: [], to: buffer)
                new += 1
            } else {
                old += 1
                new += 1
            }
        }
    }

    private func add(_ trigram: UInt64, of row: RowID, flags: EntryBuffer.Flags, to buffer: EntryBuffer) {
        key.removeAll()
        TrigramSet.append(trigram, to: &key)
        buffer.append(key: key.pointer, rowID: row, flags: flags)
    }

    /// All buffers that hold anything, by the ids of their indexes, sorted.
    func sorted() -> [(index: IndexAccess, buffer: EntryBuffer)] {
        let filled = buffers.sorted { $0.key < $1.key }.map(\.value).filter { $0.buffer.count > 0 }
        EntryBuffer.sort(filled.map(\.buffer))
        return filled
    }
}

extension EntryBuffer {
    /// Appends the entry of a row.
    func append(_ image: RowImage, index: IndexAccess, flags: Flags, key: inout KeyBuffer) throws {
        key.removeAll()
        let isExact = try index.appendKey(of: image, to: &key)
        let included = index.includedPositions.isEmpty ? [] : try index.included(value: image.value, of: image.access)
        append(
            key: key.pointer, rowID: image.rowID, flags: isExact ? flags : flags.union(.inexact), included: included)
    }
}
