/// Changes to entries: a merge of the block's entries with the changes, both in order.
extension BlockContents {
    /// Replaces the contents by those of `old` with `changes`, which are sorted, made to them. O(bytes + changes log
    /// n).
    ///
    /// Changes of one entry are made in their order. With `isTolerant`, removing what is absent does nothing, and
    /// inserting what is there replaces it.
    /// - Throws: `inconsistent` for an absent removal or a present insertion, or changes out of order.
    mutating func merge(
        _ changes: EntryItems, range: Range<Int>, into old: borrowing BlockContents, isTolerant: Bool
    ) throws {
        removeAll()
        var position = 0
        var at = range.lowerBound
        while at < range.upperBound {
            let entry = changes[at]
            let bound = entry.fullKey
            let found = old.lowerBound(of: bound, from: position)
            append(old, range: position..<found)
            guard count == 0 || isBelow(count - 1, bound: bound) else {
                throw StorageError(.inconsistent("changes of an index are not in order"), rowID: entry.rowID)
            }
            let isPresent = found < old.count && old.holds(found, entry: entry)
            let (last, next) = try outcome(
                of: changes, at..<range.upperBound, isPresent: isPresent, isTolerant: isTolerant)
            position = isPresent ? found + 1 : found
            at = next
            if let last { try append(changes[last]) }
        }
        append(old, range: position..<old.count)
    }

    /// The position of the change that decides about the first entry, nil where no entry is left; and the position at
    /// which the changes of the next entry begin.
    private func outcome(
        of changes: EntryItems, _ range: Range<Int>, isPresent: Bool, isTolerant: Bool
    ) throws -> (last: Int?, next: Int) {
        var isPresent = isPresent
        var last: Int?
        var at = range.lowerBound
        let first = changes[at]
        repeat {
            if changes[at].flags.contains(.removal) {
                guard isPresent || isTolerant else {
                    throw StorageError(
                        .inconsistent("an index lacks an entry that is to be removed"), rowID: first.rowID)
                }
                isPresent = false
                last = nil
            } else {
                guard !isPresent || isTolerant else {
                    throw StorageError(.inconsistent("an index has an entry that is to be added"), rowID: first.rowID)
                }
                isPresent = true
                last = at
            }
            at += 1
        } while at < range.upperBound && changes[at].hasFullKey(of: first)
        return (last, at)
    }
}
