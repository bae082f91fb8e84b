/// A block to be written: its entries and the separator that it gets.
struct BlockPiece {
    var range: Range<Int>
    var separator: [UInt8]
    var measure: BlockMeasure
}

/// Where a split that has a choice leaves the room.
enum SplitBias {
    /// The split is in the middle, or at a change of the leading component.
    case middle
    /// Entries came in at the index's end: the left block is filled, for the next ones come there too.
    case fillLeft
    /// Entries came in at the index's beginning.
    case fillRight
}

extension BlockContents {
    /// Cuts the contents into blocks within the limit, the first under `separator`. ``prepare()`` has run.
    ///
    /// A block that cannot be cut (one entry) may exceed the limit. O(entries x log pieces).
    ///
    /// - Parameter whole: the measure of all contents, when it is known.
    func pieces(
        separator: [UInt8], limit: Int, bias: SplitBias, whole: BlockMeasure? = nil
    ) -> [BlockPiece] {
        if let whole, whole.byteCount + separator.count <= limit {
            return [BlockPiece(range: 0..<count, separator: separator, measure: whole)]
        }
        var pieces: [BlockPiece] = []
        cut(0..<count, separator: separator, limit: limit, bias: bias, pieces: &pieces)
        return pieces
    }

    private func cut(
        _ range: Range<Int>, separator: [UInt8], limit: Int, bias: SplitBias, pieces: inout [BlockPiece]
    ) {
        let measure = measure(range)
        if measure.byteCount + separator.count <= limit || range.count < 2 {
            pieces.append(BlockPiece(range: range, separator: separator, measure: measure))
            return
        }
        let at: Int
        switch bias {
        case .middle: at = middle(range)
        case .fillLeft: at = range.lowerBound + largestStart(range, limit: limit - separator.count)
        case .fillRight: at = range.upperBound - largestEnd(range, limit: limit)
        }
        cut(range.lowerBound..<at, separator: separator, limit: limit, bias: bias, pieces: &pieces)
        cut(at..<range.upperBound, separator: self.separator(at), limit: limit, bias: bias, pieces: &pieces)
    }

    /// The shortest key that is above the entry before and not above entry `index`.
    func separator(_ index: Int) -> [UInt8] {
        Self.separator(between: fullKey(index - 1), and: fullKey(index))
    }

    /// The shortest beginning of `right` that is above `left`, given `left < right`.
    static func separator(between left: [UInt8], and right: [UInt8]) -> [UInt8] {
        var at = 0
        while at < min(left.count, right.count), left[at] == right[at] { at += 1 }
        return Array(right.prefix(at + 1))
    }

    /// The entry that begins the right half, by bytes; in a sectioned index the nearest change of the leading
    /// component when one lies in the middle half.
    private func middle(_ range: Range<Int>) -> Int {
        let total = weight(range.upperBound) - weight(range.lowerBound)
        let half = weight(range.lowerBound) + total / 2
        let inner = range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1)
        let middle = inner.partitionPoint { weight($0) < half }
        guard shape.isSectioned else { return middle }
        let quarter = range.count / 4
        for distance in 0...max(quarter, 0) {
            for candidate in [middle - distance, middle + distance]
            where candidate > range.lowerBound && candidate < range.upperBound && beginsSection(candidate) {
                return candidate
            }
        }
        return middle
    }

    /// Bytes of all entries before `index`, roughly.
    @inline(__always)
    private func weight(_ index: Int) -> Int {
        guard index > 0 else { return 0 }
        let fields = shape.includedCount > 0 ? includedEnds[index - 1] : 0
        return keyStart(index - 1) + keyCount(index - 1) + fields + 4 * index
    }

    /// Whether the leading component changes between an entry and the one before.
    func beginsSection(_ index: Int) -> Bool {
        let (left, right) = (key(index - 1), key(index))
        guard let end = shape.leadingLength.end(in: left), end == shape.leadingLength.end(in: right) else {
            return true
        }
        guard end > 0, let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return false }
        return leftStart.compare(rightStart, count: end) != 0
    }

    /// How many of the first entries fit into `limit`; at least one, and not all.
    private func largestStart(_ range: Range<Int>, limit: Int) -> Int {
        (2..<max(2, range.count)).partitionPoint { count in
            measure(range.lowerBound..<range.lowerBound + count).byteCount <= limit
        } - 1
    }

    /// How many of the last entries fit into `limit` together with the separator they would get.
    private func largestEnd(_ range: Range<Int>, limit: Int) -> Int {
        (2..<max(2, range.count)).partitionPoint { count in
            let start = range.upperBound - count
            return measure(start..<range.upperBound).byteCount + separator(start).count <= limit
        } - 1
    }
}
