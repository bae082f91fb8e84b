package import LoamStorage

/// Where a row stands in a query's result, told row by row: for those who keep a result without asking again.
///
/// It agrees with the plans: the rows that ``placement(of:in:)`` knows, by key and then by row id in
/// ``rowIDDirection``, are the rows that the query gives without its offset and limit.
package struct PlacementRule: Sendable {
    /// A row's place.
    package struct Placement: Hashable, Sendable {
        /// Bytes that compare as the query's order does; the section's come first.
        package var key: [UInt8]
        /// How many of the bytes are the section's; 0 without sections.
        package var sectionCount: Int
        /// The row's value of the section key path, which may be another one than its neighbours' where the section has
        /// a form; nil without sections.
        package var section: Value

        package init(key: [UInt8], sectionCount: Int, section: Value) {
            self.key = key
            self.sectionCount = sectionCount
            self.section = section
        }
    }

    package let query: ResolvedQuery
    /// What the predicate and the order look at besides the result's own rows: for each entity that relationships lead
    /// it to, the positions of the properties that it reads there.
    package private(set) var otherEntities: [EntityID: Set<Int>] = [:]
    /// The relationships kept as links that it goes along, under the ids of both sides.
    package private(set) var links: Set<PropertyID> = []
    /// Whether the query reads related rows.
    package let readsRelations: Bool
    /// Positions of the properties that decide whether a row is in the result, and where.
    package let properties: Set<Int>
    private let filter: FilterProgram
    private let keys: SortKeys
    /// The bytes of the section that nils are in; nil where they are in one of their own.
    private let sectionOfNil: [UInt8]?

    /// The rule of a query whose names and types are known. Reads nothing.
    ///
    /// - Throws: ``QueryError`` for a predicate or an order that cannot be evaluated.
    package init(_ query: ResolvedQuery) throws {
        self.query = query
        readsRelations = query.readsRelations
        properties = Set(query.predicate.paths.map(\.position) + query.order.map(\.path.position))
        filter = try FilterProgram(Filter(query.predicate))
        keys = try SortKeys(query.order)
        sectionOfNil = try query.sectionOfNil.flatMap { value in
            try query.section.map { _ in
                try RowPlacer(SortKeys(Array(query.order.prefix(1)))).key(of: CollectionOfOne(value))
            }
        }
        readRelationships()
    }

    private mutating func readRelationships() {
        let reader = query.relationReader()
        for hop in reader.chains.joined() {
            let read = reader.paths[hop.destination.id] ?? []
            otherEntities[hop.destination.id] = Set(read.map(\.position))
            guard case .links = hop.relationship.storage else { continue }
            links.insert(hop.relationship.id)
            if let inverse = hop.relationship.inverse { links.insert(inverse) }
        }
    }

    package var rowIDDirection: SortDirection { query.rowIDDirection }

    /// The place of the row with an id; nil where there is none or it is not in the result. O(log n), and a look at the
    /// related rows that the query reads.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func placement(of rowID: RowID, in snapshot: Snapshot) throws -> Placement? {
        let related = readsRelations ? SnapshotRelations(snapshot) : nil
        return try snapshot.withRow(rowID, of: query.entity) { try placement(of: $0, related) } ?? nil
    }

    /// Which rows of the entity can be in the result.
    package enum Reach: Hashable, Sendable {
        case all
        /// Those with these ids.
        case rows([RowID])
        /// Those whose keys in an index lie in one of the ranges.
        case ranges(IndexID, [KeyRange])
    }

    /// Which rows the predicate lets into the result, as far as one index tells. As much work as planning the query.
    ///
    /// - Throws: `StorageError` for damage.
    package func reach(in snapshot: Snapshot) throws -> Reach {
        guard !readsRelations else { return .all }
        var query = query
        (query.offset, query.limit, query.result, query.order) = (0, nil, .rows, [])
        switch try Planner.plan(query, statistics: snapshot).accessPath {
        case .nothing: return .rows([])
        case .rows(let rowIDs): return .rows(rowIDs)
        case .index(let scan):
            let isNarrowed = scan.isNarrowed && scan.index.kind != .trigrams
            return isNarrowed ? .ranges(scan.index.id, scan.ranges) : .all
        case .table, .union, .intersection, .skip, .join: return .all
        }
    }

    /// Where a row stands with one of its records.
    package enum RecordPlacement {
        /// It is in the result, at this place.
        case place(Placement)
        /// It is not in the result.
        case elsewhere
        /// The record alone does not tell: what decides lies in related rows, or outside of the record.
        case unknown
    }

    /// Where a row stands with a record that a change set keeps: the one before a change, or the one after it.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func placement(
        of rowID: RowID, record: [UInt8], in snapshot: Snapshot
    ) throws -> RecordPlacement {
        if readsRelations { return .unknown }
        return try snapshot.withRow(rowID, of: query.entity, record: record) { row in
            for position in properties where try row.isLong(position) { return .unknown }
            return try placement(of: row, nil).map(RecordPlacement.place) ?? .elsewhere
        }
    }

    /// The place of a row; nil where it is not in the result.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    func placement<Row: RowValues & ~Escapable>(
        of row: borrowing Row, _ related: SnapshotRelations?
    ) throws -> Placement? {
        guard try filter.matches(row, related: related) else { return nil }
        var key = KeyBuffer()
        try keys.append(row, related: related, to: &key)
        var section: Value?
        if let path = query.section { section = try row.value(of: path, related) }
        return try key.withBytes { try placement($0, section: section) }
    }

    /// Calls the closure with all rows of the result, or the first so many, in order, offset and limit left aside.
    ///
    /// Costs as much as ``Plan/execute(in:work:pace:_:)``. The store's pages are borrowed meanwhile. Where nils have
    /// the section of another value, which the plan gives first or last, they and the rows of that section are held
    /// until all of them are there: in descending order with all rows behind them.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what the
    ///   closure throws.
    package func forEachRow(
        in snapshot: Snapshot, limit: Int? = nil, _ body: (_ rowID: RowID, _ place: Placement) throws -> Void
    ) throws {
        let (plan, execution, placer) = try makeExecution(in: snapshot, limit: limit)
        var held: [(rowID: RowID, place: Placement)] = []
        var rest = limit ?? .max
        let nilsComeLast = query.order.first?.direction == .descending
        func handOut(_ rowID: RowID, place: Placement) throws {
            guard rest > 0 else { return }
            rest -= 1
            try body(rowID, place)
        }
        try plan.execute(execution) { match in
            let place = try placer.withKey(of: match) { try placement($0, section: match.values.first) }
            switch sectionOfNil.map({ place.compareSection(with: $0) }) ?? .before {
            case .same,
                .after where nilsComeLast:
                held.append((match.rowID, place))
                return true
            case .after:
                for row in sorted(held) { try handOut(row.rowID, place: row.place) }
                held = []
            case .before: break
            }
            try handOut(match.rowID, place: place)
            return rest > 0
        }
        for row in sorted(held) { try handOut(row.rowID, place: row.place) }
    }

    /// Calls the closure with all rows of the result as ``forEachRow(in:limit:_:)`` does, each with the bytes of its
    /// place, how many of them are the section's, and the section's value. The bytes are borrowed: where no section
    /// takes nils in, nothing is allocated for a row of a result without sections.
    ///
    /// - Throws: as ``forEachRow(in:limit:_:)``.
    package func forEachKey(
        in snapshot: Snapshot, limit: Int? = nil,
        _ body: (_ rowID: RowID, _ key: UnsafeRawBufferPointer, _ section: (byteCount: Int, value: Value)) throws
            -> Void
    ) throws {
        guard sectionOfNil == nil else {
            return try forEachRow(in: snapshot, limit: limit) { rowID, place in
                try place.key.withUnsafeBytes { try body(rowID, $0, (place.sectionCount, place.section)) }
            }
        }
        let (plan, execution, placer) = try makeExecution(in: snapshot, limit: limit)
        var rest = limit ?? .max
        guard rest > 0 else { return }
        try plan.execute(execution) { match in
            try placer.withKey(of: match) { key in
                let section = match.values.first
                let byteCount = try section == nil ? 0 : keys.program.leadingLength(of: key)
                try body(match.rowID, key, (byteCount, section ?? .null))
            }
            rest -= 1
            return rest > 0
        }
    }

    /// What reads all rows of the result, or the first so many, with their keys.
    private func makeExecution(
        in snapshot: Snapshot, limit: Int?
    ) throws -> (plan: Plan, execution: PlanExecution, placer: RowPlacer) {
        var query = query
        (query.offset, query.limit, query.result) = (0, query.sectionOfNil == nil ? limit : nil, .rows)
        // What places a row is read of it as columns are.
        query.columns = keys.paths
        var plan = try Planner.plan(query, statistics: snapshot)
        plan.query.columns = query.section.map { [$0] } ?? []
        let execution = try PlanExecution(plan, in: snapshot, work: Work())
        let placer = RowPlacer(keys)
        execution.placer = placer
        return (plan, execution, placer)
    }

    private func sorted(_ rows: [(rowID: RowID, place: Placement)]) -> [(rowID: RowID, place: Placement)] {
        rows.sorted { left, right in
            if left.place.key != right.place.key { return left.place.key.lexicographicallyPrecedes(right.place.key) }
            return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
        }
    }

    /// - Parameters:
    ///   - key: the row's, of the whole order.
    ///   - section: the row's value of the section key path; nil without sections.
    private func placement(_ key: UnsafeRawBufferPointer, section: Value?) throws -> Placement {
        guard let section else { return Placement(key: Array(key), sectionCount: 0, section: .null) }
        let sectionCount = try keys.program.leadingLength(of: key)
        guard section.isNull, let other = query.sectionOfNil, let sectionOfNil else {
            return Placement(key: Array(key), sectionCount: sectionCount, section: section)
        }
        return Placement(
            key: sectionOfNil + key[sectionCount...], sectionCount: sectionOfNil.count, section: other)
    }
}

extension PlacementRule.Placement {
    fileprivate enum Side { case before, same, after }

    /// On which side of the section with these bytes the place lies.
    fileprivate func compareSection(with bytes: [UInt8]) -> Side {
        let own = key.prefix(sectionCount)
        if own.elementsEqual(bytes) { return .same }
        return own.lexicographicallyPrecedes(bytes) ? .before : .after
    }
}
