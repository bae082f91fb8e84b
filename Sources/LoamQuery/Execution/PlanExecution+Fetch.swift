import LoamStorage

/// Records that are wanted in another order than that of their ids: a portion of them at a time is read by ascending id
/// and handed on in the order that is wanted. Neighbours share pages, so this costs a fraction of as many look-ups.
extension PlanExecution {
    /// So many rows are read one by one: a page of results must not read what it does not show.
    private static var firstPortion: Int { 64 }
    static var longestPortion: Int { 65_536 }

    /// The rows of a scan that match, in its order.
    func visitInOrder(_ scan: IndexScan, paths: [PropertyPath], _ body: Body) throws {
        var visited = 0
        var portion: [RowID] = []
        var isStopped = false
        try forEachRowID(in: scan) { rowID in
            if visited < Self.firstPortion {
                visited += 1
                isStopped = try !visit(rowID, paths: paths, body) || watch?.note(examined: 1) == false
                return !isStopped
            }
            portion.append(rowID)
            guard portion.count >= min(visited, Self.longestPortion, watch?.rowsLeft ?? .max) else { return true }
            visited += portion.count
            isStopped =
                try !fetch(portion, paths: paths, body)
                || watch?.note(examined: portion.count) == false
            portion.removeAll(keepingCapacity: true)
            return !isStopped
        }
        if !isStopped { _ = try fetch(portion, paths: paths, body) }
    }

    /// Gives a portion of matches the values of `paths` and, where it is wanted, the record; those that are complete
    /// stay as they are.
    func complete(_ portion: inout [Match], paths: [PropertyPath]) throws {
        var stored = try read(portion.lazy.filter { !$0.isComplete }.map(\.rowID), paths: paths, as: .refetch)
            .makeIterator()
        for index in portion.indices where !portion[index].isComplete {
            // Read without a test, each row is a match.
            guard var completed = stored.next() ?? nil else { continue }
            completed.key = portion[index].key
            portion[index] = completed
        }
    }

    private struct WantedRow {
        var rowID: RowID
        var position: Int
    }

    /// Reads rows and calls `body` with those that match; false when `body` stopped.
    private func fetch(_ rowIDs: [RowID], paths: [PropertyPath], _ body: Body) throws -> Bool {
        placer?.clear()
        for match in try read(rowIDs, paths: paths, as: .fetch, test: test, placer: placer) {
            guard let match else { continue }
            guard try body(match) else { return false }
        }
        return true
    }

    /// Reads the rows with these ids, which must exist. One match for each id; nil where the row does not match.
    private func read(
        _ rowIDs: some Collection<RowID>, paths: [PropertyPath], as operator: OperatorID, test: RowTest? = nil,
        placer: RowPlacer? = nil
    ) throws -> [Match?] {
        measurement?.enter(`operator`, at: work)
        defer { measurement?.leave(work) }
        var wanted = rowIDs.enumerated().map { WantedRow(rowID: $0.element, position: $0.offset) }
        wanted.sort { $0.rowID < $1.rowID }
        var found = [Match?](repeating: nil, count: wanted.count)
        var count = 0
        try snapshot.visitRows(wanted.map(\.rowID), of: entity) { index, row in
            count += 1
            try pace?.note(row.rowID)
            if let test, try !test.matches(row) { return true }
            var match = try match(row, paths: paths)
            if let placer { match.key = try placer.place(row, related: related) }
            found[wanted[index].position] = match
            return true
        }
        work.records += count
        guard count == wanted.count else {
            throw StorageError(.inconsistent("an index leads to a row that does not exist"), entity: entity.name)
        }
        return found
    }
}
