import LoamStorage

extension TypedExpression {
    /// The value, where it is an operation on constants.
    var computed: TypedExpression {
        switch self {
        case .arithmetic(.constant(let left), let operation, .constant(let right), let arithmetic):
            .constant(arithmetic.apply(operation, left, right))
        case .negation(.constant(let operand), let arithmetic): .constant(arithmetic.negate(operand))
        default: self
        }
    }
}
