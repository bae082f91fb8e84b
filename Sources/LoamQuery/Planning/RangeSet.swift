import LoamStorage

/// Ranges of an index in key order, none touching another inside. Those that are one value of a component say so
/// (`isPoint`).
struct RangeSet: Hashable {
    var elements: [KeyRange]
    /// Whether the ranges hold no entry that the predicate does not hold for.
    var isExact: Bool

    static let nothing = RangeSet(elements: [], isExact: true)

    init(elements: [KeyRange], isExact: Bool) {
        self.elements = elements
        self.isExact = isExact
    }

    init(_ matching: MatchingRange) {
        elements = matching.range.isEmpty ? [] : [matching.range]
        isExact = matching.isExact
    }

    func union(_ other: RangeSet) -> RangeSet {
        Self.union([self, other])
    }

    /// O(n log n) for all elements together.
    static func union(_ sets: [RangeSet]) -> RangeSet {
        union(sets.flatMap(\.elements), isExact: sets.allSatisfy(\.isExact))
    }

    /// The union of ranges in any order. O(n log n).
    static func union(_ elements: consuming [KeyRange], isExact: Bool) -> RangeSet {
        if let points = elements.sortedPoints { return RangeSet(elements: points, isExact: isExact) }
        if areApart(elements) { return RangeSet(elements: elements, isExact: isExact) }
        elements = sorted(elements)
        if areApart(elements) { return RangeSet(elements: elements, isExact: isExact) }
        var merged: [KeyRange] = []
        merged.reserveCapacity(elements.count)
        for element in elements {
            guard let last = merged.last, last.reachesInto(element) else {
                merged.append(element)
                continue
            }
            if last == element { continue }
            merged[merged.count - 1] = last.hull(with: element)
        }
        return RangeSet(elements: merged, isExact: isExact)
    }

    /// The elements by where they begin. Numbers are sorted in place of ranges where these begin with short keys, which
    /// cost more to move.
    private static func sorted(_ elements: [KeyRange]) -> [KeyRange] {
        var places: [Place] = []
        places.reserveCapacity(elements.count)
        for position in elements.indices {
            guard let place = elements[position].place else {
                return elements.sorted { $0.begins(before: $1) }
            }
            places.append((place, position))
        }
        places.sort { $0.place < $1.place }
        return places.map { elements[$0.position] }
    }

    private typealias Place = (place: (UInt64, UInt64, UInt64, UInt8), position: Int)

    /// Whether each ends where the next one begins, or before.
    private static func areApart(_ elements: [KeyRange]) -> Bool {
        elements.withUnsafeBufferPointer { elements in
            for position in 0..<max(0, elements.count - 1)
            where elements[position].reachesInto(elements[position + 1]) {
                return false
            }
            return true
        }
    }

    func intersection(_ other: RangeSet) -> RangeSet {
        if elements.count == 1, other.elements.count == 1 {
            let common = KeyRange.common(elements[0], other.elements[0])
            return RangeSet(elements: common.map { [$0] } ?? [], isExact: isExact && other.isExact)
        }
        var result: [KeyRange] = []
        var (mine, theirs) = (elements[...], other.elements[...])
        while let left = mine.first, let right = theirs.first {
            if let common = KeyRange.common(left, right) { result.append(common) }
            if left.endsBefore(right) { mine.removeFirst() } else { theirs.removeFirst() }
        }
        return RangeSet(elements: result, isExact: isExact && other.isExact)
    }

    /// What of `whole` lies outside; only an exact set has a complement.
    func complement(in whole: KeyRange) -> RangeSet? {
        guard isExact else { return nil }
        var gaps: [KeyRange] = []
        var lower = whole.lower
        for element in elements {
            let gap = KeyRange(lower: lower, upper: element.lower)
            if !gap.isEmpty { gaps.append(gap) }
            guard let upper = element.upper else { return RangeSet(elements: gaps, isExact: true) }
            lower = upper
        }
        let rest = KeyRange(lower: lower, upper: whole.upper)
        if !rest.isEmpty { gaps.append(rest) }
        return RangeSet(elements: gaps, isExact: true)
    }
}

extension KeyRange {
    /// What lies in both, a point where one of them is that; nil where nothing does.
    fileprivate static func common(_ left: KeyRange, _ right: KeyRange) -> KeyRange? {
        let range = left.intersection(right)
        guard !range.isEmpty else { return nil }
        let isPoint = left.isPoint && range == left || right.isPoint && range == right
        return isPoint ? range.ofOneValue : range
    }

    fileprivate func hull(with later: KeyRange) -> KeyRange {
        KeyRange(lower: lower, upper: endsBefore(later) ? later.upper : upper)
    }
}
