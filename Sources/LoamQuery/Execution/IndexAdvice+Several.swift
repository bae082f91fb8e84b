import LoamStorage

/// Indexes for an OR, of which each part needs one, and for the rows that a relationship leads to.
extension IndexAdvice {
    /// Parts of an OR that are looked at.
    private static let mostParts = 8
    /// How many times less a plan must cost with several indexes, or one of another entity, than with a single one.
    private static let gainOfOthers = 1.2

    /// The best of all; of those that cost about the same, the single index.
    func best() throws -> Found? {
        var best = try single()
        for other in [try forParts(), try forTarget()].compactMap(\.self)
        where other.cost * (best?.indexes.count == 1 ? Self.gainOfOthers : 1) < best?.cost ?? .infinity {
            best = other
        }
        return best
    }

    /// An index for each part of an OR that lacks one; nil where they would not serve much better.
    private func forParts() throws -> Found? {
        guard try snapshot.count(of: query.entity) >= Self.fewestRows else { return nil }
        let context = try PlanContext(query, statistics: snapshot)
        var best: Found?
        for position in context.conjuncts.indices {
            guard case .or(let parts) = context.conjuncts[position], parts.count <= Self.mostParts,
                let suggestions = try suggestions(for: parts, context), !suggestions.isEmpty
            else { continue }
            // Over one key path the ranges are those of one index.
            let needsTrigrams = suggestions.joined().contains { $0.index.kind == .trigrams }
            guard context.paths[position] == nil || needsTrigrams else { continue }
            let present = try presentCost
            let names = Set(suggestions.joined().flatMap(\.index.components).compactMap { $0.names.first })
            let sample = try sampleRows(reading: names.compactMap { query.entity.position(of: $0) })
            let lacking = try mostSelective(suggestions, sample: sample)
            guard let plan = try self.plan(with: lacking, insteadOf: present, sample: sample) else { continue }
            let waiting = waiting
            let found = self.found(lacking.filter { !waiting.contains($0) }, by: plan)
            if !found.indexes.isEmpty, found.cost < best?.cost ?? .infinity { best = found }
        }
        return best
    }

    /// An index that would serve a condition.
    private typealias Suggestion = (index: IndexDefinition, condition: TypedPredicate)

    /// For each of the parts that no index narrows, those that its conditions suggest: for single values, for ranges,
    /// then of trigrams. Nil where a part suggests none.
    private func suggestions(for parts: [TypedPredicate], _ context: PlanContext) throws -> [[Suggestion]]? {
        var suggestions: [[Suggestion]] = []
        for part in parts {
            if try UnionRule.narrowest(of: part, others: [], context) != nil { continue }
            if try TrigramUnionRule.rarestTrigram(of: part, context) != nil { continue }
            let conditions = part.conjuncts
            let ordered = conditions.compactMap { condition in
                condition.indexComponent.map {
                    (suggestion: (IndexDefinition([$0.component]), condition) as Suggestion, isPoint: $0.isPoint)
                }
            }
            let ofTrigrams = conditions.compactMap { condition in
                condition.trigramIndex.map { ($0, condition) as Suggestion }
            }
            let points = ordered.filter(\.isPoint).map(\.suggestion)
            let ranges = ordered.filter { !$0.isPoint }.map(\.suggestion)
            let found = (points + ranges + ofTrigrams).filter { index($0.index) != nil }
            guard !found.isEmpty else { return nil }
            suggestions.append(found)
        }
        return suggestions
    }

    /// Of the indexes for each part the one whose condition the fewest rows of the sample match, each index once.
    private func mostSelective(_ suggestions: [[Suggestion]], sample: [SampledRow]) throws -> [IndexDefinition] {
        var indexes: [IndexDefinition] = []
        for part in suggestions {
            let counted = try part.map { try (index: $0.index, matches: count(of: $0.condition, in: sample)) }
            // Of several that match as often the first.
            guard let best = counted.min(by: { $0.matches < $1.matches }) else { continue }
            if !indexes.contains(best.index) { indexes.append(best.index) }
        }
        return indexes
    }

    /// Indexes for the rows at the other end of a relationship, from which the rows are found; nil where they would not
    /// serve much better.
    private func forTarget() throws -> Found? {
        guard query.readsRelations, query.result != .sections else { return nil }
        let present = try presentCost
        guard present > Self.smallCost else { return nil }
        var best: Found?
        for plan in try Planner.plans(query, statistics: snapshot) {
            guard case .join(let join) = plan.accessPath,
                let found = try IndexAdvice(join.target.query, in: snapshot).best()
            else { continue }
            // From as many times fewer rows as many times fewer are found.
            let share = min(1, Double(max(1, found.rows)) / Double(max(1, join.target.estimate.rows)))
            let cost = found.cost + (plan.estimate.cost - join.target.estimate.cost) * share
            guard cost * Self.gain <= present, cost < best?.cost ?? .infinity else { continue }
            best = Found(indexes: found.indexes, cost: cost, rows: plan.estimate.rows)
        }
        return best
    }
}
