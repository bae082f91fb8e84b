/// A part of the rows of a container: those of one `ForEach`.
@MainActor protocol RowSegment: Mount {
    /// The number of rows, mounted or not.
    var rowCount: Int { get }
    /// Where those rows stand now that were mounted when the rows were laid out last, in the order of then. Without those
    /// that are gone.
    var survivors: [Int] { get }
    /// Mounts a range of rows, and no others; `offset` rows are in the segments before.
    func show(_ rows: Range<Int>, from offset: Int)
}

/// Which rows of a container are mounted.
@MainActor final class RowWindow {
    private unowned let container: Mount
    /// What is asked for: as many rows as this, from its first on.
    private var wanted = 0..<ViewNode.initialRows
    /// Whether the first row was asked for since the rows were laid out last: then it need not stay with its row.
    private var isAsked = true
    private(set) var count = 0
    private(set) var shown = 0..<0
    /// Whether the rows have to be laid out.
    private(set) var isBehind = false

    init(of container: Mount) { self.container = container }

    func ask(for rows: Range<Int>) {
        // Far from where the sum of a position and a length would be too large.
        let (first, most) = (max(0, rows.lowerBound), Int.max / 4)
        let (begin, length) = (min(first, most), min(max(first, rows.upperBound) - first, most))
        (wanted, isAsked) = (begin..<begin + length, true)
        noteChange()
        container.host.queue.add(nil, Transaction.current)
    }

    /// A segment has come, gone, or has other rows.
    func noteChange() {
        guard !isBehind, container.isMounted else { return }
        isBehind = true
        container.host.note(behind: self)
    }

    /// Has each segment mount its part of what is wanted. O(segments, and rows that come, go or are different).
    func layOut() {
        isBehind = false
        guard container.isMounted else { return }
        var segments: [any RowSegment] = []
        for child in container.children { child.appendSegments(to: &segments) }
        let counts = segments.map(\.rowCount)
        let total = counts.reduce(0, +)
        let first = (isAsked || shown.lowerBound == 0 ? nil : firstRow(segments, counts)) ?? wanted.lowerBound
        isAsked = false
        let last = max(0, total - wanted.count)
        let begin = min(max(0, first), last)
        wanted = begin..<begin + wanted.count
        note(shown: wanted.clamped(to: 0..<total), of: total)
        var offset = 0
        for (segment, count) in zip(segments, counts) {
            segment.show(shown.part(of: count, from: offset), from: offset)
            offset += count
        }
    }

    /// The position of the first row from which on most of the rows are shown that were: a single one that moves takes
    /// the others nowhere. Nil where none is there any more.
    private func firstRow(_ segments: [any RowSegment], _ counts: [Int]) -> Int? {
        var (offset, positions) = (0, [] as [Int])
        for (segment, count) in zip(segments, counts) {
            positions += segment.survivors.map { offset + $0 }
            offset += count
        }
        let ascending = positions.sorted()
        func kept(_ first: Int) -> Int {
            ascending.endIndex(upTo: first + wanted.count) - ascending.endIndex(upTo: first)
        }
        // The first of those with the most.
        return positions.max { kept($0) < kept($1) }.map { best in
            let most = kept(best)
            return positions.first { kept($0) == most } ?? best
        }
    }

    private func note(shown: Range<Int>, of count: Int) {
        guard (shown, count) != (self.shown, self.count) else { return }
        (self.shown, self.count) = (shown, count)
        if let node = container.node { container.host.note(changed: node) }
    }
}

extension [Int] {
    /// The index behind the numbers that are less than a limit, in an ascending array. O(log n).
    func endIndex(upTo limit: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Range<Int> {
    /// What of the range is in a part with so many positions, which begins at an offset; in the part's own positions.
    func part(of count: Int, from offset: Int) -> Range<Int> {
        let first = Swift.min(Swift.max(0, lowerBound - offset), count)
        return first..<Swift.max(first, Swift.min(count, upperBound - offset))
    }
}
