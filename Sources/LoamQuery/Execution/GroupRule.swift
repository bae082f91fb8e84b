package import LoamStorage

/// What a row adds to the groups of a query, told row by row: for those who keep groups without asking again.
///
/// It agrees with ``GroupedPlan``: groups that were read by ``groups(in:work:)``, and then changed by the shares of the
/// rows that changed, are those that a plan gives, as long as no part of them is stale.
package struct GroupRule: Sendable {
    /// What of a row counts for one aggregate.
    package struct Input: Hashable, Sendable {
        /// Nil where the aggregate passes the row over.
        var value: Value
        /// Of a least or greatest value: the bytes by which values are ordered.
        var order: [UInt8] = []
    }

    /// What a row adds to its group.
    package struct Share: Hashable, Sendable {
        /// The bytes of the group's keys.
        package var key: [UInt8]
        /// The values of the keys.
        var titles: [Value]
        /// One for each aggregate.
        var inputs: [Input]
    }

    /// A group, with one part for each aggregate.
    package struct Group: Sendable {
        var titles: [Value]
        package internal(set) var parts: [GroupPart]

        package var isStale: Bool { parts.contains(where: \.isStale) }
    }

    /// Predicate, keys and inputs as those of rows.
    package let placing: PlacementRule
    let plan: GroupedPlan
    /// Gives the groups themselves, without a condition, an order or a limit.
    let whole: GroupedPlan
    /// The last one is the number of rows.
    let aggregates: [TypedGroupAggregate]
    let kinds: [GroupPart.Kind]
    private let filter: FilterProgram
    let keys: SortKeys
    let orders: [SortKeys?]

    /// Costs as much as planning the query twice.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run, naming the part.
    package init(_ query: GroupedQuery, in snapshot: Snapshot) throws {
        plan = try GroupedPlan(query, in: snapshot)
        let named = try plan.aggregates.map { try GroupAggregate($0.name) } + [.count]
        whole = try GroupedPlan(
            GroupedQuery(entity: query.entity, predicate: query.predicate, keys: plan.query.keys, aggregates: named),
            in: snapshot)
        aggregates = whole.aggregates
        kinds = aggregates.map(\.partKind)
        let rows = Query(
            entity: query.entity, predicate: query.predicate, sort: plan.query.keys.map { SortKey($0) },
            columns: named.compactMap(\.path))
        placing = try PlacementRule(ResolvedQuery(rows, in: plan.entity, schema: snapshot.schema))
        filter = try FilterProgram(Filter(placing.query.predicate))
        keys = try SortKeys(plan.keys.ascending)
        orders = try zip(aggregates, kinds).map { aggregate, kind in
            guard kind == .minimum || kind == .maximum, let path = aggregate.path else { return nil }
            return try SortKeys([path].ascending)
        }
    }

    /// Whether some part becomes stale with every change of its values.
    package var addsRoundedNumbers: Bool { kinds.contains(.floating) }

    // MARK: Rows

    /// What a row adds; nil where it is in no group.
    private func share<Row: RowValues & ~Escapable>(
        of row: borrowing Row, _ related: SnapshotRelations?
    ) throws -> Share? {
        guard try filter.matches(row, related: related) else { return nil }
        var titles: [Value] = []
        for path in plan.keys { titles.append(try row.value(of: path, related).titled) }
        let key = try RowPlacer(keys).key(of: row, related)
        var inputs: [Input] = []
        for (aggregate, order) in zip(aggregates, orders) {
            guard let path = aggregate.path else {
                inputs.append(Input(value: .null))
                continue
            }
            var input = Input(value: try row.value(of: path, related))
            if aggregate.function == .count, !input.value.isNull { input.value = .bool(true) }
            if let order, !input.value.isNull { input.order = try RowPlacer(order).key(of: row, related) }
            inputs.append(input)
        }
        return Share(key: key, titles: titles, inputs: inputs)
    }

    /// What a copied record says that its row adds.
    package enum Recorded {
        case share(Share?)
        /// The record alone does not tell: what counts lies in related rows, or outside of the record.
        case unknown
    }

    /// What a row adds that has a record as change sets keep it. Reads no row.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func share(of rowID: RowID, record: [UInt8]?, in snapshot: Snapshot) throws -> Recorded {
        guard let record else { return .share(nil) }
        if placing.readsRelations { return .unknown }
        let positions = placing.properties.union(placing.query.columns.map(\.position))
        return try snapshot.withRow(rowID, of: placing.query.entity, record: record) { row in
            for position in positions where try row.isLong(position) { return .unknown }
            return .share(try share(of: row, nil))
        }
    }

    /// What a stored row adds, and a save since which it has done so, as ``PlacementRule/storedPlace(of:in:)`` says.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func storedShare(of rowID: RowID, in snapshot: Snapshot) throws -> (share: Share?, since: UInt64) {
        let related = placing.readsRelations ? SnapshotRelations(snapshot) : nil
        let found = try snapshot.withRow(rowID, of: placing.query.entity) { row in
            (share: try share(of: row, related), since: row.view.save)
        }
        guard let found else { return (nil, try snapshot.lastSave()) }
        return (found.share, related == nil ? found.since : try snapshot.lastSave())
    }

    /// What the rows add that an overlay concerns, with the overlay in view. O(rows of the overlay).
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func pendingShares(
        under overlay: Overlay, in snapshot: Snapshot
    ) throws -> [RowID: (share: Share?, isStored: Bool)] {
        guard let rows = try OverlaidRows(overlay, of: placing.query, in: snapshot) else { return [:] }
        var shares: [RowID: (share: Share?, isStored: Bool)] = [:]
        for row in rows.touchedRows { shares[row.values.rowID] = (try share(of: row.values, rows.related), true) }
        guard let entity = rows.entity else { return shares }
        for row in entity.masked { shares[row] = (nil, true) }
        for (id, row) in entity.rows { shares[id] = (try share(of: row, rows.related), entity.isMasked(id)) }
        return shares
    }

    // MARK: Groups

    /// Takes a row into its group, which is made where there is none. O(aggregates).
    package func add(_ share: Share, of rowID: RowID, to groups: inout [[UInt8]: Group]) {
        // Taken out meanwhile, so that nothing of it is copied.
        var group =
            groups.removeValue(forKey: share.key)
            ?? Group(titles: share.titles, parts: kinds.map { _ in GroupPart() })
        for (number, input) in share.inputs.enumerated() {
            group.parts[number].add(input, of: rowID, kind: kinds[number])
        }
        groups[share.key] = group
    }

    /// Takes a row out of its group, which goes with its last row. O(aggregates).
    ///
    /// - Returns: false where there was no such row.
    package func remove(_ share: Share, of rowID: RowID, from groups: inout [[UInt8]: Group]) -> Bool {
        guard var group = groups.removeValue(forKey: share.key), let rows = group.parts.last?.count, rows > 0 else {
            return false
        }
        if rows == 1, !plan.keys.isEmpty { return true }
        if rows == 1 {
            group.parts = kinds.map { _ in GroupPart() }
        } else {
            for (number, input) in share.inputs.enumerated() {
                group.parts[number].remove(input, of: rowID, kind: kinds[number])
            }
        }
        groups[share.key] = group
        return true
    }

    /// The result, as ``GroupedPlan/groups(in:overlay:memory:work:)`` gives it. O(groups · log groups).
    ///
    /// - Throws: ``QueryError`` for a sum that does not fit into its type.
    package func result(of groups: [[UInt8]: Group]) throws -> [[Value]] {
        guard plan.query.limit != 0 else { return [] }
        let output = try GroupOutput(plan.output)
        for (key, group) in groups {
            var values = group.titles
            for number in plan.aggregates.indices {
                values.append(try group.parts[number].result(aggregates[number], kind: kinds[number]))
            }
            try output.add(key: key[...], values: values)
        }
        let shown = plan.columns.count
        return try output.finish().map { Array($0.prefix(shown)) }
    }
}
