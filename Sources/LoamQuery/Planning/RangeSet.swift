import LoamStorage

/// Ranges of an index in key order, none touching another inside.
struct RangeSet: Hashable {
    struct Element: Hashable {
        var range: KeyRange
        /// Whether it is exactly one value of the component, whose whole key is ``KeyRange/lower``.
        var isPoint: Bool
    }

    var elements: [Element]
    /// Whether the ranges hold no entry that the predicate does not hold for.
    var isExact: Bool

    static let nothing = RangeSet(elements: [], isExact: true)

    init(elements: [Element], isExact: Bool) {
        self.elements = elements
        self.isExact = isExact
    }

    init(_ matching: MatchingRange, isPoint: Bool = false) {
        elements = matching.range.isEmpty ? [] : [Element(range: matching.range, isPoint: isPoint)]
        isExact = matching.isExact
    }

    func union(_ other: RangeSet) -> RangeSet {
        Self.union([self, other])
    }

    /// O(n log n) for all elements together.
    static func union(_ sets: [RangeSet]) -> RangeSet {
        let sorted = sets.flatMap(\.elements).sorted { $0.range.lower.lexicographicallyPrecedes($1.range.lower) }
        var merged: [Element] = []
        for element in sorted {
            guard let last = merged.last, element.range.overlaps(last.range) else {
                merged.append(element)
                continue
            }
            if last == element { continue }
            merged[merged.count - 1] = Element(range: last.range.hull(with: element.range), isPoint: false)
        }
        return RangeSet(elements: merged, isExact: sets.allSatisfy(\.isExact))
    }

    func intersection(_ other: RangeSet) -> RangeSet {
        var result: [Element] = []
        var (mine, theirs) = (elements[...], other.elements[...])
        while let left = mine.first, let right = theirs.first {
            let common = left.range.intersection(right.range)
            if !common.isEmpty {
                let isPoint = (left.isPoint && common == left.range) || (right.isPoint && common == right.range)
                result.append(Element(range: common, isPoint: isPoint))
            }
            if left.range.endsBefore(right.range) { mine.removeFirst() } else { theirs.removeFirst() }
        }
        return RangeSet(elements: result, isExact: isExact && other.isExact)
    }

    /// What of `whole` lies outside; only an exact set has a complement.
    func complement(in whole: KeyRange) -> RangeSet? {
        guard isExact else { return nil }
        var gaps: [Element] = []
        var lower = whole.lower
        for element in elements {
            let gap = KeyRange(lower: lower, upper: element.range.lower)
            if !gap.isEmpty { gaps.append(Element(range: gap, isPoint: false)) }
            guard let upper = element.range.upper else { return RangeSet(elements: gaps, isExact: true) }
            lower = upper
        }
        let rest = KeyRange(lower: lower, upper: whole.upper)
        if !rest.isEmpty { gaps.append(Element(range: rest, isPoint: false)) }
        return RangeSet(elements: gaps, isExact: true)
    }
}

extension KeyRange {
    fileprivate func overlaps(_ earlier: KeyRange) -> Bool {
        guard let end = earlier.upper else { return true }
        return lower.lexicographicallyPrecedes(end)
    }

    fileprivate func hull(with later: KeyRange) -> KeyRange {
        guard let mine = upper, let theirs = later.upper else { return KeyRange(lower: lower) }
        return KeyRange(lower: lower, upper: mine.lexicographicallyPrecedes(theirs) ? theirs : mine)
    }

    fileprivate func endsBefore(_ other: KeyRange) -> Bool {
        guard let mine = upper else { return false }
        guard let theirs = other.upper else { return true }
        return mine.lexicographicallyPrecedes(theirs)
    }
}
