package import LoamStorage

/// A range of an index that holds the rows of a result, in its order, and no others.
package struct IndexSpan: Hashable, Sendable {
    package let index: Index
    package let range: KeyRange
    package let isReversed: Bool

    package init(index: Index, range: KeyRange, isReversed: Bool) {
        (self.index, self.range, self.isReversed) = (index, range, isReversed)
    }

    /// Whether it is not the whole index.
    package var isNarrowed: Bool { range.hasLower || range.hasUpper }

    /// The number of rows. O(log n).
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` and `inconsistent` for damage.
    package func count(in snapshot: Snapshot) throws -> Int { try snapshot.count(in: index, range: range) }

    /// The entries of the index before the range. O(log n).
    ///
    /// - Throws: as ``count(in:)``.
    package func start(in snapshot: Snapshot) throws -> Int {
        range.hasLower ? try snapshot.position(in: index, fullKey: range.lower) : 0
    }
}

extension PlacementRule {
    /// How the rows of a result can be found again by their place.
    package enum Arrangement: Hashable, Sendable {
        /// As entries of an index, at their positions.
        case span(IndexSpan)
        /// Not at all; says why.
        case none(String)
    }

    /// Whether the query's filter and order are one range of an index and nothing else: then its i-th row is found by
    /// counting, and nothing has to be held of it. Of several such indexes the first one. O(log n) for each index.
    ///
    /// - Throws: `StorageError` for damage.
    package func arrangement(in snapshot: Snapshot) throws -> Arrangement {
        if readsRelations { return .none("it reads related rows") }
        if query.limit != nil || query.offset > 0 { return .none("it has a limit or an offset") }
        if query.sectionOfNil != nil { return .none("a section takes in rows without a value") }
        var query = query
        query.result = .rows
        let context = try PlanContext(query, statistics: snapshot)
        var isCut: String?
        for index in context.indexes {
            let built = try context.scan(ScanOutline(index, paths: context.paths), answering: context.conjuncts)
            if built.scan.isInexact {
                if isCut == nil, mayServe(built, context) { isCut = index.name }
                continue
            }
            guard Set(built.answered).count == context.conjuncts.count, built.scan.ranges.count == 1,
                let range = built.scan.ranges.first, isSectioned(by: index),
                let isReversed = built.scan.isReversed(for: context.openOrder, rowIDs: query.rowIDDirection)
            else { continue }
            return .span(IndexSpan(index: index, range: range, isReversed: isReversed))
        }
        let reason = "no index has its filter and its order as one range"
        return .none(isCut.map { "\(reason); of the index \($0), keys were cut" } ?? reason)
    }

    /// Whether an index would do if no key of it was cut.
    private func mayServe(_ built: BuiltScan, _ context: PlanContext) -> Bool {
        let open = built.scan.index.components.dropFirst(built.scan.equalityCount)
        return Set(built.conditions).count == context.conjuncts.count && open.count == context.openOrder.count
            && zip(open, context.openOrder).allSatisfy { $0.isSortedBy($1) }
    }

    /// Whether the sections of an index, which are those of its first component, are those of the result.
    private func isSectioned(by index: Index) -> Bool {
        guard let section = query.section else { return true }
        guard let leading = index.components.first else { return false }
        return leading.isValue(of: section) && leading.form == .exact && query.order.first?.form == .exact
    }

    /// The sections of the result, with the bytes that the keys of their places begin with. As much work as
    /// ``Plan/sections(in:work:)``.
    ///
    /// - Throws: as that.
    package func sections(in snapshot: Snapshot) throws -> [FoundSection] {
        var query = query
        query.result = .sections
        var work = Work()
        let placer = RowPlacer(try SortKeys(Array(query.order.prefix(1))))
        var sections = try Planner.plan(query, statistics: snapshot).foundSections(in: snapshot, work: &work)
        for number in sections.indices where sections[number].key.isEmpty {
            sections[number].key = try placer.key(of: CollectionOfOne(sections[number].value))
        }
        return sections
    }
}
