import Foundation
import LoamStorage

/// Partial sorts: an index gives the order of the first keys, and rows that are equal in these are sorted a group at a
/// time. Under a limit the groups behind it are not looked at.
extension PlanExecution {
    /// The rows of a scan that match, in the order of the result.
    ///
    /// - Parameter keyCount: how many keys of the order the scan follows.
    func visitGroups(_ scan: IndexScan, keyCount: Int, paths: [PropertyPath], _ body: Body) throws {
        let components = try scan.index.components.prefix(scan.equalityCount + keyCount).map { try KeyComponent($0) }
        let keys = try keyCount == plan.query.openOrder.count ? nil : placer?.keys ?? SortKeys(plan.query.openOrder)
        var (group, rowIDs): ([UInt8], [RowID]) = ([], [])
        var isStopped = false
        try forEachBatch(in: scan) { batch in
            for index in 0..<batch.count {
                let key = try batch.key(at: index)
                var end = 0
                for component in components { end = try component.skip(key, from: end) }
                if !key.begins(with: group, count: end) {
                    isStopped = try !handOut(rowIDs, keys: keys, paths: paths, body)
                    guard !isStopped else { return false }
                    group = key.withUnsafeBytes { Array($0[..<end]) }
                    rowIDs.removeAll(keepingCapacity: true)
                }
                work.entries += 1
                rowIDs.append(batch.rowIDs[index])
            }
            return true
        }
        if !isStopped { _ = try handOut(rowIDs, keys: keys, paths: paths, body) }
    }

    /// Hands out those rows of a group that match; false where that was the end.
    ///
    /// - Parameter keys: of the order; nil where rows of a group are equal in all.
    private func handOut(_ rowIDs: [RowID], keys: SortKeys?, paths: [PropertyPath], _ body: Body) throws -> Bool {
        guard let keys, rowIDs.count > 1 else {
            for rowID in plan.query.rowIDDirection == .descending ? rowIDs.sorted(by: >) : rowIDs.sorted() {
                guard try visit(rowID, paths: paths, body), try watch?.note(examined: 1) ?? true else { return false }
                try pace?.note(rowID)
            }
            return true
        }
        let sorter = RowPlacer(keys)
        sorter.begin(SortedRows(plan.query, limit: plan.wanted))
        guard try collect(rowIDs.sorted(), paths: paths, into: sorter) else { return false }
        watch?.noteGroupEnd()
        _ = try sort(sorter, keepsKeys: placer != nil)
        return try handOutSorted(sorter, paths: paths) { match in
            guard let placer else { return try body(match) }
            var match = match
            placer.clear()
            match.key = sorter.withKey(of: match) { placer.adopt($0) }
            return try body(match)
        }
    }

    /// Takes in those of some rows, which must exist, that match; false where the search is left before the last one.
    private func collect(_ rowIDs: [RowID], paths: [PropertyPath], into sorter: RowPlacer) throws -> Bool {
        var (count, isLeft) = (0, false)
        measurement?.enter(.fetch, at: work)
        defer { measurement?.leave(work) }
        let test = test
        try snapshot.visitRows(rowIDs, of: entity) { _, row in
            count += 1
            try pace?.note(row.rowID)
            if let watch, try !watch.noteInGroup(rest: rowIDs.count - count) {
                isLeft = true
                return false
            }
            guard try test.matches(row), overlay?.hides(row.rowID) != true else { return true }
            watch?.noteMatchInGroup()
            measurement?.enter(.sort, at: work)
            defer { measurement?.leave(work) }
            work.sorted += 1
            if try sorter.isUnwanted(row) { return true }
            sorter.clear()
            let key = try sorter.place(row, related: related)
            guard sorter.isWanted(row.rowID, key: key) else { return true }
            var match = try match(row, paths: paths)
            match.key = key
            try sorter.collect(match)
            return true
        }
        work.records += count
        guard isLeft || count == rowIDs.count else {
            throw StorageError(.inconsistent("an index leads to a row that does not exist"), entity: entity.name)
        }
        return !isLeft
    }
}

extension RawSpan {
    /// Whether its first so many bytes are these.
    fileprivate func begins(with bytes: [UInt8], count: Int) -> Bool {
        guard count == bytes.count else { return false }
        return withUnsafeBytes { own in
            bytes.withUnsafeBytes { bytes in
                guard let left = own.baseAddress, let right = bytes.baseAddress else { return true }
                return memcmp(left, right, count) == 0
            }
        }
    }
}
