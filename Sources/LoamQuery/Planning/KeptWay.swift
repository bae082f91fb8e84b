import LoamStorage

/// A way to the rows, for whatever constants, and what the plan that it made for some reads of them.
final class KeptWay: Sendable {
    /// Which rule found it, and what of that rule's work follows from the shape.
    enum Route: Sendable {
        case table
        case identifiers
        case identifierRange
        case index(ScanOutline)
        /// The ranges of a scan, merged into the order that is wanted.
        case merge(ScanOutline)
        case union(KeptUnion)
    }

    private let route: Route
    /// What the plan for those constants reads of the rows.
    let reading: Plan.Reading
    /// The conjuncts that the plan tests, by position.
    let open: [Int]
    /// Whether conditions narrow it.
    let isNarrowed: Bool
    /// Whether it is the table itself.
    let isTable: Bool

    init(route: Route, plan: Plan, open: [Int]) {
        (self.route, self.open) = (route, open)
        reading = Plan.Reading(plan)
        switch route {
        case .table: (isNarrowed, isTable) = (false, true)
        case .index(let outline), .merge(let outline): (isNarrowed, isTable) = (!outline.steps.isEmpty, false)
        case .identifiers, .identifierRange, .union: (isNarrowed, isTable) = (true, false)
        }
    }

    /// What the scan of an index follows from; nil for other ways.
    var outline: ScanOutline? {
        if case .index(let outline) = route { outline } else { nil }
    }

    /// The way with the constants of another query; nil where these have no such way.
    func candidate(_ context: PlanContext) throws -> Candidate? {
        switch route {
        case .table: return TableRule.candidates(context).first
        case .index(let outline): return try IndexRule.candidate(outline, context: context)
        case .merge(let outline):
            return IndexRule.merged(try IndexRule.candidate(outline, context: context), context: context)
        case .union(let union): return try union.candidate(context)
        case .identifiers:
            let rows = IdentifierRule.candidates(context).filter {
                if case .rows = $0.accessPath { true } else { false }
            }
            return rows.min { $0.rows < $1.rows }
        case .identifierRange:
            return IdentifierRule.candidates(context).first {
                switch $0.accessPath {
                case .table, .nothing: true
                case .rows, .index, .union, .intersection, .skip, .join: false
                }
            }
        }
    }
}

extension KeptWay.Route {
    /// Whether it goes through a whole index, whatever the constants.
    var narrowsNothing: Bool {
        if case .index(let outline) = self { outline.steps.isEmpty } else { false }
    }

    /// Nil for ways that are not kept: those that found nothing, and joins.
    init?(_ candidate: Candidate, context: PlanContext) throws {
        switch candidate.accessPath {
        case .table(.min, .max) where candidate.answered.isEmpty: self = .table
        case .table: self = .identifierRange
        case .rows: self = .identifiers
        case .index(let scan):
            let outline = try ScanOutline(scan.index, paths: context.paths, order: context.openOrder)
            self = scan.isMerged ? .merge(outline) : .index(outline)
        case .union(let scans):
            guard let union = try KeptUnion(scans, candidate, context: context) else { return nil }
            self = .union(union)
        case .nothing, .intersection, .skip, .join: return nil
        }
    }
}

/// An OR as a scan for each of its parts, of the same index as for the constants that it was found for.
struct KeptUnion: Sendable {
    /// Of the OR among the conjuncts.
    private let position: Int
    private let others: [Int]
    private let outlines: [ScanOutline]

    /// Nil where it is not known which scan belongs to which part.
    fileprivate init?(_ scans: [IndexScan], _ candidate: Candidate, context: PlanContext) throws {
        guard let position = candidate.origin, case .or(let parts) = context.conjuncts[position],
            parts.count == scans.count
        else { return nil }
        let others = context.allPositions.filter { $0 != position }
        let otherPaths = others.map { context.paths[$0] }
        outlines = try zip(parts, scans).map { part, scan in
            try ScanOutline(scan.index, paths: part.conjuncts.map(\.onlyPath) + otherPaths)
        }
        (self.position, self.others) = (position, others)
    }

    fileprivate func candidate(_ context: PlanContext) throws -> Candidate? {
        guard case .or(let parts) = context.conjuncts[position], parts.count == outlines.count else { return nil }
        let scans = try zip(parts, outlines).map { part, outline in
            try UnionRule.scan(outline, of: part.conjuncts, others: others, context)
        }
        guard scans.allSatisfy(\.narrowsPart) else { return nil }
        return UnionRule.candidate(scans, at: position, others: others)
    }
}
