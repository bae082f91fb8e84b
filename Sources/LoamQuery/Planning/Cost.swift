import Foundation
import LoamStorage

/// What things cost, in units of a record that a scan of the table reads and tests. Measured ratios, roundly.
enum Cost {
    static let entry = 0.03
    /// An entry whose values are decoded.
    static let coveredEntry = 0.4
    static let sortedFetch = 9.0
    static let unsortedFetch = 18.0
    static let range = 15.0

    /// An id of a row without values that is put into the order of ids.
    static let sortedRowID = 0.5

    /// Each of so many records that are wanted in another order than that of their ids: many are read by id, in
    /// portions.
    static func fetch(inOrder records: Double) -> Double {
        records < 256 ? unsortedFetch : sortedFetch + 2
    }

    static let union = 0.3
    /// An entry whose row is looked for among those of another scan.
    static let intersection = 0.1
    /// An entry that comes out of a merge of ranges.
    static let merge = 0.6
    /// A step from a row to the rows that a relationship leads to, or comes from.
    static let step = 20.0

    /// Testing a predicate that reads related rows. Where one reference decides, it is tested once for each target;
    /// else rows that many lead to are read one by one.
    static func related(_ predicate: TypedPredicate, statistics: any IndexStatistics) throws -> Double {
        if predicate.paths.count == 1 && !predicate.readsIdentifier { return 4 }
        var members = 1.0
        if case .exists(_, .constant(true)) = predicate.withoutNot { return step }
        for hop in predicate.ownHops where hop.relationship.isToMany {
            let sources = Double(max(1, try statistics.count(of: hop.source.id)))
            members *= max(1, Double(try statistics.count(of: hop.destination.id)) / sources)
        }
        return step + members * unsortedFetch / 2
    }

    /// Sorting so many rows, keys made beforehand.
    static func sort(_ rows: Double, keeping limit: Int?) -> Double {
        let kept = limit.map { min(Double($0), rows) } ?? rows
        return rows * 1.5 + kept * 0.3 * log2(kept + 2)
    }

    /// The share of rows that a conjunct is taken to hold for where nothing is known of it.
    static func selectivity(_ predicate: TypedPredicate) -> Double {
        switch predicate {
        case .constant(let value): value ? 1 : 0
        case .comparison(_, .equal, _, _): 0.05
        case .comparison(_, .notEqual, _, _): 0.95
        case .comparison: 0.35
        case .between: 0.2
        case .isIn(_, let elements, _): min(0.5, 0.05 * Double(elements.count))
        case .text, .hasElement, .existsElement: 0.1
        case .exists: 0.3
        case .and(let parts): parts.reduce(1) { $0 * selectivity($1) }
        case .or(let parts): min(1, parts.reduce(0) { $0 + selectivity($1) })
        case .not(let part): 1 - selectivity(part)
        }
    }
}
