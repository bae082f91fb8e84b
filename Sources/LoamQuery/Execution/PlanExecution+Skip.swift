import LoamStorage

extension PlanExecution {
    /// The scan that a skip scan comes to: its ranges behind each value of the first component. A look-up for each
    /// value, which counts as a range and an entry.
    func scan(of skip: SkipScan) throws -> IndexScan {
        var scan = skip.scan
        guard let leading = try scan.index.components.first.map({ try KeyComponent($0) }) else { return scan }
        var rest = KeyRange.all
        while let key = try firstKey(of: leading, in: rest, scan.index) {
            scan.ranges += try skip.ranges(behind: key)
            guard let next = KeyRange.successor(of: key) else { break }
            rest = KeyRange(lower: next)
        }
        return scan
    }

    private func firstKey(of leading: KeyComponent, in range: KeyRange, _ index: Index) throws -> [UInt8]? {
        var found: [UInt8]?
        work.ranges += 1
        try snapshot.scanIndex(index, range: range) { batch in
            work.entries += 1
            let key = try batch.fullKey(at: 0)
            found = Array(key[..<(try leading.skip(key.span.bytes, from: 0))])
            return false
        }
        return found
    }
}
