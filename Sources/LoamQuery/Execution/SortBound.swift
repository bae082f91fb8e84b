import LoamStorage

/// Where the wanted rows of a sort end at the latest, learned from the sorted runs that were written: a row behind as
/// many others as are wanted is none of them.
///
/// A run tells the place of every so-manyth of its rows, which stands for the rows since the one before. Of the places
/// of all runs the last is dropped as long as the others stand for enough rows, and the last one that is left is the
/// bound. It moves forwards with each run. Where places take more memory than they may, every second one goes.
///
/// The method is that of Chronis and others, "External Merge Sort for Top-K Queries" (SIGMOD 2020).
struct SortBound {
    /// The place of a row, and the rows of its run that it stands for.
    private struct Step {
        let prefix: UInt64
        let key: [UInt8]
        let rowID: RowID
        var rowCount: Int

        /// Bytes that the step takes, about.
        var byteCount: Int { Self.byteCount(keyCount: key.count) }

        static func byteCount(keyCount: Int) -> Int { MemoryLayout<Step>.stride + 32 + keyCount }
    }

    private let wanted: Int
    /// The most bytes of ``steps``.
    private let memory: Int
    private let rowIDDirection: SortDirection
    /// A heap with the last place on top.
    private var steps: [Step] = []
    /// Rows that the steps stand for.
    private var rowCount = 0
    /// What the steps take in memory, about.
    private(set) var byteCount = 0
    /// Rows from one place to the next, in this run and at least in any later one.
    private var (distance, leastDistance) = (1, 1)
    /// Rows of the run that no place stands for yet.
    private var rowsSinceStep = 0

    /// Places that a run tells.
    private static let stepsOfRun = 64

    init(wanted: Int, memory: Int, rowIDDirection: SortDirection) {
        (self.wanted, self.memory, self.rowIDDirection) = (wanted, memory, rowIDDirection)
    }

    /// Whether there is a bound yet: the last place.
    private var isKnown: Bool { rowCount >= wanted && !steps.isEmpty }

    /// Whether a row whose key begins so comes behind the bound. False where more bytes decide. O(1).
    func isBefore(_ prefix: KeyPrefix) -> Bool { isKnown && prefix.isBehind(steps[0].prefix) }

    /// Whether a row with this key comes behind the bound. O(1).
    ///
    /// - Parameter prefix: of the key.
    func isBefore(_ rowID: RowID, prefix: UInt64, key: UnsafeRawBufferPointer) -> Bool {
        guard isKnown else { return false }
        // The prefix alone mostly decides: nothing else of the place is looked at then.
        if prefix != steps[0].prefix { return prefix > steps[0].prefix }
        let last = steps[0]
        let order = last.key.withUnsafeBytes { SortedKey.compareRest(key, $0) }
        return order != 0 ? order > 0 : rowIDDirection.precedes(last.rowID, rowID)
    }

    /// A run of at most so many rows is going to be written.
    mutating func beginRun(rowCount: Int) {
        distance = max(leastDistance, min(rowCount, wanted) / Self.stepsOfRun)
        rowsSinceStep = 0
    }

    /// The next row of the run was written. O(log places), taken over all.
    ///
    /// - Parameter isLast: whether no row follows in the run.
    mutating func note(_ item: SortedRows.Item, key: UnsafeRawBufferPointer, isLast: Bool) {
        rowsSinceStep += 1
        guard rowsSinceStep >= distance || isLast, Step.byteCount(keyCount: key.count) <= memory else { return }
        let step = Step(prefix: item.prefix, key: Array(key), rowID: item.rowID, rowCount: rowsSinceStep)
        rowsSinceStep = 0
        rowCount += step.rowCount
        byteCount += step.byteCount
        steps.append(step)
        let direction = rowIDDirection
        steps.siftUp(steps.count - 1) { Self.precedes($1, right: $0, rowIDDirection: direction) }
        dropSteps()
    }

    /// Drops places without which there are enough rows, and then as many as take too much memory.
    private mutating func dropSteps() {
        let direction = rowIDDirection
        while let first = steps.first, rowCount - first.rowCount >= wanted {
            rowCount -= first.rowCount
            byteCount -= first.byteCount
            steps[0] = steps[steps.count - 1]
            steps.removeLast()
            steps.siftDown(0) { Self.precedes($1, right: $0, rowIDDirection: direction) }
        }
        while byteCount > memory, steps.count > 1 { joinSteps() }
    }

    /// Makes one place of each two that follow each other.
    private mutating func joinSteps() {
        let direction = rowIDDirection
        let sorted = steps.sorted { Self.precedes($1, right: $0, rowIDDirection: direction) }
        // From the last on: that is a heap.
        steps = stride(from: 0, to: sorted.count, by: 2).map { number in
            var step = sorted[number]
            if number + 1 < sorted.count { step.rowCount += sorted[number + 1].rowCount }
            return step
        }
        byteCount = steps.reduce(0) { $0 + $1.byteCount }
        if leastDistance < wanted / 2 { leastDistance *= 2 }
        distance = max(distance, leastDistance)
    }

    private static func precedes(_ left: Step, right: Step, rowIDDirection: SortDirection) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = left.key.withUnsafeBytes { left in
            right.key.withUnsafeBytes { SortedKey.compareRest(left, $0) }
        }
        return order != 0 ? order < 0 : rowIDDirection.precedes(left.rowID, right.rowID)
    }
}
