import LoamStorage

/// Looks for an index that a query lacks: each that its conditions and its order suggest is laid before the planner as if
/// it were there, with what a sample of the rows says of its entries.
struct IndexAdvice {
    /// A table of fewer rows is soon read.
    private static let fewestRows = 1_000
    private static let sampleSize = 1_000
    /// How many times less the plan must cost: a sample is no count.
    private static let gain = 1.5
    /// Costs that nobody minds.
    private static let smallCost = 500.0
    private static let mostPoints = 3

    private let query: ResolvedQuery
    private let snapshot: Snapshot

    init(_ query: ResolvedQuery, in snapshot: Snapshot) { (self.query, self.snapshot) = (query, snapshot) }

    /// The components of the best index, as `loam index add` takes them; nil where none would serve much better than
    /// what there is.
    ///
    /// Costs a look-up for each row of the sample, and planning the query for each index.
    ///
    /// - Throws: `StorageError` for damage.
    func components() throws -> [String]? {
        guard try snapshot.count(of: query.entity) >= Self.fewestRows else { return nil }
        let present = try Planner.plan(query, statistics: snapshot)
        guard present.estimate.cost > Self.smallCost else { return nil }
        let sample = try sampleRows()
        var best: (components: [IndexDefinition.Component], cost: Double)?
        for components in candidates where !exists(components) {
            guard let cost = try self.cost(with: components, sample: sample), cost < best?.cost ?? .infinity else {
                continue
            }
            best = (components, cost)
        }
        return best?.components.map(\.description)
    }

    // MARK: What the query suggests

    /// The components of each index that is tried: those of equalities first, then the order's or one range's.
    private var candidates: [[IndexDefinition.Component]] {
        var (points, ranges): ([IndexDefinition.Component], [IndexDefinition.Component]) = ([], [])
        for conjunct in query.predicate.conjuncts {
            guard let (component, isPoint) = conjunct.indexComponent else { continue }
            if isPoint {
                if !points.contains(component) { points.append(component) }
            } else if !ranges.contains(component) {
                ranges.append(component)
            }
        }
        points = Array(points.prefix(Self.mostPoints))
        var candidates = points.isEmpty ? [] : [points]
        for range in ranges where !points.contains(range) { candidates.append(points + [range]) }
        if let order = orderComponents { candidates.append(points + order) }
        if query.result == .sections, let section = query.order.first, section.path.related == nil {
            candidates.append([IndexDefinition.Component(names: section.path.names, form: section.form)])
        }
        return candidates
    }

    /// The components that give the order that the predicate leaves open; nil where none is open, or no index gives it.
    private var orderComponents: [IndexDefinition.Component]? {
        let keys = query.openOrder
        guard let last = keys.last, last.direction == query.rowIDDirection,
            keys.allSatisfy({ $0.path.related == nil })
        else { return nil }
        return keys.map { IndexDefinition.Component(names: $0.path.names, direction: $0.direction, form: $0.form) }
    }

    private func exists(_ components: [IndexDefinition.Component]) -> Bool {
        query.entity.indexes.contains { $0.isReadable && $0.definition.components == components }
    }

    // MARK: What it would cost

    /// The cost of the query's plan with an index of these components; nil where it is not worth it.
    private func cost(with components: [IndexDefinition.Component], sample: [PlainRow]) throws -> Double? {
        guard
            let index = try? Index(
                id: .max, IndexDefinition(components, name: "the index that is advised"), of: query.entity)
        else { return nil }
        var query = query
        query.entity.indexes.append(index)
        let statistics = try SampledIndex(index, of: query.entity, sample: sample, in: snapshot)
        let plans = try PlanChoice(query, statistics: statistics).plans
        func cheapest(_ isWanted: (Plan) -> Bool) -> Double? {
            plans.filter(isWanted).map(\.estimate.cost).min()
        }
        guard let without = cheapest({ !$0.reads(index.id) }), let with = cheapest({ $0.reads(index.id) }),
            with * Self.gain <= without, without > Self.smallCost
        else { return nil }
        return with
    }

    /// Rows spread over the ids: one from each of as many equal stretches, at another point of each, so that nothing which
    /// comes back at even distances is always met, or never.
    private func sampleRows() throws -> [PlainRow] {
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
        var rows: [PlainRow] = []
        let width = Double(ends.last - ends.first) / Double(Self.sampleSize)
        var next = ends.first
        for number in 0..<Self.sampleSize {
            let point = (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            let start = max(next, ends.first + RowID(width * (Double(number) + point)))
            guard start <= ends.last else { break }
            try snapshot.scanRows(of: query.entity, from: start, through: ends.last) { row in
                rows.append(PlainRow(rowID: row.rowID, values: try row.values()))
                return false
            }
            guard let last = rows.last?.rowID, last < ends.last else { break }
            next = last + 1
        }
        return rows
    }
}

extension Plan {
    fileprivate func reads(_ index: IndexID) -> Bool { accessPath.scan?.index.id == index }
}

extension TypedPredicate {
    /// The component of an index that answers the condition with a range, and whether that is single values.
    fileprivate var indexComponent: (component: IndexDefinition.Component, isPoint: Bool)? {
        switch self {
        case .comparison(let operand, .equal, .constant, let form): operand.component(form).map { ($0, true) }
        case .comparison(_, .notEqual, _, _): nil
        case .comparison(let operand, _, .constant, let form): operand.component(form).map { ($0, false) }
        case .between(let operand, .constant, .constant, let form): operand.component(form).map { ($0, false) }
        case .isIn(let operand, let elements, let form) where elements.constants != nil:
            operand.component(form).map { ($0, true) }
        case .text(let operand, .beginsWith, .constant, let form), .text(let operand, .like, .constant, let form):
            operand.component(form).map { ($0, false) }
        default: nil
        }
    }
}

extension TypedExpression {
    /// The component of an index whose values the expression has; nil where there is none.
    ///
    /// - Parameter form: in which strings are compared.
    fileprivate func component(_ form: StringForm) -> IndexDefinition.Component? {
        switch self {
        case .property(let path) where path.related == nil && !path.isElement:
            IndexDefinition.Component(names: path.names, form: path.type == .string ? form : .exact)
        case .call(let call, .one(.property(let path)))
        where path.related == nil && !path.isElement && call.function != .noIndex:
            IndexDefinition.Component(
                names: path.names, function: IndexFunction(call.function), form: call.type == .string ? form : .exact)
        case .call(let call, .two(.property(let path), .constant(.string(let zone))))
        where path.related == nil && !path.isElement && call.zone != nil:
            IndexDefinition.Component(names: path.names, function: IndexFunction(call.function, timeZone: zone))
        default: nil
        }
    }
}

/// What a store tells, and of an index that it does not have, what a sample of the rows lets expect.
private struct SampledIndex: IndexStatistics {
    private let index: IndexID
    private let snapshot: Snapshot
    /// The keys of the sample's entries, in order.
    private var keys: [[UInt8]] = []
    private var isInexact = false
    private let rowCount: Int

    init(_ index: Index, of entity: Entity, sample: [PlainRow], in snapshot: Snapshot) throws {
        (self.index, self.snapshot) = (index.id, snapshot)
        rowCount = try snapshot.count(of: entity)
        let shape = try IndexKeyShape(index: index)
        let readings = try index.components.map { component in
            let path = try PropertyPath(component.definition.names, in: entity)
            return (path: path, function: component.function.flatMap { TypedFunction($0, of: path.type) })
        }
        for row in sample {
            let values = readings.map { path, function in
                let value = row.value(of: path)
                return function.map { $0.result(of: value) } ?? value
            }
            let (key, isExact) = try shape.key(of: values)
            isInexact = isInexact || !isExact
            keys.append(key)
        }
        keys.sort { $0.lexicographicallyPrecedes($1) }
    }

    func count(of entity: Entity) throws -> Int { try snapshot.count(of: entity) }

    func count(in index: Index, range: KeyRange) throws -> Int {
        guard index.id == self.index else { return try snapshot.count(in: index, range: range) }
        guard !keys.isEmpty else { return rowCount }
        if range.lower.isEmpty, range.upper == nil { return rowCount }
        let first = keys.indices.partitionPoint { keys[$0].lexicographicallyPrecedes(range.lower) }
        let end =
            range.upper.map { upper in keys.indices.partitionPoint { keys[$0].lexicographicallyPrecedes(upper) } }
            ?? keys.count
        let share = (Double(max(0, end - first)) + 0.5) / Double(keys.count)
        return min(rowCount, Int(share * Double(rowCount)))
    }

    func inexactCount(in index: Index) throws -> Int {
        guard index.id == self.index else { return try snapshot.inexactCount(in: index) }
        return isInexact ? rowCount : 0
    }

    func estimatedCount(
        in index: Index, ranges: [KeyRange], mostCounted: Int, uncounted: Int
    ) throws -> (entries: Int, isInexact: Bool) {
        guard index.id == self.index else {
            return try snapshot.estimatedCount(
                in: index, ranges: ranges, mostCounted: mostCounted, uncounted: uncounted)
        }
        return (try ranges.reduce(0) { try $0 + count(in: index, range: $1) }, isInexact)
    }

    func leadingKeys(of index: Index, count: Int) throws -> [(key: [UInt8], count: Int)] {
        index.id == self.index ? [] : try snapshot.leadingKeys(of: index, count: count)
    }

    func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        guard index.id != self.index else { return nil }
        return try snapshot.countThroughGroup(
            of: position, in: index, range: range, reversed: reversed, componentCount: componentCount)
    }

    func distribution(of index: Index) throws -> IndexDistribution? {
        index.id == self.index ? nil : try snapshot.distribution(of: index)
    }
}
