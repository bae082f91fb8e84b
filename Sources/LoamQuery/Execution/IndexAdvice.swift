import LoamStorage

/// Looks for indexes that a query lacks: each that its conditions and its order suggest is laid before the planner as if
/// it were there, with what a sample of the rows says of its entries: one of trigrams for a part of a text, an ordered one
/// for everything else. So are those together of which each part of an OR needs one, and those over the entity that a
/// condition on a relationship leads to (`IndexAdvice+Several.swift`).
struct IndexAdvice {
    /// A table of fewer rows is soon read.
    static let fewestRows = 1_000
    private static let sampleSize = 1_000
    /// How many times less the plan must cost: a sample is no count.
    static let gain = 1.5
    /// How many times less it must cost than with a shorter index, or with one that is there already.
    private static let gainOfLonger = 1.2
    /// Costs that nobody minds.
    static let smallCost = 500.0
    /// Components for single values in one index.
    private static let mostPoints = 3
    /// Conditions of each kind that are looked at.
    static let mostConditions = 8

    let query: ResolvedQuery
    let snapshot: Snapshot
    /// What groups are made of; empty where rows are wanted.
    private let grouped: [PropertyPath]

    /// - Parameter grouped: the keys and what is aggregated, where groups are made of the rows in whatever order.
    init(_ query: ResolvedQuery, groupedBy grouped: [PropertyPath] = [], in snapshot: Snapshot) {
        (self.query, self.snapshot, self.grouped) = (query, snapshot, grouped)
    }

    /// What is advised, with what the query's plan would cost then.
    struct Found {
        var indexes: [AdvisedIndex]
        var cost: Double
        /// How many rows it would give.
        var rows: Int
    }

    /// The index that would serve, or those that would together.
    ///
    /// - Throws: `StorageError` for damage.
    func advice() throws -> [AdvisedIndex] { try best()?.indexes ?? [] }

    /// The components of the best single index, as `loam index STORE add ENTITY` takes them; nil where none would serve
    /// much better than what there is, or the best is there and only has to be built.
    ///
    /// Where the query suggests an index and its plan costs much, it costs a look-up for each row of the sample, of
    /// which the properties that the indexes would have are read, but no long values outside of records; and planning
    /// the query for each index.
    ///
    /// - Throws: `StorageError` for damage.
    func components() throws -> [String]? { try single()?.indexes.first?.components }

    /// What ``components()`` tells.
    func single() throws -> Found? {
        let suggestions = suggestions
        guard !suggestions.isEmpty, try snapshot.count(of: query.entity) >= Self.fewestRows else { return nil }
        let present = try presentCost
        guard present > Self.smallCost else { return nil }
        let waiting = waiting
        let components = suggestions.components + (waiting + suggestions.trigrams).flatMap(\.components)
        let named = Set(components.compactMap { $0.names.first })
        let sample = try sampleRows(reading: named.compactMap { query.entity.position(of: $0) })
        let ordered = try candidates(suggestions, sample: sample).sorted { $0.count < $1.count }
        let suggested = ordered.map { IndexDefinition($0) } + suggestions.trigrams
        var best: (index: IndexDefinition, plan: Plan, cost: Double)?
        for index in waiting + suggested.filter({ !exists($0) && !waiting.contains($0) }) {
            guard let plan = try self.plan(with: [index], insteadOf: present, sample: sample) else { continue }
            var cost = plan.estimate.cost
            if let best, waiting.contains(best.index) || index.isLarger(than: best.index) { cost *= Self.gainOfLonger }
            if cost < best?.cost ?? .infinity { best = (index, plan, plan.estimate.cost) }
        }
        guard let best, !waiting.contains(best.index) else { return nil }
        return found([best.index], by: best.plan)
    }

    /// - Parameter plan: the one that reads them.
    func found(_ indexes: [IndexDefinition], by plan: Plan) -> Found {
        Found(
            indexes: indexes.map { AdvisedIndex($0, entity: query.entity.name) }, cost: plan.estimate.cost,
            rows: plan.estimate.rows)
    }

    /// What the plan costs that there is.
    var presentCost: Double {
        get throws { try Planner.plan(query, statistics: snapshot).estimate.cost }
    }

    // MARK: What the query suggests

    private struct Suggestions {
        /// With the conditions that name single values.
        var points: [(component: IndexDefinition.Component, condition: TypedPredicate)] = []
        var ranges: [IndexDefinition.Component] = []
        var order: [IndexDefinition.Component] = []
        var section: [IndexDefinition.Component] = []
        var grouped: [IndexDefinition.Component] = []
        var trigrams: [IndexDefinition] = []

        /// Those of ordered indexes.
        var components: [IndexDefinition.Component] { points.map(\.component) + ranges + order + section + grouped }
        var isEmpty: Bool { components.isEmpty && trigrams.isEmpty }
    }

    private var suggestions: Suggestions {
        var found = Suggestions()
        for conjunct in query.predicate.conjuncts {
            if let trigrams = conjunct.trigramIndex, found.trigrams.count < Self.mostConditions,
                !found.trigrams.contains(trigrams), index(trigrams) != nil
            {
                found.trigrams.append(trigrams)
            }
            guard let (component, isPoint) = conjunct.indexComponent, canBe([component]) else { continue }
            if isPoint {
                guard found.points.count < Self.mostConditions else { continue }
                if !found.points.contains(where: { $0.component == component }) {
                    found.points.append((component, conjunct))
                }
            } else if found.ranges.count < Self.mostConditions, !found.ranges.contains(component) {
                found.ranges.append(component)
            }
        }
        if let order = orderComponents, canBe(order) { found.order = order }
        if query.result == .sections, let section = query.order.first, section.path.related == nil {
            let component = IndexDefinition.Component(names: section.path.names, form: section.form)
            if canBe([component]) { found.section = [component] }
        }
        let components = grouped.compactMap(\.indexComponent)
        if !grouped.isEmpty, components.count == grouped.count, canBe(components) { found.grouped = components }
        return found
    }

    /// The components of each index that is tried: those of equalities first, the most selective one leading, then the
    /// order's or one range's. The most selective equality by itself, too.
    private func candidates(
        _ suggestions: Suggestions, sample: [SampledRow]
    ) throws -> [[IndexDefinition.Component]] {
        let counted = try suggestions.points.enumerated().map { number, point in
            (component: point.component, matches: try count(of: point.condition, in: sample), number: number)
        }
        let points = counted.sorted { ($0.matches, $0.number) < ($1.matches, $1.number) }.prefix(Self.mostPoints)
            .map(\.component)
        var candidates = points.isEmpty ? [] : [[points[0]]]
        if points.count > 1 { candidates.append(points) }
        for range in suggestions.ranges where !points.contains(range) { candidates.append(points + [range]) }
        if !suggestions.order.isEmpty { candidates.append(points + suggestions.order) }
        if !suggestions.section.isEmpty { candidates.append(suggestions.section) }
        if !suggestions.grouped.isEmpty {
            candidates.append(points + suggestions.grouped.filter { !points.contains($0) })
        }
        return candidates
    }

    /// How many rows of a sample match a condition on what was read of them.
    func count(of condition: TypedPredicate, in sample: [SampledRow]) throws -> Int {
        let filter = try FilterProgram(Filter(condition))
        return try sample.count { try filter.matches(PlainRow(rowID: $0.rowID, values: $0.values)) }
    }

    /// The components that give the order that the predicate leaves open; nil where none is open, or no index gives it.
    private var orderComponents: [IndexDefinition.Component]? {
        let keys = query.openOrder
        guard let last = keys.last, last.direction == query.rowIDDirection,
            keys.allSatisfy({ $0.path.related == nil })
        else { return nil }
        return keys.map { IndexDefinition.Component(names: $0.path.names, direction: $0.direction, form: $0.form) }
    }

    /// Indexes that are there and serve nobody yet, or no more: they are being built, or are stale.
    var waiting: [IndexDefinition] {
        query.entity.indexes.filter { !$0.isReadable && [.ordered, .unique, .trigrams].contains($0.kind) }
            .map { IndexDefinition($0.definition.components, kind: $0.kind == .trigrams ? .trigrams : .ordered) }
    }

    /// Whether an index that is as good can be read.
    private func exists(_ wanted: IndexDefinition) -> Bool {
        let kinds = wanted.kind == .ordered ? [.ordered, .unique] : [wanted.kind]
        return query.entity.indexes.contains { index in
            index.isReadable
                && kinds.contains {
                    index.definition.isSame(as: IndexDefinition(wanted.components, kind: $0), butForSections: true)
                }
        }
    }

    // MARK: What it would cost

    /// An index as if it were there; nil where it cannot be made.
    ///
    /// - Parameter number: of several, which.
    func index(_ definition: IndexDefinition, number: Int = 0) -> Index? {
        var definition = definition
        definition.name = "index \(number) that is advised"
        return try? Index(id: .max - IndexID(number), definition, of: query.entity)
    }

    /// Whether an ordered index can have these components.
    private func canBe(_ components: [IndexDefinition.Component]) -> Bool { index(IndexDefinition(components)) != nil }

    /// The query's plan with these indexes, all of which it reads; nil where it is not worth it.
    ///
    /// - Parameter present: the cost of the plan that there is.
    func plan(
        with indexes: [IndexDefinition], insteadOf present: Double, sample: [SampledRow]
    ) throws -> Plan? {
        let added = indexes.enumerated().compactMap { index($0.element, number: $0.offset) }
        guard added.count == indexes.count else { return nil }
        var query = query
        query.entity.indexes += added
        let statistics = try added.reduce(snapshot as any IndexStatistics) {
            try SampledIndex($1, of: query.entity, sample: sample, besides: $0)
        }
        let plans = try PlanChoice(query, statistics: statistics).plans
        func cheapest(_ isWanted: (Plan) -> Bool) -> Plan? {
            plans.filter(isWanted).min { $0.estimate.cost < $1.estimate.cost }
        }
        // The sample may tell more of how many rows match than was known. Beside a cheap plan not all others are made.
        let others = cheapest { plan in !added.contains { plan.reads($0.id) } }
        let without = min(present, others?.estimate.cost ?? present)
        guard let with = cheapest({ plan in added.allSatisfy { plan.reads($0.id) } }),
            with.estimate.cost * Self.gain <= without, without > Self.smallCost
        else { return nil }
        return with
    }

    /// Rows spread over the ids: one from each of as many equal stretches, at another point of each, so that nothing which
    /// comes back at even distances is always met, or never.
    ///
    /// - Parameter positions: of the properties whose values are read.
    func sampleRows(reading positions: [Int]) throws -> [SampledRow] {
        var ends: (first: RowID, last: RowID)?
        try snapshot.scanRows(of: query.entity) { row in
            ends = (row.rowID, row.rowID)
            return false
        }
        try snapshot.scanRows(of: query.entity, reversed: true) { row in
            ends?.last = row.rowID
            return false
        }
        guard let ends else { return [] }
        var rows: [SampledRow] = []
        let width = Double(ends.last - ends.first) / Double(Self.sampleSize)
        var next = ends.first
        for number in 0..<Self.sampleSize {
            let point = (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            let start = max(next, ends.first + RowID(width * (Double(number) + point)))
            guard start <= ends.last else { break }
            try snapshot.scanRows(of: query.entity, from: start, through: ends.last) { row in
                rows.append(try SampledRow(row, reading: positions, of: query.entity))
                return false
            }
            guard let last = rows.last?.rowID, last < ends.last else { break }
            next = last + 1
        }
        return rows
    }
}

extension Plan {
    fileprivate func reads(_ index: IndexID) -> Bool {
        switch accessPath {
        case .union(let scans), .intersection(let scans): scans.contains { $0.index.id == index }
        default: accessPath.scan?.index.id == index
        }
    }
}

extension IndexDefinition {
    /// Whether it takes more room than another one: it has more components, or an entry for each trigram of a text.
    fileprivate func isLarger(than other: IndexDefinition) -> Bool {
        components.count > other.components.count || kind == .trigrams && other.kind != .trigrams
    }
}
