import LoamStorage

/// What the rules look at: the query, its conjuncts, and the numbers of the store.
///
/// An object, so that passing it on copies nothing.
final class PlanContext {
    let shared: SharedQuery
    let conjuncts: [TypedPredicate]
    /// What is the same for all queries of the shape.
    let shape: Shape
    let statistics: any IndexStatistics
    let rowCount: Int
    private var precision: CountPrecision
    /// Whether all that matters is whether a choice costs much more than it did.
    private var asksWhether = false
    private static let manyRows = 500_000
    /// The scans of trigrams for each of the conjuncts, once they were asked for.
    private var knownTrigrams: [[IndexScan]]?
    /// How many rows have a text that stands for every trigram, by the index, once it was asked for.
    private var knownLongTexts: [IndexID: Int] = [:]

    init(_ query: ResolvedQuery, statistics: any IndexStatistics) throws {
        shared = SharedQuery(query)
        self.statistics = statistics
        conjuncts = shared.conjuncts
        shape = Shape(
            query.entity.id, paths: conjuncts.map(\.onlyPath), openOrder: query.openOrder,
            readable: query.entity.indexes.filter(\.isReadable), read: query.predicate.paths)
        precision = .exact
        rowCount = try statistics.count(of: query.entity.id)
    }

    /// The context of a query of the same shape as another one, where estimates do once ``decide(_:)`` says of what.
    init(_ query: SharedQuery, like shape: Shape, statistics: any IndexStatistics) throws {
        rowCount = try statistics.count(of: shape.entityID)
        conjuncts = query.conjuncts
        (shared, self.shape, self.statistics) = (query, shape, statistics)
        precision = .exact
    }

    /// Lets entries be counted from now on as exactly as a decision needs, which depends on their number.
    func decide(_ decision: Decision) {
        precision = Self.precision(decision, conjuncts, rowCount: rowCount)
        asksWhether = decision == .whether
    }

    /// What the number of entries of an index decides.
    enum Decision {
        /// Nothing: rows come in the order that is wanted, none is tested, and the first ones are enough.
        case nothing
        /// Whether to scan the table in place of the one index that conditions narrow.
        case table
        /// Whether a choice that was the best before costs much more than it did.
        case whether
        /// Which of several ways to take or which to intersect, and where to stop.
        case any
    }

    /// Where the other way is to scan the table, an index that is sure to find less than an eighth of it is the better
    /// one, however much less. A frequent value in a list may be missed where not all are counted; in a large table, a
    /// value that goes through no whole run is not most of it.
    private static func precision(
        _ decision: Decision, _ conjuncts: [TypedPredicate], rowCount: Int
    ) -> CountPrecision {
        switch decision {
        case .nothing: return .rough
        case .any: return .estimate(mostCounted: 64, uncounted: 0)
        case .whether: return .estimate(mostCounted: 64, uncounted: rowCount / 8)
        case .table:
            var scans = 1
            for case .or(let parts) in conjuncts { scans = max(scans, parts.count) }
            return .estimate(mostCounted: rowCount >= manyRows ? 4 : 64, uncounted: rowCount / (8 * scans))
        }
    }

    /// Values of an index's first component behind which entries are counted; nil where these are all of a sample.
    var sampledKeys: Int? {
        switch precision {
        case .exact: nil
        case .estimate, .rough: asksWhether ? 1 : 2
        }
    }

    /// The entries in some ranges of an index together, exactly or not.
    func count(_ ranges: [KeyRange], in index: Index) throws -> Int {
        guard let (mostCounted, uncounted) = precision.ofEstimate else {
            return try ranges.reduce(0) { try $0 + statistics.count(in: index, range: $1) }
        }
        return try statistics.estimatedCount(
            in: index, ranges: ranges, mostCounted: mostCounted, uncounted: uncounted
        ).entries
    }

    var query: ResolvedQuery { shared.query }
    var paths: [PropertyPath?] { shape.paths }
    var openOrder: [ResolvedSortKey] { shape.openOrder }
    var indexes: [Index] { shape.indexes }
    var allPositions: [Int] { shape.allPositions }

    /// For each conjunct the scans of the trigrams that it asks for; empty where there is no index of trigrams.
    func trigramScans() throws -> [[IndexScan]] {
        guard !shape.trigramIndexes.isEmpty else { return [] }
        if let knownTrigrams { return knownTrigrams }
        let scans = try conjuncts.enumerated().map {
            try TrigramRule.scans(of: $0.element, at: $0.offset, in: conjuncts, self)
        }
        knownTrigrams = scans
        return scans
    }

    /// How many rows have each of the trigrams that a condition asks for; empty where none is known.
    ///
    /// - Parameters:
    ///   - position: of the condition among the conjuncts; nil for a part of one.
    ///   - limit: how many trigrams of a part are counted at most.
    func trigramCounts(of condition: TypedPredicate, at position: Int?, atMost limit: Int) throws -> [Int] {
        guard !shape.trigramIndexes.isEmpty else { return [] }
        let scans =
            try position.map { try trigramScans()[$0] }
            ?? TrigramRule.scans(of: condition, at: 0, in: [condition], self, counting: limit)
        return scans.map(\.entryCount)
    }

    /// How many rows of an index of trigrams have a text that stands for every trigram. Counted once.
    func longTextCount(in index: Index) throws -> Int {
        if let known = knownLongTexts[index.id] { return known }
        let count = try statistics.count(in: index, range: TrigramRule.longTexts)
        knownLongTexts[index.id] = count
        return count
    }

    /// The scan with what it is made from, in the context's own way to count.
    func scan(_ outline: ScanOutline, answering conjuncts: [TypedPredicate]) throws -> BuiltScan {
        try BuiltScan(outline, answering: conjuncts, statistics: statistics, precision: precision)
    }
}

extension PlanContext {
    /// What is the same for all queries of a shape.
    final class Shape: Sendable {
        let entityID: EntityID
        /// For each conjunct all that it reads of its row, where that is one path.
        let paths: [PropertyPath?]
        /// The keys of the order that the predicate leaves open.
        let openOrder: [ResolvedSortKey]
        /// The indexes that can be read here and now and have an entry for each row.
        let indexes: [Index]
        /// Those of trigrams that can be read here and now, over something that the predicate reads.
        let trigramIndexes: [Index]
        /// For each conjunct those of ``indexes`` that begin with what it reads, by position.
        let leading: [[Int]]
        /// The positions of all conjuncts.
        let allPositions: [Int]
        /// For each conjunct the positions of all others.
        let others: [[Int]]

        /// - Parameter read: all that the predicate reads, which is asked where there are indexes of trigrams.
        init(
            _ entity: EntityID, paths: [PropertyPath?], openOrder: [ResolvedSortKey], readable: [Index],
            read: @autoclosure () -> Set<PropertyPath>
        ) {
            (entityID, self.paths, self.openOrder) = (entity, paths, openOrder)
            let indexes = readable.filter(\.kind.hasEntryOfEachRow)
            self.indexes = indexes
            let ofTrigrams = indexes.count == readable.count ? [] : readable.filter { $0.kind == .trigrams }
            let read = ofTrigrams.isEmpty ? [] : read()
            trigramIndexes = ofTrigrams.filter { read.contains(where: $0.components[0].concerns) }
            leading = paths.map { path in path.map { Self.positions(of: indexes, beginningWith: $0) } ?? [] }
            let positions = Array(paths.indices)
            allPositions = positions
            others = positions.map { position in positions.filter { $0 != position } }
        }

        /// The indexes that begin with a path, by position in ``indexes``.
        func positions(beginningWith path: PropertyPath) -> [Int] { Self.positions(of: indexes, beginningWith: path) }

        private static func positions(of indexes: [Index], beginningWith path: PropertyPath) -> [Int] {
            indexes.indices.filter { indexes[$0].components.first?.concerns(path) ?? false }
        }
    }
}

/// One way to reach the rows. An object, so that passing it on copies nothing.
final class Candidate {
    let accessPath: AccessPath
    /// Conjuncts that need not be tested any more, by position.
    let answered: [Int]
    /// Rows that the access reaches.
    let rows: Int
    /// Whether it is one scan of an index that conditions narrow, range after range.
    let isNarrowScan: Bool
    /// The conjunct that the access path comes from, by position: of a union the OR; of others nil where several take part,
    /// or none.
    let origin: Int?

    init(accessPath: AccessPath, answered: [Int] = [], rows: Int, isNarrowScan: Bool = false, origin: Int? = nil) {
        (self.accessPath, self.answered, self.rows) = (accessPath, answered, rows)
        (self.isNarrowScan, self.origin) = (isNarrowScan, origin)
    }
}

/// A rule of the planner: ways to reach the rows of a query, best first where it knows better than the costs.
protocol PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate]
}
