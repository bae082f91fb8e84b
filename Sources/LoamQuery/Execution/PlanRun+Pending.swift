import LoamStorage

/// The overlay in a run: which stored rows it hides, and which rows stand in for them.
extension PlanRun {
    /// The rows of the overlay that match, with the values of `paths`, in no order.
    func pendingMatches(_ paths: [PropertyPath]) throws -> [Match] {
        guard let overlay else { return [] }
        let filter = FilterProgram(try Filter(plan.query.predicate))
        return try overlay.rows(for: plan.query.predicate).compactMap { row in
            work.pending += 1
            guard try filter.matches(row.values, overlay.related) else { return nil }
            return Match(
                rowID: row.values.rowID, values: try Self.values(of: paths, in: row.values, overlay.related),
                record: row.record,
                isPending: row.record == nil, isComplete: true)
        }
    }

    /// The stored rows that match and are hidden, with the values of `paths`, by id.
    func hiddenMatches(_ paths: [PropertyPath]) throws -> [Match] {
        guard let overlay, overlay.hiddenCount > 0 else { return [] }
        let filter = FilterProgram(try Filter(plan.query.predicate))
        var matches: [Match] = []
        try snapshot.visitRows(overlay.hidden, of: entity) { _, row in
            work.records += 1
            if try filter.matches(row, related) { matches.append(try match(row, paths)) }
            return true
        }
        return matches
    }
}

/// Matches in the order of a result, given out one by one as far as they precede another one.
struct OrderedMatches {
    private let keys: SortKeys
    private let keyCount: Int
    private let rowIDDirection: SortDirection
    private let items: [(key: [UInt8], match: Match)]
    private var next = 0

    /// - Parameter matches: each with the values of the order's keys first; these are taken away.
    init(_ matches: [Match], by order: [ResolvedSortKey], rowIDDirection: SortDirection) throws {
        keys = try SortKeys(order)
        keyCount = order.count
        self.rowIDDirection = rowIDDirection
        var items: [(key: [UInt8], match: Match)] = []
        for match in matches {
            let key = try keys.bytes(of: match.values.prefix(order.count))
            items.append((key, match.withoutValues(order.count)))
        }
        self.items = items.sorted {
            Self.precedes($0.key, $0.match.rowID, $1.key, $1.match.rowID, rowIDDirection)
        }
    }

    var isEmpty: Bool { next == items.count }

    /// The next one, if it comes before `match`, which has the values of the order's keys first.
    mutating func popFirst(before match: Match) throws -> Match? {
        guard next < items.count else { return nil }
        let key = try keys.bytes(of: match.values.prefix(keyCount))
        guard Self.precedes(items[next].key, items[next].match.rowID, key, match.rowID, rowIDDirection) else {
            return nil
        }
        return popFirst()
    }

    mutating func popFirst() -> Match? {
        guard next < items.count else { return nil }
        defer { next += 1 }
        return items[next].match
    }

    private static func precedes(
        _ left: [UInt8], _ leftID: RowID, _ right: [UInt8], _ rightID: RowID, _ rowIDDirection: SortDirection
    ) -> Bool {
        if left != right { return left.lexicographicallyPrecedes(right) }
        return rowIDDirection == .ascending ? leftID < rightID : leftID > rightID
    }
}
