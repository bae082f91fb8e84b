import LoamStorage

extension FilterInstruction {
    /// The bounds that it keeps a number within; nil where it tests something else, and where no bounds say the same.
    var bounds: RowSieve? {
        switch self {
        case .floating(let field, let comparison, let constant):
            // A Float is read in a way of its own.
            guard field.isDirect, !field.isFloat, let (lower, upper) = Self.bounds(comparison, constant) else {
                return nil
            }
            return RowSieve(property: field.position, bounds: .floating(lower: lower, upper: upper))
        case .signed(let field, let comparison, let constant):
            guard field.isDirect, let (lower, upper) = Self.bounds(comparison, constant) else { return nil }
            return RowSieve(property: field.position, bounds: .signed(lower: lower, upper: upper))
        default: return nil
        }
    }

    /// No number is equal to NaN, above or below it, and none lies beyond infinity: there are no bounds for these.
    private static func bounds(_ comparison: ComparisonOperator, _ constant: Double) -> (Double, Double)? {
        switch comparison {
        case .equal: constant.isNaN ? nil : (constant, constant)
        case .notEqual: nil
        case .less: constant.isFinite ? (-.infinity, constant.nextDown) : nil
        case .lessOrEqual: constant.isNaN ? nil : (-.infinity, constant)
        case .greater: constant.isFinite ? (constant.nextUp, .infinity) : nil
        case .greaterOrEqual: constant.isNaN ? nil : (constant, .infinity)
        }
    }

    private static func bounds(_ comparison: ComparisonOperator, _ constant: Int64) -> (Int64, Int64)? {
        switch comparison {
        case .equal: (constant, constant)
        case .notEqual: nil
        case .less: constant == .min ? nil : (.min, constant - 1)
        case .lessOrEqual: (.min, constant)
        case .greater: constant == .max ? nil : (constant + 1, .max)
        case .greaterOrEqual: (constant, .max)
        }
    }
}
