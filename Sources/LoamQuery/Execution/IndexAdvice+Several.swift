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
        for position in context.conjuncts.indices where context.paths[position] == nil {
            guard case .or(let parts) = context.conjuncts[position], parts.count <= Self.mostParts,
                let lacking = try lacking(for: parts, context), !lacking.isEmpty
            else { continue }
            let present = try presentCost
            let names = Set(lacking.joined().compactMap { $0.names.first })
            let sample = try sampleRows(reading: names.compactMap { query.entity.position(of: $0) })
            guard let plan = try self.plan(with: lacking, insteadOf: present, sample: sample) else { continue }
            let found = self.found(lacking, by: plan)
            if found.cost < best?.cost ?? .infinity { best = found }
        }
        return best
    }

    /// The components of an index for each of the parts that no index narrows, each once; nil where none would.
    private func lacking(
        for parts: [TypedPredicate], _ context: PlanContext
    ) throws -> [[IndexDefinition.Component]]? {
        var lacking: [[IndexDefinition.Component]] = []
        for part in parts {
            if try UnionRule.narrowest(of: part, others: [], context) != nil { continue }
            if try TrigramUnionRule.rarestTrigram(of: part, context) != nil { continue }
            let found = part.conjuncts.compactMap(\.indexComponent).filter { index([$0.component]) != nil }
            guard let wanted = found.first(where: \.isPoint) ?? found.first else { return nil }
            if !lacking.contains([wanted.component]) { lacking.append([wanted.component]) }
        }
        return lacking
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
