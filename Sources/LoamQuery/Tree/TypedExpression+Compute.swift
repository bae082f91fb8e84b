import LoamStorage

extension TypedExpression {
    /// The value, where it is a call on constants.
    var computed: TypedExpression {
        switch self {
        case .call(let function, .one(.constant(let argument))): .constant(function.result(of: argument))
        case .call(let function, .two(.constant(let first), .constant(let second))):
            .constant(function.result(of: first, and: second))
        default: self
        }
    }
}
