import LoamStorage

/// `SELF == 5` and `SELF IN {…}` look rows up by id; ordered comparisons of SELF bound a scan of the table.
enum IdentifierRule: PlanRule {
    static func candidates(_ context: PlanContext) -> [Candidate] {
        var candidates: [Candidate] = []
        var bounds = (lower: RowID.min, upper: RowID.max, answered: [Int]())
        for (position, conjunct) in context.conjuncts.enumerated() {
            if let rows = rows(conjunct) {
                candidates.append(
                    Candidate(accessPath: .rows(rows), answered: [position], rows: rows.count, origin: position))
            } else if let (lower, upper) = range(conjunct) {
                bounds.lower = max(bounds.lower, lower)
                bounds.upper = min(bounds.upper, upper)
                bounds.answered.append(position)
            }
        }
        guard !bounds.answered.isEmpty else { return candidates }
        guard bounds.lower <= bounds.upper else {
            return candidates + [Candidate(accessPath: .nothing, answered: context.allPositions, rows: 0)]
        }
        let rows = width(bounds.lower, upper: bounds.upper, context: context)
        let accessPath = AccessPath.table(from: bounds.lower, through: bounds.upper)
        let origin = bounds.answered.count == 1 ? bounds.answered[0] : nil
        return candidates + [Candidate(accessPath: accessPath, answered: bounds.answered, rows: rows, origin: origin)]
    }

    /// The most rows that a condition on the identifier can hold for; nil for any other condition.
    static func rowCount(_ predicate: TypedPredicate, context: PlanContext) -> Int? {
        if let rows = rows(predicate) { return rows.count }
        guard let (lower, upper) = range(predicate) else { return nil }
        return lower <= upper ? width(lower, upper: upper, context: context) : 0
    }

    private static func width(_ lower: RowID, upper: RowID, context: PlanContext) -> Int {
        let width = upper - lower
        return width < UInt64(context.rowCount) ? Int(width) + 1 : context.rowCount
    }

    private static func rows(_ predicate: TypedPredicate) -> [RowID]? {
        switch predicate {
        case .comparison(.identifier, .equal, .constant(let value), _): return rowIDs([value])
        case .isIn(.identifier, let elements, _):
            return elements.constants.map(rowIDs)
        default: return nil
        }
    }

    /// A number that is no row id equals none.
    private static func rowIDs(_ values: [Value]) -> [RowID] {
        let ids: [RowID] = values.compactMap { value in
            if case .uint(let id) = value { return id }
            guard case .compare(_, .uint(let id)) = NumericBound.bound(.uint64, comparison: .equal, constant: value)
            else { return nil }
            return id
        }
        return ids.count > 1 ? Set(ids).sorted() : ids
    }

    private static func range(_ predicate: TypedPredicate) -> (lower: RowID, upper: RowID)? {
        switch predicate {
        case .comparison(.identifier, let comparison, .constant(let value), _):
            return range(comparison, value: value)
        case .between(.identifier, .constant(let lower), .constant(let upper), _):
            guard let above = range(.greaterOrEqual, value: lower), let below = range(.lessOrEqual, value: upper) else {
                return nil
            }
            return (above.lower, below.upper)
        default: return nil
        }
    }

    /// The ids that an ordered comparison leaves; the lower one is above the upper one where it leaves none.
    private static func range(_ comparison: ComparisonOperator, value: Value) -> (lower: RowID, upper: RowID)? {
        let kind: NumericBound.Comparison
        switch comparison {
        case .less: kind = .less
        case .lessOrEqual: kind = .lessOrEqual
        case .greater: kind = .greater
        case .greaterOrEqual: kind = .greaterOrEqual
        case .equal, .notEqual: return nil
        }
        guard case .compare(let bound, .uint(let id)) = NumericBound.bound(.uint64, comparison: kind, constant: value)
        else { return nil }
        switch bound {
        case .less: return id == 0 ? (.max, .min) : (.min, id - 1)
        case .lessOrEqual: return (.min, id)
        case .greater: return id == .max ? (.max, .min) : (id + 1, .max)
        case .greaterOrEqual: return (id, .max)
        case .equal: return (id, id)
        }
    }
}
