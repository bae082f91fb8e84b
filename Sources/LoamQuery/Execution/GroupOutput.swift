import LoamStorage

/// The groups of a result, as rows of an entity of their own: tested with the condition on groups, and put in order.
final class GroupOutput {
    private let having: TypedPredicate
    private let order: RowPlacer
    private let query: ResolvedQuery
    private var rows: SortedRows?
    private var groupCount = 0

    /// Whether all groups are wanted, in the order of their keys: then those that come so need not be taken in.
    var takesAllByKey: Bool {
        having == .constant(true) && query.order.isEmpty && query.limit == nil && query.offset == 0
    }

    /// - Parameter query: over the groups as rows.
    init(_ query: ResolvedQuery) throws {
        self.query = query
        having = query.predicate
        order = RowPlacer(try SortKeys(query.order))
        let wanted = query.limit.flatMap { limit in
            let (sum, overflow) = limit.addingReportingOverflow(query.offset)
            return overflow ? nil : sum
        }
        // All groups that are wanted are handed out as one array.
        rows = SortedRows(limit: wanted, rowIDDirection: .ascending, space: nil)
    }

    /// Takes a group in.
    ///
    /// - Parameters:
    ///   - key: the bytes of its keys, which decide where the order leaves it open.
    ///   - values: of the keys and of the aggregates.
    func add(key: ArraySlice<UInt8>, values: [Value]) throws {
        groupCount += 1
        let row = PlainRow(rowID: RowID(groupCount), values: values)
        guard try having.holds(row, related: nil) else { return }
        var place = try order.key(of: row)
        place += key
        try place.withUnsafeBytes { try rows?.insert(Match(rowID: row.rowID, values: values), key: $0) }
    }

    /// The groups that are wanted, in order; once.
    func finish() throws -> [[Value]] {
        guard let rows = rows.take() else { return [] }
        var sorted = try rows.sorted()
        try sorted.skip(query.offset)
        return try sorted.next(atMost: query.limit ?? .max, keepsKeys: false).map(\.values)
    }
}
