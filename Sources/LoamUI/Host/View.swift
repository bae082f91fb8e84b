/// A part of what is shown, described by other views.
///
/// ```swift
/// struct CityRow: View {
///     let city: City
///     var body: some View { ... }
/// }
/// ```
///
/// A view is a value that is made again and again; what lasts at its place is in its properties (``State``). The host
/// asks for `body` when something that it has read has changed, or when the view was made with other values.
@MainActor @preconcurrency public protocol View {
    /// What the view is made of.
    associatedtype Body: View
    /// What the view shows now. Called on the main actor, and as seldom as its host can.
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    /// There is none.
    public typealias Body = Never
}

/// A view that is a node of the tree itself: what a target above adds to draw something.
///
/// ```swift
/// struct Text: PrimitiveView {
///     let text: String
///     var kind: NodeKind { "Text" }
///     func describe(_ node: inout NodeDescription) { node.value = text }
/// }
/// ```
///
/// What ``describe(_:)`` reads is observed as a body's reads are. A primitive view may have properties (``State``,
/// ``Environment``).
public protocol PrimitiveView: View where Body == Never {
    /// What is inside; ``EmptyView`` by itself.
    associatedtype Content: View = EmptyView
    /// What it is called.
    var kind: NodeKind { get }
    /// Says what is shown.
    func describe(_ node: inout NodeDescription)
    /// What is inside.
    @ViewBuilder var content: Content { get }
    /// Which of the rows inside are mounted; all by itself.
    static var rowMounting: RowMounting { get }
}

extension PrimitiveView {
    /// Nothing but its kind.
    public func describe(_ node: inout NodeDescription) {}

    /// All.
    public static var rowMounting: RowMounting { .all }
}

extension PrimitiveView where Content == EmptyView {
    /// Nothing.
    public var content: EmptyView { EmptyView() }
}

extension View where Body == Never {
    /// Such a view is not made of others: asking stops the program, and no host does.
    public var body: Never { preconditionFailure("\(Self.self) is made of no other views: ask for no body.") }
}

/// A view whose mount is its own: what has no appearance.
package protocol StructuralView: View where Body == Never {
    func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self>
}
