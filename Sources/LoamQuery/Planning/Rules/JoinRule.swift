import LoamStorage

/// A conjunct that is about related rows: these are found first, and from them, against the relationship, the rows.
///
/// Conjuncts about the one row that a to-one leads to are answered together, too. A conjunct that only says that there
/// are some such rows besides, such as one about their number, is tested of the rows that lead to any.
enum JoinRule: PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        var (candidates, together) = ([Candidate](), [RelationHop: [Int]]())
        for (position, conjunct) in context.conjuncts.enumerated() {
            if let (hop, predicate) = conjunct.ofTarget {
                if !hop.relationship.isToMany { together[hop, default: []].append(position) }
                guard let join = try join(along: hop, predicate: predicate, condition: conjunct, context: context)
                else { continue }
                candidates.append(try candidate(join, answering: [position], origin: position, context: context))
            } else if let implied = conjunct.impliedExistence, let (hop, predicate) = implied.ofTarget,
                let join = try join(along: hop, predicate: predicate, condition: implied, context: context)
            {
                candidates.append(try candidate(join, answering: [], origin: nil, context: context))
            }
        }
        for (hop, positions) in together.sorted(by: { $0.value[0] < $1.value[0] }) where positions.count > 1 {
            let condition = TypedPredicate.and(positions.map { context.conjuncts[$0] })
            guard let predicate = condition.behind(hop),
                let join = try join(along: hop, predicate: predicate, condition: condition, context: context)
            else { continue }
            candidates.append(try candidate(join, answering: positions, origin: nil, context: context))
        }
        return candidates
    }

    /// - Parameters:
    ///   - predicate: that holds for the rows at the other end.
    ///   - condition: what the join answers.
    /// - Returns: nil where nothing leads back from there.
    private static func join(
        along hop: RelationHop, predicate: TypedPredicate, condition: TypedPredicate, context: PlanContext
    ) throws -> Join? {
        var query = ResolvedQuery(
            hop.destination, predicate: predicate, columns: hop.inverseReference.map { [$0] } ?? [], isUnordered: true)
        query.sortSpace = context.query.sortSpace
        let join = Join(
            hop: hop, target: try Planner.plan(query, statistics: context.statistics), condition: condition)
        if case .reference = hop.relationship.storage, join.index == nil { return nil }
        return join
    }

    private static func candidate(
        _ join: Join, answering positions: [Int], origin: Int?, context: PlanContext
    ) throws -> Candidate {
        let rows = try rows(join.target.estimate.rows, hop: join.hop, context: context)
        return Candidate(accessPath: .join(join), answered: positions, rows: rows, origin: origin)
    }

    /// The estimated number of rows: for each target as many as there are on average.
    private static func rows(_ targets: Int, hop: RelationHop, context: PlanContext) throws -> Int {
        switch hop.relationship.storage {
        case .reference:
            let all = max(1, try context.statistics.count(of: hop.destination.id))
            return min(context.rowCount, Int(Double(targets) * Double(context.rowCount) / Double(all)) + 1)
        case .inverseOfReference: return min(targets, context.rowCount)
        case .links: return min(targets * 4, context.rowCount)
        }
    }
}

extension TypedPredicate {
    /// The relationship through which alone the predicate reads anything, and the predicate that holds for a row at its
    /// other end, or for one of several, exactly when this one holds. Nil where there is no such predicate, or where
    /// this one holds for rows that the relationship leads nowhere from.
    var ofTarget: (hop: RelationHop, predicate: TypedPredicate)? {
        guard !isChoice, let hop = firstHop, ofNoTarget.normalized == .constant(false) else { return nil }
        return behind(hop).map { (hop, $0) }
    }

    /// That some related rows exist, where this predicate cannot hold otherwise and asks more of them, or of how many they
    /// are; nil where it says nothing about them that they tell by themselves.
    fileprivate var impliedExistence: TypedPredicate? {
        switch self {
        case .exists(let hops, let predicate):
            return Self.someRow(along: hops, predicate: predicate)
        case .comparison(.count(let hops, let predicate?), let comparison, .constant(.int(let bound)), _):
            switch comparison {
            case .greater where bound >= 0, .greaterOrEqual where bound >= 1, .equal where bound >= 1:
                return Self.someRow(along: hops, predicate: predicate)
            default: return nil
            }
        default: return nil
        }
    }

    /// Without the parts that read the row around, or what they like; nil where nothing is left.
    private static func someRow(along hops: [RelationHop], predicate: TypedPredicate) -> TypedPredicate? {
        let parts = predicate.conjuncts.filter { !$0.readsOuter && !$0.isChoice }
        return parts.isEmpty ? nil : .exists(hops, .all(parts))
    }

    /// Whether it is made of conditionals or aggregates, which read what they like of the rows on the way.
    private var isChoice: Bool {
        var isChoice = false
        forEachChild(
            predicate: { isChoice = isChoice || $0.isChoice }, expression: { isChoice = isChoice || $0.isChoice })
        return isChoice
    }

    private var firstHop: RelationHop? {
        switch self {
        case .exists(let hops, _): return hops.first
        case .and(let parts), .or(let parts): return parts.first?.firstHop
        case .not(let part): return part.firstHop
        case .constant, .comparison, .text, .between, .isIn, .hasElement, .existsElement:
            var hop: RelationHop?
            forEachChild(predicate: { _ in }, expression: { hop = hop ?? $0.firstHop })
            return hop
        }
    }

    /// The predicate where every relationship leads nowhere.
    private var ofNoTarget: TypedPredicate {
        switch self {
        case .exists: .constant(false)
        case .and(let parts): .and(parts.map(\.ofNoTarget))
        case .or(let parts): .or(parts.map(\.ofNoTarget))
        case .not(let part): .not(part.ofNoTarget)
        default:
            mapped(
                {
                    switch $0 {
                    case .related, .count: .constant(.null)
                    default: $0
                    }
                }, { $0 })
        }
    }

    fileprivate func behind(_ hop: RelationHop) -> TypedPredicate? {
        switch self {
        case .constant: return self
        case .exists(let hops, let predicate):
            guard hops.first == hop, !predicate.readsOuter else { return nil }
            return hops.count == 1 ? predicate : .exists(Array(hops.dropFirst()), predicate)
        case .or(let parts):
            let rest = parts.compactMap { $0.behind(hop) }
            return rest.count == parts.count ? .or(rest) : nil
        // What holds for one of several related rows each need not hold for the same one.
        case .and, .not: guard !hop.relationship.isToMany else { return nil }
        case .hasElement, .existsElement: return nil
        case .comparison, .text, .between, .isIn: break
        }
        switch self {
        case .and(let parts):
            let rest = parts.compactMap { $0.behind(hop) }
            return rest.count == parts.count ? .and(rest) : nil
        case .not(let part): return part.behind(hop).map(TypedPredicate.not)
        default: return expressionsBehind(hop)
        }
    }

    private func expressionsBehind(_ hop: RelationHop) -> TypedPredicate? {
        guard !hop.relationship.isToMany else { return nil }
        var isPossible = true
        let predicate = mapped(
            { expression in
                switch expression {
                case .constant: return expression
                case .related(let hops, let leaf) where hops.first == hop:
                    return hops.count == 1 ? leaf : .related(Array(hops.dropFirst()), leaf)
                case .count(let hops, let predicate) where hops.first == hop && hops.count > 1:
                    isPossible = isPossible && predicate?.readsOuter != true
                    return .count(Array(hops.dropFirst()), predicate)
                default:
                    isPossible = false
                    return expression
                }
            }, { $0 })
        return isPossible ? predicate : nil
    }
}

extension TypedExpression {
    fileprivate var isChoice: Bool {
        switch self {
        case .aggregate, .conditional: return true
        default:
            var isChoice = false
            forEachChild { isChoice = isChoice || $0.isChoice }
            return isChoice
        }
    }

    fileprivate var firstHop: RelationHop? {
        switch self {
        case .related(let hops, _), .count(let hops, _): return hops.first
        case .constant, .property, .identifier, .reference, .outer, .aggregate, .conditional: return nil
        case .call:
            var hop: RelationHop?
            forEachChild { hop = hop ?? $0.firstHop }
            return hop
        }
    }
}
