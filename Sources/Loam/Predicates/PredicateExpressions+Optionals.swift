public import Foundation

/// A value beside an optional one, which Swift allows by wrapping the value. Foundation's own functions are preferred
/// where they fit.
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

    /// What the macro writes for `first ?? second` where the second may be nil, too.
    public static func build_NilCoalesce<First, Second, Wrapped>(
        lhs: First, rhs: Second
    ) -> NilCoalesce<_OptionalOfOptional<First, Wrapped>, Second>
    where First.Output == Wrapped?, Second.Output == Wrapped? {
        NilCoalesce(lhs: OptionalFlatMap(lhs) { ConditionalCast($0) }, rhs: rhs)
    }

    /// An optional value inside an optional, which is nil where the value is.
    public typealias _OptionalOfOptional<Root: PredicateExpression, Wrapped> = OptionalFlatMap<
        Root, Wrapped, ConditionalCast<Variable<Wrapped>, Wrapped>, Wrapped?
    > where Root.Output == Wrapped?

    /// Chooses between a value that is not optional and one that is.
    @_disfavoredOverload
    public static func build_Conditional<Test, First, Second, Wrapped>(
        _ test: Test, _ first: First, _ second: Second
    ) -> Conditional<Test, ConditionalCast<First, Wrapped>, Second>
    where Test.Output == Bool, First.Output == Wrapped, Second.Output == Wrapped? {
        build_Conditional(test, ConditionalCast(first), second)
    }

    /// Chooses between a value that is optional and one that is not.
    @_disfavoredOverload
    public static func build_Conditional<Test, First, Second, Wrapped>(
        _ test: Test, _ first: First, _ second: Second
    ) -> Conditional<Test, First, ConditionalCast<Second, Wrapped>>
    where Test.Output == Bool, First.Output == Wrapped?, Second.Output == Wrapped {
        build_Conditional(test, first, ConditionalCast(second))
    }

    /// What the macro writes for the value of a `let` whose type is written.
    public static func build_Let<Node: PredicateExpression>(_ node: Node, as type: Node.Output.Type) -> Node { node }

    /// The value of a `let` that is an optional by its written type, though the value is not.
    @_disfavoredOverload
    public static func build_Let<Node: PredicateExpression>(
        _ node: Node, as type: Node.Output?.Type
    ) -> ConditionalCast<Node, Node.Output> {
        ConditionalCast(node)
    }

    /// What the macro writes around the value of an `#Expression`.
    public static func build_Result<Node: PredicateExpression>(_ node: Node) -> Node { node }

    /// The value of an `#Expression` whose output is optional, though the value is not.
    @_disfavoredOverload
    public static func build_Result<Node: PredicateExpression>(_ node: Node) -> ConditionalCast<Node, Node.Output> {
        ConditionalCast(node)
    }
}
