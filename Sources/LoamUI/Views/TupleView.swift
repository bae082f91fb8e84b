/// No view.
public struct EmptyView: View {
    /// Nothing.
    public init() {}
}

extension EmptyView: StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<EmptyView> {
        TypedMount(under: parent)
    }
}

/// Several views, one after the other.
public struct TupleView<each Content: View>: View {
    let content: (repeat each Content)

    /// Views by a tuple of them.
    public init(_ content: (repeat each Content)) { self.content = content }
}

extension TupleView: StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        TupleMount(self, under: parent, environment)
    }
}

/// The place of several views.
private final class TupleMount<each Content: View>: TypedMount<TupleView<repeat each Content>> {
    private var mounts: [Mount] = []

    init(_ view: TupleView<repeat each Content>, under parent: Mount, _ environment: EnvironmentValues) {
        super.init(under: parent)
        for content in repeat each view.content { mounts.append(mount(content, environment)) }
    }

    override var children: [Mount] { mounts }

    override func update(_ view: TupleView<repeat each Content>, _ environment: EnvironmentValues) {
        var index = 0
        for content in repeat each view.content {
            if index < mounts.count { Self.update(mounts[index], content, environment) }
            index += 1
        }
    }

    private static func update<Part: View>(_ mount: Mount, _ content: Part, _ environment: EnvironmentValues) {
        (mount as? TypedMount<Part>)?.update(content, environment)
    }

    override func unmount() {
        super.unmount()
        mounts = []
    }
}

/// A group of views, which stand where it does.
public struct Group<Content: View>: View {
    private let content: Content

    /// A group of views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// The views.
    public var body: Content { content }
}
