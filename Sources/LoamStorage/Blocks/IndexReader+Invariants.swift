package import LMDB

extension IndexReader {
    /// Checks what the writer promises beyond what readers rely on: the sizes of blocks and runs. O(entries).
    ///
    /// - Returns: everything that ``verify(in:progress:)`` finds, and sizes outside the limits.
    /// - Throws: what LMDB throws, and `damagedBlock` where a block could lead out of its bytes where it is walked
    ///   over; all other damage is among the faults.
    package func checkInvariants<T: Transaction & ~Copyable>(
        limits: BlockLimits = .standard, in transaction: borrowing T
    ) throws -> [IndexFault] {
        var faults = try verify(in: transaction)
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        var isAtBlock = try cursor.moveToFirst()
        var number = 0
        while isAtBlock {
            let size = cursor.block.count + cursor.separator.count
            if size > limits.blockBytes, try BlockView.count(of: cursor.block) > 1 {
                faults.append(IndexFault(kind: .oversized, number: number))
            }
            number += 1
            isAtBlock = try cursor.next()
        }
        var runs = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: shape.id)
        var isAtRun = try runs.moveToFirst()
        number = 0
        while isAtRun {
            let blocks = try runs.sums.blocks
            isAtRun = try runs.next()
            if blocks > limits.largestRun || (isAtRun && blocks < limits.smallestRun) {
                faults.append(IndexFault(kind: .runSize, number: number))
            }
            number += 1
        }
        return faults
    }
}
