import LoamStorage

/// Ranges of keys, each with a number, that are asked which of them hold a key: an interval tree in an array.
///
/// A look-up costs O(√n + found · log n). Ranges that were added lately, about √n at the most, lie apart and are looked
/// at one by one, until they are sorted in with the others: an addition costs O(√n · log n) in the mean.
struct RangeMap: Sendable {
    fileprivate struct Entry: Sendable {
        var lower: KeyBytes
        /// Nil for a range without an end.
        var upper: KeyBytes?
        var number: Int
        /// The beginnings of both ends, which decide most comparisons without a reference to count; the highest for a
        /// range without an end.
        var lowerWord: UInt64
        var upperWord: UInt64

        init(_ range: KeyRange, number: Int) {
            lower = KeyBytes(range.lower)
            upper = range.upper.map { KeyBytes($0) }
            self.number = number
            lowerWord = lower.firstWord
            upperWord = upper?.firstWord ?? .max
        }
    }

    /// By their lower ends. The middle of a part is the root of its tree.
    private var sorted: [Entry] = []
    /// For each entry the one of its tree that ends last.
    private var lastEnds: [Int] = []
    private var recent: [Entry] = []
    /// Numbers whose ranges are still among the sorted ones.
    private var removed: Set<Int> = []
    private var numbers: Set<Int> = []

    var isEmpty: Bool { numbers.isEmpty }

    mutating func insert(_ range: KeyRange, number: Int) {
        guard !range.isEmpty else { return }
        numbers.insert(number)
        recent.append(Entry(range, number: number))
        if recent.count > 32, recent.count > Int(Double(sorted.count).squareRoot()) { rebuild() }
    }

    /// Takes out all ranges with a number, which is not used again. O(√n) in the mean.
    mutating func remove(_ number: Int) {
        guard numbers.remove(number) != nil else { return }
        recent.removeAll { $0.number == number }
        removed.insert(number)
        if removed.count > 32, removed.count > sorted.count / 4 { rebuild() }
    }

    private mutating func rebuild() {
        sorted = (sorted.filter { !removed.contains($0.number) } + recent).sorted { $0.lower.isBelow($1.lower) }
        (recent, removed) = ([], [])
        lastEnds = Array(sorted.indices)
        _ = noteLastEnd(in: sorted.indices)
    }

    private mutating func noteLastEnd(in part: Range<Int>) -> Int? {
        guard !part.isEmpty else { return nil }
        let middle = part.lowerBound + part.count / 2
        for side in [part.lowerBound..<middle, middle + 1..<part.upperBound] {
            guard let end = noteLastEnd(in: side) else { continue }
            if sorted[lastEnds[middle]].ends(before: sorted[end]) { lastEnds[middle] = end }
        }
        return lastEnds[middle]
    }

    /// Calls the closure with the number of each range that holds a key, in no order: more than once for a number
    /// several of whose ranges do.
    func forEach(holding key: KeyBytes, _ body: (Int) -> Void) {
        // Entries are looked at where they lie: a copy would count references.
        let word = key.firstWord
        recent.withUnsafeBufferPointer { recent in
            for position in recent.indices
            where !recent[position].beginsBehind(key, word) && recent[position].endsBehind(key, word) {
                body(recent[position].number)
            }
        }
        sorted.withUnsafeBufferPointer { sorted in
            lastEnds.withUnsafeBufferPointer { visit(sorted.indices, key, word, sorted, lastEnds: $0, body) }
        }
    }

    private func visit(
        _ part: Range<Int>, _ key: KeyBytes, _ word: UInt64, _ sorted: UnsafeBufferPointer<Entry>,
        lastEnds: UnsafeBufferPointer<Int>, _ body: (Int) -> Void
    ) {
        var part = part
        while !part.isEmpty {
            let middle = part.lowerBound + part.count / 2
            guard sorted[lastEnds[middle]].endsBehind(key, word) else { return }
            visit(part.lowerBound..<middle, key, word, sorted, lastEnds: lastEnds, body)
            guard !sorted[middle].beginsBehind(key, word) else { return }
            if sorted[middle].endsBehind(key, word), !removed.contains(sorted[middle].number) {
                body(sorted[middle].number)
            }
            part = middle + 1..<part.upperBound
        }
    }
}

extension RangeMap.Entry {
    /// - Parameter word: the key's first.
    @inline(__always)
    fileprivate func beginsBehind(_ key: KeyBytes, _ word: UInt64) -> Bool {
        word == lowerWord ? key.isBelow(lower) : word < lowerWord
    }

    /// - Parameter word: the key's first.
    @inline(__always)
    fileprivate func endsBehind(_ key: KeyBytes, _ word: UInt64) -> Bool {
        word == upperWord ? upper.map { key.isBelow($0) } ?? true : word < upperWord
    }

    fileprivate func ends(before other: Self) -> Bool {
        guard let upper else { return false }
        return other.upper.map { upper.isBelow($0) } ?? true
    }
}
