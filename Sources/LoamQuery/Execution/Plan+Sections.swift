package import LoamStorage

extension Plan {
    /// The values of the section key path with the number of rows that have each, in the order of the sections.
    /// Offset and limit do not matter. Where the section's sort key has a form, what is equal in it is one section,
    /// with the value of its first row.
    ///
    /// O(blocks + sections) where sums tell, without reading a row but for values that keys do not give back. Sections
    /// in a form read all rows.
    ///
    /// - Throws: ``QueryError`` where the query has no section key path, or for a MATCHES that takes too much work;
    ///   `StorageError` for damage.
    package func sections(in snapshot: Snapshot, work: inout Work) throws -> [(value: Value, count: Int)] {
        try sections(in: snapshot, overlay: nil, work: &work)
    }

    /// The sections of the stored rows as the overlay changes them. They cost as much as without an overlay, and
    /// O(rows of the overlay) more.
    ///
    /// - Throws: as the form without an overlay.
    package func sections(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work
    ) throws -> [(value: Value, count: Int)] {
        try sections(in: snapshot, overlay: overlay, work: &work, measurement: nil)
    }

    func sections(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work, measurement: Measurement?
    ) throws -> [(value: Value, count: Int)] {
        try found(in: snapshot, overlay: overlay, work: &work, measurement: measurement).map { ($0.value, $0.count) }
    }

    /// The sections of the stored rows, with what is known of their keys. As much work as ``sections(in:work:)``.
    ///
    /// - Throws: as that.
    func foundSections(in snapshot: Snapshot, work: inout Work) throws -> [FoundSection] {
        try found(in: snapshot, overlay: nil, work: &work, measurement: nil)
    }

    private func found(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work, measurement: Measurement?
    ) throws -> [FoundSection] {
        guard let section = query.section else {
            throw QueryError(.invalidQuery("sections need a section key path"))
        }
        var plan = self
        plan.query.result = .sections
        let execution = try PlanExecution(plan, in: snapshot, work: work, overlay: overlay, measurement: measurement)
        defer { work = execution.work }
        return try execution.leavingLongSkips {
            try plan.sections(of: section, execution)
        } following: { next in
            try next.plan.sections(of: section, next)
        }
    }

    private func sections(of section: PropertyPath, _ execution: PlanExecution) throws -> [FoundSection] {
        var sections: [FoundSection]
        if arrangement == .sums, let scan = try execution.scanOfSections {
            execution.measurement?.enter(.scan(0), at: execution.work)
            sections = try summed(
                scan, section: section, in: execution.snapshot, work: &execution.work)
            execution.measurement?.leave(execution.work)
            if execution.overlay != nil { sections = try corrected(sections, section: section, execution: execution) }
        } else {
            sections = try grouped(section, execution: execution)
        }
        execution.work.returned += sections.count
        return sections
    }

    /// Sections by the ordered keys of their values.
    private struct Groups {
        private struct Group {
            var value: Value
            var count: Int
            /// Where the row stands whose value it is; nil where all rows have the same.
            var place: Place?
        }

        private struct Place {
            var key: [UInt8]
            var rowID: RowID
        }

        private let placer: RowPlacer
        /// Given where the section's form takes several values for one: its first row's value is its title.
        private let order: RowPlacer?
        private let rowIDDirection: SortDirection
        private var groups: [[UInt8]: Group] = [:]

        init(_ query: ResolvedQuery) throws {
            placer = RowPlacer(try SortKeys(Array(query.order.prefix(1))))
            order = query.order.first?.form == .exact ? nil : RowPlacer(try SortKeys(query.order))
            rowIDDirection = query.rowIDDirection
        }

        var count: Int { groups.count }

        mutating func add(_ count: Int, of value: Value) throws {
            groups[try placer.key(of: CollectionOfOne(value)), default: Group(value: value, count: 0)].count += count
        }

        /// - Parameter match: with the values of the order's keys, or of the section alone where nothing else matters.
        mutating func add(_ match: Match) throws {
            let value = match.values.first ?? .null
            guard let order else { return try add(1, of: value) }
            let place = Place(key: try order.key(of: match.values), rowID: match.rowID)
            let section = try placer.key(of: CollectionOfOne(value))
            var group = groups[section] ?? Group(value: value, count: 0)
            group.count += 1
            if group.place.map({ precedes(place, $0) }) ?? true { (group.value, group.place) = (value, place) }
            groups[section] = group
        }

        private func precedes(_ left: Place, _ right: Place) -> Bool {
            if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
            return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
        }

        var sections: [FoundSection] {
            groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.filter { $0.value.count > 0 }
                .map { FoundSection(key: $0.key, value: $0.value.value, count: $0.value.count) }
        }
    }

    private func corrected(
        _ sections: [FoundSection], section: PropertyPath, execution: PlanExecution
    ) throws -> [FoundSection] {
        var groups = try Groups(query)
        for section in sections { try groups.add(section.count, of: section.value) }
        for match in try execution.hiddenMatches([section]) { try groups.add(-1, of: match.values.first ?? .null) }
        for match in try execution.pendingMatches([section]) { try groups.add(1, of: match.values.first ?? .null) }
        return groups.sections
    }

    private func summed(
        _ scan: IndexScan, section path: PropertyPath, in snapshot: Snapshot, work: inout Work
    ) throws -> [FoundSection] {
        guard let leading = scan.index.components.first, let order = query.order.first else { return [] }
        let isReversed = leading.direction != order.direction
        let component = try KeyComponent(leading)
        let ranges = isReversed ? scan.ranges.reversed() : scan.ranges
        let isSortKey = try !isReversed && SortKeys([order]).program.canCopy(0, from: component)
        var found: [FoundSection] = []
        var lastKey: [UInt8] = []
        for range in ranges {
            work.ranges += 1
            let sections = try self.sections(of: scan, in: range, isReversed: isReversed, snapshot)
            if ranges.count == 1 { found.reserveCapacity(sections.count) }
            for (number, section) in sections.enumerated() {
                // Of several ranges, one may end in the section in which the next one begins.
                if number == 0, !found.isEmpty, lastKey == section.key {
                    found[found.count - 1].count += section.count
                    continue
                }
                var offset = 0
                if let value = try component.decode(section.key.span.bytes, at: &offset) {
                    found.append(FoundSection(key: isSortKey ? section.key : [], value: value, count: section.count))
                } else {
                    let range = KeyRange.prefix(section.key).intersection(range)
                    let value = try value(of: path, in: scan.index, range: range, snapshot: snapshot, work: &work)
                    found.append(FoundSection(key: [], value: value, count: section.count))
                }
            }
            if let last = sections.last { lastKey = last.key }
        }
        work.sums += found.count
        return found
    }

    /// The sections in a range of a scan: one, of which the range is counted, where the first component is a point.
    private func sections(
        of scan: IndexScan, in range: KeyRange, isReversed: Bool, _ snapshot: Snapshot
    ) throws -> [IndexSection] {
        guard scan.pointCount > 0, let leading = scan.index.components.first else {
            return try snapshot.sections(in: scan.index, range: range, reversed: isReversed)
        }
        let count = try snapshot.count(in: scan.index, range: range)
        guard count > 0 else { return [] }
        let end = try KeyComponent(leading).skip(range.lower.span.bytes, from: 0)
        return [IndexSection(key: Array(range.lower[..<end]), count: count)]
    }

    /// The value in the first row of a range, for keys that do not give it back.
    private func value(
        of path: PropertyPath, in index: Index, range: KeyRange, snapshot: Snapshot, work: inout Work
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

    private func grouped(_ section: PropertyPath, execution: PlanExecution) throws -> [FoundSection] {
        var groups = try Groups(query)
        let paths = query.order.first?.form == .exact ? [section] : query.order.map(\.path)
        try execution.forEachMatch(paths) { match in
            try groups.add(match)
            return true
        }
        for match in try execution.pendingMatches(paths) { try groups.add(match) }
        execution.work.sorted += groups.count
        return groups.sections
    }
}

/// A section of a result.
package struct FoundSection: Sendable {
    /// The bytes that the sort keys of its rows begin with; none where these are left to be made of its value.
    package internal(set) var key: [UInt8]
    package let value: Value
    /// The number of its rows.
    package internal(set) var count: Int
}

extension PlanExecution {
    /// The scan of the index whose sections are summed; nil where the plan has none.
    fileprivate var scanOfSections: IndexScan? {
        get throws {
            if case .skip(let skip) = plan.accessPath { return try scan(of: skip) }
            return plan.accessPath.scan
        }
    }
}
