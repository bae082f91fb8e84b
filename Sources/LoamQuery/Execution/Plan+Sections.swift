package import LoamStorage

extension Plan {
    /// The values of the section key path with the number of rows that have each, in the order of the sections.
    /// Offset and limit do not matter.
    ///
    /// O(blocks + sections) where sums tell, without reading a row but for values that keys do not give back.
    package func sections(in snapshot: Snapshot, work: inout Work) throws -> [(value: Value, count: Int)] {
        guard let section = query.section else {
            throw QueryError(.invalidQuery("sections need a section key path"))
        }
        let direction = query.order.first?.direction ?? .ascending
        let sections =
            if arrangement == .sums, case .index(let scan) = access {
                try summed(scan, section, direction, in: snapshot, &work)
            } else {
                try grouped(section, direction, in: snapshot, &work)
            }
        work.returned += sections.count
        return sections
    }

    private func summed(
        _ scan: IndexScan, _ section: PropertyPath, _ direction: SortDirection, in snapshot: Snapshot,
        _ work: inout Work
    ) throws -> [(value: Value, count: Int)] {
        guard let leading = scan.index.components.first else { return [] }
        let isReversed = leading.direction != direction
        var sections: [(key: [UInt8], count: Int, range: KeyRange)] = []
        for range in isReversed ? scan.ranges.reversed() : scan.ranges {
            work.ranges += 1
            for section in try snapshot.sections(in: scan.index, range: range, reversed: isReversed) {
                if sections.last?.key == section.key {
                    sections[sections.count - 1].count += section.count
                } else {
                    sections.append((section.key, section.count, range))
                }
            }
        }
        work.sums += sections.count
        let component = try KeyComponent(leading)
        return try sections.map { key, count, range in
            var offset = 0
            let known = try component.decode(key.span.bytes, at: &offset)
            let range = KeyRange.prefix(key).intersection(range)
            return (try known ?? value(of: section, in: scan.index, range, snapshot, &work), count)
        }
    }

    /// The value in the first row of a range, for keys that do not give it back.
    private func value(
        of path: PropertyPath, in index: Index, _ range: KeyRange, _ snapshot: Snapshot, _ work: inout Work
    ) throws -> Value {
        var rowID: RowID?
        try snapshot.scanIndex(index, range: range) { batch in
            rowID = batch.rowIDs[0]
            return false
        }
        work.records += 1
        let value = try rowID.flatMap { try snapshot.withRow($0, of: query.entity) { try $0.value(of: path) } }
        guard let value else {
            throw StorageError(.inconsistent("a section has no row"), entity: query.entity.name, index: index.name)
        }
        return value
    }

    private func grouped(
        _ section: PropertyPath, _ direction: SortDirection, in snapshot: Snapshot, _ work: inout Work
    ) throws -> [(value: Value, count: Int)] {
        let keys = try SortKeys([ResolvedSortKey(path: section, direction: direction, form: .exact)])
        var groups: [[UInt8]: (value: Value, count: Int)] = [:]
        var plan = self
        plan.query.result = .sections
        let run = try PlanRun(plan, in: snapshot, work)
        defer { work = run.work }
        try run.forEachMatch([section]) { match in
            groups[try keys.bytes(of: match.values), default: (match.values.first ?? .null, 0)].count += 1
            return true
        }
        run.work.sorted += groups.count
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
