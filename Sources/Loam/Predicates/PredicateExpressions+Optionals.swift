public import Foundation

/// Comparison of a value with an optional one, which Swift allows by wrapping the value. Foundation's own functions are
/// preferred where they fit.
extension PredicateExpressions {
    /// Compares an optional with a value that is not: nil equals no value, and is neither below nor above one.
    @_disfavoredOverload
    public static func build_Equal<Left, Right, Wrapped: Equatable>(
        lhs: Left, rhs: Right
    ) -> Equal<ConditionalCast<Left, Wrapped>, Right> where Left.Output == Wrapped, Right.Output == Wrapped? {
        build_Equal(lhs: ConditionalCast(lhs), rhs: rhs)
    }

    /// Compares an optional with a value that is not: nil equals no value, and is neither below nor above one.
    @_disfavoredOverload
    public static func build_Equal<Left, Right, Wrapped: Equatable>(
        lhs: Left, rhs: Right
    ) -> Equal<Left, ConditionalCast<Right, Wrapped>> where Left.Output == Wrapped?, Right.Output == Wrapped {
        build_Equal(lhs: lhs, rhs: ConditionalCast(rhs))
    }

    /// Compares an optional with a value that is not: nil equals no value, and is neither below nor above one.
    @_disfavoredOverload
    public static func build_NotEqual<Left, Right, Wrapped: Equatable>(
        lhs: Left, rhs: Right
    ) -> NotEqual<ConditionalCast<Left, Wrapped>, Right> where Left.Output == Wrapped, Right.Output == Wrapped? {
        build_NotEqual(lhs: ConditionalCast(lhs), rhs: rhs)
    }

    /// Compares an optional with a value that is not: nil equals no value, and is neither below nor above one.
    @_disfavoredOverload
    public static func build_NotEqual<Left, Right, Wrapped: Equatable>(
        lhs: Left, rhs: Right
    ) -> NotEqual<Left, ConditionalCast<Right, Wrapped>> where Left.Output == Wrapped?, Right.Output == Wrapped {
        build_NotEqual(lhs: lhs, rhs: ConditionalCast(rhs))
    }
}
