/// The size of a block that some entries would make, and the choices that lead to it.
struct BlockMeasure: Hashable {
    var byteCount: Int
    var prefixCount: Int
    var isCompressed: Bool
    /// Bytes of a suffix at fixed stride.
    var suffixCount: Int
    /// Bytes of the front-compressed entries.
    var compressedCount: Int
    var rowIDBase: RowID
    var rowIDWidth: Int
    var inexactCount: Int
}

extension BlockContents {
    /// Measures the block of `range`, which is not empty; ``prepare()`` has run since the last change. O(entries).
    func measure(_ range: Range<Int>) -> BlockMeasure {
        let (lowest, highest) = rowIDBounds(range)
        let width = max(1, (64 - (highest - lowest).leadingZeroBitCount + 7) / 8)
        let first = range.lowerBound
        let last = range.upperBound - 1
        let prefixCount = UnsafeRawPointer(keys.start + keyStart(first))
            .sharedCount(keys.start + keyStart(last), count: min(keyCount(first), keyCount(last)))
        var measure = BlockMeasure(
            byteCount: 0, prefixCount: prefixCount, isCompressed: false, suffixCount: keyCount(first) - prefixCount,
            compressedCount: 0, rowIDBase: lowest, rowIDWidth: width, inexactCount: inexactCount(range))
        var keysCount = 2 + range.count * measure.suffixCount
        if shape.stride == nil {
            let restarts = (range.count + BlockFormat.restartInterval - 1) / BlockFormat.restartInterval
            measure.compressedCount = compressedCount(range, prefixCount: prefixCount)
            let compressed = 2 + 2 * restarts + measure.compressedCount
            let width = keyCount(first)
            if compressed < keysCount || !range.allSatisfy({ keyCount($0) == width }) {
                measure.isCompressed = true
                keysCount = compressed
            }
        }
        let bits = measure.inexactCount > 0 ? (range.count + 7) / 8 : 0
        measure.byteCount =
            BlockFormat.headerCount + prefixCount + range.count * width + bits + keysCount + columnsCount(range)
        return measure
    }

    private func rowIDBounds(_ range: Range<Int>) -> (lowest: RowID, highest: RowID) {
        rowIDs.withUnsafeBufferPointer { rows in
            var lowest = RowID.max
            var highest = RowID.min
            for index in range {
                lowest = min(lowest, rows[index])
                highest = max(highest, rows[index])
            }
            return (lowest, highest)
        }
    }

    private func inexactCount(_ range: Range<Int>) -> Int {
        guard hasInexact else { return 0 }
        return inexact.withUnsafeBufferPointer { flags in
            var count = 0
            for index in range where flags[index] { count += 1 }
            return count
        }
    }

    private func compressedCount(_ range: Range<Int>, prefixCount: Int) -> Int {
        var total = 0
        for index in range {
            let suffix = keyCount(index) - prefixCount
            let isRestart = (index - range.lowerBound) % BlockFormat.restartInterval == 0
            let common = isRestart ? 0 : shared[index] - prefixCount
            let rest = suffix - common
            total += BlockFormat.numberCount(common) + BlockFormat.numberCount(rest) + rest
        }
        return total
    }

    /// Bytes of all columns of included fields.
    private func columnsCount(_ range: Range<Int>) -> Int {
        guard shape.includedCount > 0 else { return 0 }
        let end = includedEnds[range.upperBound - 1]
        let fields = end - includedStart(range.lowerBound) - range.count * shape.includedCount
        var total = fields
        for column in 0..<shape.includedCount {
            total += uniformCode(column, range: range) == nil ? 1 + range.count : 2
        }
        return total
    }

    /// The code of a column when all entries of the range have the same.
    func uniformCode(_ column: Int, range: Range<Int>) -> UInt8? {
        let first = code(column, index: range.lowerBound)
        return range.allSatisfy { code(column, index: $0) == first } ? first : nil
    }

    @inline(__always)
    func code(_ column: Int, index: Int) -> UInt8 {
        included.start.load(fromByteOffset: includedStart(index) + column, as: UInt8.self)
    }
}
