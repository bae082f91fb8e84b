/// The commits that some reader has not taken yet, oldest first: kept once, however many readers there are.
///
/// Bounded in rows and bytes. Beyond, the oldest are dropped, and readers that lacked them learn which saves they have
/// lost. One commit that is too large by itself is kept as long as a reader that was woken for it has not taken it, and
/// no longer than until the next such commit. A commit costs O(1); a reader pays for what it takes.
struct ChangeLog: Sendable {
    /// How far a reader has come.
    struct Position: Hashable, Sendable {
        /// The number of the first entry that it has not taken.
        fileprivate(set) var number: Int
        /// The last save that it knows of.
        fileprivate(set) var save: UInt64
    }

    private struct Entry {
        /// The changes; nil where they are not kept.
        var set: ChangeSet?
        /// The saves of the entry: those after the lower bound, up to the upper bound.
        let saves: Range<UInt64>
        /// The save, where the entry is one save and nothing else.
        let single: UInt64?
        /// The number of readers that have not taken the entry.
        var readers: Int
        /// The readers that get the entry; nil for all.
        var takers: Set<Int>?

        init(_ set: ChangeSet, readers: Int, takers: Set<Int>?) {
            (self.set, self.readers, self.takers) = (set, readers, takers)
            saves = min(set.known, set.last)..<set.last
            single = set.isOnly(set.last) ? set.last : nil
        }
    }

    private var entries: [Entry] = []
    /// The number of elements at the beginning of ``entries`` that are done with.
    private var head = 0
    /// The number of the first entry that is there.
    private var start = 0
    /// The entry before the first one that is there.
    private var previous: Entry?
    /// The number of the entry that is too large.
    private var large: Int?
    /// The number of rows of the entries that all readers get.
    private(set) var rowCount = 0
    private(set) var byteCount = 0
    /// Dropped, and to be let go outside of locks.
    var dropped: [ChangeSet] = []

    private var count: Int { entries.count - head }
    private var end: Int { start + count }

    func end(after save: UInt64) -> Position { Position(number: end, save: save) }

    func isAtEnd(_ position: Position) -> Bool { position.number == end }

    /// Whether the commits behind a position have no more rows than this, and all of them are kept. O(commits up to that).
    func hasFew(rows: Int, behind position: Position) -> Bool {
        guard position.number >= start, end - position.number <= rows + 1 else { return false }
        var count = 0
        for number in position.number..<max(position.number, end) {
            guard let set = entries[head + number - start].set else { return false }
            count += set.rowCount
            if count > rows { return false }
        }
        return true
    }

    /// Keeps a commit.
    ///
    /// - Parameters:
    ///   - readers: how many are to read it.
    ///   - woken: those of them that are about to.
    mutating func append(_ set: ChangeSet, readers: Int, woken: Set<Int>) {
        guard readers > 0 || count > 0 else { return }
        let isLarge = set.rowCount > UnreadChanges.mostRows || set.byteCount > UnreadChanges.mostBytes
        entries.append(Entry(set, readers: readers, takers: isLarge ? woken : nil))
        if isLarge {
            dropLarge()
            large = end - 1
            if woken.isEmpty { dropLarge() }
        } else {
            rowCount += set.rowCount
            byteCount += set.byteCount
        }
        while rowCount > UnreadChanges.mostRows || byteCount > UnreadChanges.mostBytes || count > UnreadChanges.mostRows
        {
            dropFirst()
        }
        dropTaken()
    }

    /// Everything behind a position, which moves to the end.
    mutating func take(_ position: inout Position, for reader: Int) -> UnreadChanges {
        var unread = UnreadChanges()
        if position.number < start { unread.lose(position.save..<max(position.save, previous?.saves.upperBound ?? 0)) }
        for number in max(position.number, start)..<end {
            let saves = entries[head + number - start].saves
            if let set = take(number, for: reader) { unread.sets.append(set) } else { unread.lose(saves) }
            position.save = max(position.save, saves.upperBound)
        }
        position.number = end
        position.save = max(position.save, unread.lost?.upperBound ?? 0)
        dropTaken()
        return unread
    }

    /// Passes over a reader's own save, where that is all that comes next. Otherwise false.
    mutating func skip(_ save: UInt64, position: inout Position, for reader: Int) -> Bool {
        if position.number + 1 == start {
            guard previous?.single == save, position.save + 1 == save else { return false }
        } else {
            guard position.number >= start, position.number < end,
                entries[head + position.number - start].single == save
            else { return false }
            _ = take(position.number, for: reader)
        }
        position = Position(number: position.number + 1, save: save)
        dropTaken()
        return true
    }

    /// Nobody reads on from a position.
    mutating func leave(_ position: Position, for reader: Int) {
        for number in max(position.number, start)..<end { _ = take(number, for: reader) }
        dropTaken()
    }

    private mutating func take(_ number: Int, for reader: Int) -> ChangeSet? {
        let index = head + number - start
        entries[index].readers -= 1
        guard entries[index].takers != nil else { return entries[index].set }
        guard entries[index].takers?.remove(reader) != nil else { return nil }
        let set = entries[index].set
        if entries[index].takers?.isEmpty == true, number == large { dropLarge() }
        return set
    }

    private mutating func dropLarge() {
        guard let number = large, number >= start else { return }
        if let set = entries[head + number - start].set.take() { dropped.append(set) }
        large = nil
    }

    private mutating func dropTaken() {
        while count > 0, entries[head].readers <= 0 { dropFirst() }
        if head > 64, head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
    }

    private mutating func dropFirst() {
        if large == start { large = nil }
        let set = entries[head].set.take()
        previous = entries[head]
        head += 1
        start += 1
        guard let set else { return }
        if previous?.takers == nil {
            rowCount -= set.rowCount
            byteCount -= set.byteCount
        }
        dropped.append(set)
    }
}

/// What a reader had not taken yet.
package struct UnreadChanges: Sendable {
    /// Rows that wait to be read at the most.
    package static let mostRows = 1 << 16
    /// Bytes that they take at the most.
    package static let mostBytes = 8 << 20

    /// The changes, in the order of saves.
    package var sets: [ChangeSet] = []
    /// Some saves after the lower bound and up to the upper one changed too much to be kept.
    package var lost: Range<UInt64>?

    package init() {}

    package var isEmpty: Bool { sets.isEmpty && lost == nil }

    mutating func lose(_ saves: Range<UInt64>) {
        lost = lost.map { min($0.lowerBound, saves.lowerBound)..<max($0.upperBound, saves.upperBound) } ?? saves
    }
}
