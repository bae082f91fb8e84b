/// Search: where a full key, or a beginning of one, would stand.
extension BlockView {
    /// The first entry whose full key is not below `bound`; `count` when all are. O(log n).
    ///
    /// - Throws: `damagedBlock` when a front-compressed entry leads outside the block.
    func lowerBound(of bound: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        // An empty buffer has no address; any will do for no bytes.
        let address = bound.baseAddress ?? base
        let common = min(prefixCount, bound.count)
        let order = (base + BlockFormat.headerCount).compare(address, count: common)
        if order != 0 { return order < 0 ? count : 0 }
        // A bound that ends within the prefix, or with it, is below every entry: a row id follows.
        guard bound.count > prefixCount else { return 0 }
        let rest = UnsafeRawBufferPointer(start: address + prefixCount, count: bound.count - prefixCount)
        return isCompressed ? try lowerBoundCompressed(rest) : lowerBoundFixed(rest)
    }

    /// `bound` without the prefix, not empty.
    private func lowerBoundFixed(_ bound: UnsafeRawBufferPointer) -> Int {
        (0..<count).partitionPoint { entry in
            isBelow(base + entriesStart + entry * suffixCount, suffixCount: suffixCount, entry: entry, bound: bound)
        }
    }

    /// Whether an entry, given its suffix, is below `bound` (without the prefix).
    @inline(__always)
    private func isBelow(
        _ suffix: UnsafeRawPointer, suffixCount: Int, entry: Int, bound: UnsafeRawBufferPointer
    ) -> Bool {
        guard let address = bound.baseAddress else { return false }
        let order = suffix.compare(address, count: min(suffixCount, bound.count))
        if order != 0 { return order < 0 }
        guard bound.count > suffixCount else { return false }
        let rest = UnsafeRawBufferPointer(start: address + suffixCount, count: bound.count - suffixCount)
        return RowIDOrder.isBelow(rowID(at: entry), inverted: shape.invertsRowID, bound: rest)
    }

    /// The first entry that is not below a bound, in a front-compressed block. It is looked for in the table of
    /// restarts, and then forward: an entry that shares more with the one before it than the bound did is still below
    /// the bound, and one that shares less is above it.
    private func lowerBoundCompressed(_ bound: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        guard let address = bound.baseAddress else { return 0 }
        let restart = try (0..<restartCount).partitionPoint { (restart) throws(StorageError) in
            var reader = try entries(fromRestart: restart)
            let entry = try reader.next()
            return isBelow(
                base + entry.restStart, suffixCount: entry.restCount, entry: restart * BlockFormat.restartInterval,
                bound: bound)
        }
        guard restart > 0 else { return 0 }
        let start = (restart - 1) * BlockFormat.restartInterval
        let end = min(count, start + BlockFormat.restartInterval)
        var reader = try entries(fromRestart: restart - 1)
        /// Bytes at which the entry before and the bound agree; that entry is below the bound.
        var agreed = 0
        for index in start..<end {
            let entry = try reader.next()
            if entry.shared < agreed { return index }
            if entry.shared > agreed { continue }
            let rest = base + entry.restStart
            let comparable = min(entry.restCount, bound.count - agreed)
            let equal = rest.sharedCount(address + agreed, count: comparable)
            if equal < comparable {
                let found = rest.load(fromByteOffset: equal, as: UInt8.self)
                let sought = bound[agreed + equal]
                if found > sought { return index }
                agreed += equal
            } else if bound.count - agreed <= entry.restCount {
                return index
            } else {
                agreed += equal
                let row = UnsafeRawBufferPointer(start: address + agreed, count: bound.count - agreed)
                if !RowIDOrder.isBelow(rowID(at: index), inverted: shape.invertsRowID, bound: row) { return index }
            }
        }
        return end
    }
}

/// The order of row ids as the last eight bytes of a full key.
enum RowIDOrder {
    /// Whether the row id's bytes are below `bound`, the rest of a bound after all component bytes.
    static func isBelow(_ rowID: RowID, inverted: Bool, bound: UnsafeRawBufferPointer) -> Bool {
        let ordered = inverted ? ~rowID : rowID
        let known = min(8, bound.count)
        guard known > 0 else { return false }
        var sought: UInt64 = 0
        for at in 0..<known { sought = sought << 8 | UInt64(bound[at]) }
        let found = ordered >> UInt64(8 * (8 - known))
        return found < sought || (found == sought && bound.count > 8)
    }
}
