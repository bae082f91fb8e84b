import LoamStorage

extension TypedExpression {
    /// The value, where it is a call on constants.
    var computed: TypedExpression {
        guard case .call(let function, let arguments) = self else { return self }
        let constants = arguments.compactMap(\.constant)
        return constants.count == arguments.count ? .constant(function.result(of: constants)) : self
    }
}
