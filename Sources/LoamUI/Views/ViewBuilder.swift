/// Makes one view of several, of conditions and of loops.
@MainActor @resultBuilder public enum ViewBuilder {
    /// Nothing.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view is itself.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Several views, one after the other.
    @_disfavoredOverload
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> {
        TupleView((repeat each content))
    }

    /// A view as it stands.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    /// A view that is there under a condition.
    public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }

    /// The first of two.
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(.first(first))
    }

    /// The second of two.
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(.second(second))
    }

    /// A view whose type may not be there everywhere.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}
