/// Views that are scrolled. Node: `ScrollView`.
public struct ScrollView<Content: View>: PrimitiveView {
    private let axes: Axis.Set
    private let showsIndicators: Bool
    /// The views.
    public let content: Content

    /// Views that are scrolled in some directions.
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        (self.axes, self.showsIndicators, self.content) = (axes, showsIndicators, content())
    }

    /// `ScrollView`.
    public var kind: NodeKind { "ScrollView" }

    /// The directions, and that nothing says how far it is scrolled.
    public func describe(_ node: inout NodeDescription) {
        node[.axes] = .text(axes.name)
        if !showsIndicators { node[.showsIndicators] = .flag(false) }
    }
}

/// Views with a proxy that asks for a place among them. Node: `ScrollViewReader`, whose value counts what was asked for, and
/// whose `scrollTarget` is the last.
public struct ScrollViewReader<Content: View>: View {
    @State private var target = ScrollTarget()
    private let content: (ScrollViewProxy) -> Content

    /// Views made with a proxy.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    /// The views in their node.
    public var body: some View { ScrollReaderNode(target: target, content: content(ScrollViewProxy(target: target))) }
}

@MainActor @Observable final class ScrollTarget {
    struct Request: Equatable {
        let id: AnyHashable
        let anchor: UnitPoint?
        let number: Int
    }

    var request: Request?
}

private struct ScrollReaderNode<Content: View>: PrimitiveView {
    let target: ScrollTarget
    let content: Content

    var kind: NodeKind { "ScrollViewReader" }

    func describe(_ node: inout NodeDescription) {
        guard let request = target.request else { return }
        node.nodeValue = .integer(request.number)
        node.attributes["scrollTarget"] = request.id
        if let anchor = request.anchor { node[.alignment] = .text("\(anchor.x) \(anchor.y)") }
    }
}

/// Asks for a place within a ``ScrollViewReader``.
@MainActor public struct ScrollViewProxy {
    let target: ScrollTarget

    /// Asks that the view of an identifier be seen; where in sight, says the anchor. A face follows after the render.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        let number = (target.request?.number ?? 0) + 1
        target.request = ScrollTarget.Request(id: AnyHashable(id), anchor: anchor, number: number)
    }
}
