/// Changes to entries: a merge of the block's entries with the changes, both in order.
extension BlockContents {
    /// Replaces the contents by those of `old` with `changes`, which are sorted, made to them. O(bytes + changes log n).
    ///
    /// Changes of one entry are made in their order. With `isTolerant`, removing what is absent does nothing, and
    /// inserting what is there replaces it.
    /// - Throws: `inconsistent` for an absent removal or a present insertion, or changes out of order.
    mutating func merge(_ changes: ArraySlice<IndexChange>, into old: borrowing BlockContents, isTolerant: Bool) throws
    {
        removeAll()
        var position = 0
        var at = changes.startIndex
        var bound = ByteBuffer(capacity: 512)
        while at < changes.endIndex {
            let entry = changes[at].entry
            bound.removeAll()
            entry.key.withUnsafeBytes { bound.append($0) }
            bound.appendRowID(entry.rowID, inverted: shape.invertsRowID)
            let found = old.lowerBound(of: bound.bytes, from: position)
            append(old, position..<found)
            guard count == 0 || isBelow(count - 1, bound.bytes) else {
                throw StorageError(.inconsistent("changes of an index are not in order"), rowID: entry.rowID)
            }
            let isPresent = found < old.count && old.holds(found, entry)
            let (last, next) = try outcome(of: changes, from: at, isPresent: isPresent, isTolerant: isTolerant)
            position = isPresent ? found + 1 : found
            at = next
            if let last { try append(last) }
        }
        append(old, position..<old.count)
    }

    /// The entry that stands after all changes of the entry at `start`, nil for none; and the next entry's changes.
    private func outcome(
        of changes: ArraySlice<IndexChange>, from start: Int, isPresent: Bool, isTolerant: Bool
    ) throws -> (last: IndexEntry?, next: Int) {
        var isPresent = isPresent
        var last: IndexEntry?
        var at = start
        let first = changes[start].entry
        while at < changes.endIndex, changes[at].entry.rowID == first.rowID, changes[at].entry.key == first.key {
            let change = changes[at]
            switch change.kind {
            case .insert:
                guard !isPresent || isTolerant else {
                    throw StorageError(.inconsistent("an index has an entry that is to be added"), rowID: first.rowID)
                }
                isPresent = true
                last = change.entry
            case .remove:
                guard isPresent || isTolerant else {
                    throw StorageError(
                        .inconsistent("an index lacks an entry that is to be removed"), rowID: first.rowID)
                }
                isPresent = false
                last = nil
            }
            at += 1
        }
        return (last, at)
    }
}
