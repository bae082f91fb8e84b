import LoamStorage

/// How many rows a query's conditions hold for: what indexes and identifiers know of them, wherever they are tested,
/// and a guess where nothing is known.
///
/// What is known of a condition is counted when it is first asked for.
final class Selectivity {
    private let context: PlanContext
    private let candidates: [Candidate]
    /// The shares by the position of the conjunct.
    private var shares: [Share?]
    private let rowCount: Double

    /// The share of rows that a condition holds for.
    private struct Share {
        var rows: Double
        /// Whether it was counted; else it is a guess.
        var isKnown: Bool
    }

    /// Guesses together are never taken to be smaller.
    private static let leastGuess = 0.0005
    /// Parts of an OR that are asked for one by one. Of more, so many spread evenly over all are, and the others are
    /// taken to hold as often.
    private static let partLimit = 64
    /// Scans that are built only to learn what an index knows of a condition, for one query.
    private static let scanLimit = 256
    private var scansLeft = scanLimit

    /// - Parameter candidates: all that the rules found: what they reach, they counted.
    init(_ context: PlanContext, candidates: [Candidate]) {
        self.context = context
        self.candidates = candidates
        shares = Array(repeating: nil, count: context.conjuncts.count)
        rowCount = Double(max(1, context.rowCount))
    }

    /// No way to the rows reaches fewer than those that match. A join's rows are an average over all targets, which
    /// bounds nothing: one target may have most rows.
    private lazy var mostMatches = Double(candidates.filter { !$0.isJoin }.map(\.rows).min() ?? context.rowCount)

    /// The share of so many rows for which all conjuncts at `positions` hold; above zero.
    func share(of positions: [Int], among rows: Int) throws -> Double {
        guard !positions.isEmpty else { return 1 }
        var (known, guessed) = (1.0, 1.0)
        for position in positions {
            let share = try share(at: position)
            if share.isKnown { known *= share.rows } else { guessed *= share.rows }
        }
        let independent = known * max(Self.leastGuess, guessed)
        let most = rows > 0 ? mostMatches / Double(rows) : 1
        return max(min(independent, most), 0.5 / rowCount)
    }

    private func share(at position: Int) throws -> Share {
        if let share = shares[position] { return share }
        let share = try share(of: context.conjuncts[position])
        shares[position] = share
        return share
    }

    private func share(of condition: TypedPredicate) throws -> Share {
        if let rows = try countedRows(condition) { return Share(rows: min(1, Double(rows) / rowCount), isKnown: true) }
        if let join = candidates.first(where: { $0.isJoin && $0.isAbout(condition) }) {
            return Share(rows: min(1, Double(join.rows) / rowCount), isKnown: false)
        }
        switch condition {
        case .and(let parts):
            let shares = try parts.map(share)
            return Share(rows: shares.reduce(1) { $0 * $1.rows }, isKnown: shares.allSatisfy(\.isKnown))
        case .or(let parts):
            let shares = try parts.spread(over: Self.partLimit).map(share)
            let each = shares.reduce(0) { $0 + $1.rows } / Double(max(1, shares.count))
            return Share(rows: min(1, each * Double(parts.count)), isKnown: shares.allSatisfy(\.isKnown))
        case .not(let part):
            let share = try share(of: part)
            return Share(rows: 1 - share.rows, isKnown: share.isKnown)
        default: return Share(rows: try equalShare(condition) ?? Cost.selectivity(condition), isKnown: false)
        }
    }

    /// The share of rows that have some value of a path, where the last analysis of an index says how many values there
    /// are: of a component behind others, no fewer than each value before it has on average. Nil for other conditions.
    private func equalShare(_ condition: TypedPredicate) throws -> Double? {
        guard case .comparison(.property(let path), let comparison, _, _) = condition,
            comparison == .equal || comparison == .notEqual, path.related == nil
        else { return nil }
        var values: Double?
        for index in context.indexes {
            guard let number = index.components.firstIndex(where: { $0.isValue(of: path.property, path.members) }),
                let distribution = try context.statistics.distribution(of: index),
                distribution.distinct.indices.contains(number)
            else { continue }
            let before = number == 0 ? 1 : distribution.distinct[number - 1]
            let each = Double(distribution.distinct[number]) / Double(max(1, before))
            values = max(values ?? 1, each)
        }
        return values.map { comparison == .equal ? 1 / $0 : 1 - 1 / $0 }
    }

    /// No fewer rows than the condition holds for; nil where nothing tells.
    ///
    /// Cost: O(log n) for each range of each index over the condition, until ``scanLimit`` is used up.
    private func countedRows(_ condition: TypedPredicate) throws -> Int? {
        var counts = candidates.lazy.filter { !$0.isJoin && $0.isAbout(condition) }.map(\.rows).min().map { [$0] } ?? []
        if counts.isEmpty { counts = IdentifierRule.rowCount(condition, context: context).map { [$0] } ?? [] }
        // Indexes that the rules scanned for other conditions besides.
        for index in context.indexes where counts.isEmpty || !hasScan(of: index, about: condition) {
            guard scansLeft > 0, try ComponentConditions.reads(condition, only: index) else { continue }
            scansLeft -= 1
            let scan = try context.scan(index, answering: [condition])
            if scan.isNarrowed { counts.append(scan.entryCount) }
        }
        return counts.min()
    }

    private func hasScan(of index: Index, about condition: TypedPredicate) -> Bool {
        candidates.contains { candidate in
            guard case .index(let scan) = candidate.accessPath else { return false }
            return scan.index.id == index.id && candidate.isAbout(condition)
        }
    }
}

extension Candidate {
    fileprivate var isJoin: Bool {
        if case .join = accessPath { true } else { false }
    }

    /// Whether the rows that it reaches follow from this condition alone.
    fileprivate func isAbout(_ condition: TypedPredicate) -> Bool {
        switch accessPath {
        case .nothing, .table(.min, .max): false
        case .index(let scan): scan.conditions == [condition] && scan.isNarrowed
        case .rows, .table, .union, .join: answered == [condition]
        }
    }
}

extension ComponentConditions {
    /// Whether the condition is about the index's leading component alone.
    fileprivate static func reads(_ condition: TypedPredicate, only index: Index) throws -> Bool {
        guard let leading = index.components.first else { return false }
        let paths = condition.paths
        guard paths.count == 1, !condition.readsIdentifier else { return false }
        return try paths.allSatisfy(ComponentConditions(leading).concerns)
    }
}
