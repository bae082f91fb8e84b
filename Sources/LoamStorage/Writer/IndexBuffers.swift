/// What a batch does to indexes, each index's changes in a buffer of their own.
final class IndexBuffers {
    private var buffers: [IndexID: (index: IndexAccess, buffer: EntryBuffer)] = [:]
    private var key = KeyBuffer()

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
        if let old = outcome.old { try buffer.append(old, index: index, flags: .removal, key: &key) }
        if let new = outcome.new { try buffer.append(new, index: index, flags: [], key: &key) }
        if outcome.old != nil, outcome.new != nil { buffer.cancelLastTwo() }
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
