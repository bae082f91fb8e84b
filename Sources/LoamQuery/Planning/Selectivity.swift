import LoamStorage

/// How many rows a query's conditions hold for: what indexes and identifiers know of them, wherever they are tested,
/// and a guess where nothing is known.
///
/// What is known of a condition is counted when it is first asked for.
final class Selectivity {
    private let context: PlanContext
    private let candidates: [Candidate]
    /// How many rows match, where that is known.
    private let matching: Double?
    /// The shares by the position of the conjunct, once one was asked for.
    private var shares: [Share?] = []
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

    /// - Parameters:
    ///   - candidates: all that the rules found: what they reach, they counted.
    ///   - matching: how many rows match all conditions, where that is known.
    init(_ context: PlanContext, candidates: [Candidate], matching: Double? = nil) {
        (self.context, self.candidates, self.matching) = (context, candidates, matching)
        rowCount = Double(max(1, context.rowCount))
        var fewest: Int?
        for number in candidates.indices where !candidates[number].isJoin && !candidates[number].isDerived {
            fewest = min(fewest ?? .max, candidates[number].rows)
        }
        mostMatches = Double(fewest ?? context.rowCount)
    }

    /// No way to the rows reaches fewer than those that match. A join's rows are an average over all targets, which
    /// bounds nothing: one target may have most rows. Neither do estimates of rows that several scans have in common.
    private let mostMatches: Double

    /// The share of so many rows for which all conjuncts at `positions` hold; above zero.
    func share(of positions: [Int], among rows: Int) throws -> Double {
        guard !positions.isEmpty else { return 1 }
        if let matching { return max(min(1, matching / Double(max(1, rows))), 0.5 / rowCount) }
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
        if shares.isEmpty { shares = Array(repeating: nil, count: context.conjuncts.count) }
        if let share = shares[position] { return share }
        let share = try share(of: context.conjuncts[position], at: position)
        shares[position] = share
        return share
    }

    /// - Parameter position: of the condition among the conjuncts; nil for a part of one.
    private func share(of condition: TypedPredicate, at position: Int? = nil) throws -> Share {
        if let rows = try countedRows(condition, at: position) {
            return Share(rows: min(1, Double(rows) / rowCount), isKnown: true)
        }
        if let join = candidates.first(where: { $0.isJoin && $0.isAbout(condition, at: position, in: context) }) {
            return Share(rows: min(1, Double(join.rows) / rowCount), isKnown: false)
        }
        switch condition {
        case .and(let parts):
            let shares = try parts.map { try share(of: $0) }
            return Share(rows: shares.reduce(1) { $0 * $1.rows }, isKnown: shares.allSatisfy(\.isKnown))
        case .or(let parts):
            let shares = try parts.spread(over: Self.partLimit).map { try share(of: $0) }
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
    private func countedRows(_ condition: TypedPredicate, at position: Int?) throws -> Int? {
        var fewest: Int?
        func take(_ rows: Int) { fewest = min(fewest ?? rows, rows) }
        // Those of a whole conjunct are counted anyway, once, for the ways to the rows.
        if position != nil || scansLeft > 0 {
            let counts = try context.trigramCounts(of: condition, at: position, atMost: TrigramRule.partCountedLimit)
            if position == nil { scansLeft -= counts.count }
            if let rows = counts.min() { take(rows) }
        }
        for number in candidates.indices where isAbout(condition, at: position, candidate: number) {
            take(candidates[number].rows)
        }
        if fewest == nil, let rows = IdentifierRule.rowCount(condition, context: context) { take(rows) }
        let path = position.map { context.paths[$0] } ?? condition.onlyPath
        guard let path else { return fewest }
        let leading = position.map { context.shape.leading[$0] } ?? context.shape.positions(beginningWith: path)
        // Indexes that the rules scanned for other conditions besides.
        for number in leading where scansLeft > 0 {
            let index = context.indexes[number]
            guard !isScanned(index.id, for: condition, at: position) else { continue }
            scansLeft -= 1
            let scan = try context.scan(ScanOutline(index, paths: [path]), answering: [condition]).scan
            if scan.isNarrowed { take(scan.entryCount) }
        }
        return fewest
    }

    private func isAbout(_ condition: TypedPredicate, at position: Int?, candidate number: Int) -> Bool {
        !candidates[number].isJoin && candidates[number].isAbout(condition, at: position, in: context)
    }

    /// Whether a candidate scans the index for this condition alone.
    private func isScanned(_ index: IndexID, for condition: TypedPredicate, at position: Int?) -> Bool {
        candidates.indices.contains { number in
            guard case .index(let scan) = candidates[number].accessPath, scan.shared.id == index else { return false }
            return isAbout(condition, at: position, candidate: number)
        }
    }
}

extension Candidate {
    fileprivate var isJoin: Bool {
        if case .join = accessPath { true } else { false }
    }

    /// Whether the rows that it reaches follow from this condition alone.
    ///
    /// - Parameter position: of the condition among the conjuncts; nil for a part of one.
    fileprivate func isAbout(_ condition: TypedPredicate, at position: Int?, in context: PlanContext) -> Bool {
        guard let origin else { return false }
        if case .union = accessPath, answered != [origin] { return false }
        return position.map { $0 == origin } ?? (context.conjuncts[origin] == condition)
    }
}
