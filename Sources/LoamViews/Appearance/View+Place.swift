extension View {
    /// Room around the view: at some edges, in points, or as much as the face has.
    public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> some View {
        let words = [edges.name, length.map { "\($0)" }].compactMap { $0 }
        return PaddedView(wrapped: self, padding: words.joined(separator: " "))
    }

    /// Room at all edges of the view, in points.
    public func padding(_ length: Double) -> some View { padding(.all, length) }

    /// Room at each edge of the view, in points.
    public func padding(_ insets: EdgeInsets) -> some View { PaddedView(wrapped: self, padding: insets.words) }

    /// The view in a frame of a size in points; nil for its own.
    public func frame(width: Double? = nil, height: Double? = nil, alignment: Alignment = .center) -> some View {
        let lengths: [(NodeAttribute, Double?)] = [(.width, width), (.height, height)]
        return framed(lengths, alignment)
    }

    /// The view in a frame within bounds in points; nil for none.
    public func frame(
        minWidth: Double? = nil, idealWidth: Double? = nil, maxWidth: Double? = nil, minHeight: Double? = nil,
        idealHeight: Double? = nil, maxHeight: Double? = nil, alignment: Alignment = .center
    ) -> some View {
        let lengths: [(NodeAttribute, Double?)] = [
            (.minWidth, minWidth), (.width, idealWidth), (.maxWidth, maxWidth), (.minHeight, minHeight),
            (.height, idealHeight), (.maxHeight, maxHeight),
        ]
        return framed(lengths, alignment)
    }

    private func framed(_ lengths: [(NodeAttribute, Double?)], _ alignment: Alignment) -> AttributeView<Self> {
        var attributes: [NodeAttribute: NodeValue] = [:]
        for (name, length) in lengths { attributes[name] = length.map { .number($0) } }
        if alignment != .center { attributes[.alignment] = .text(alignment.name) }
        return AttributeView(wrapped: self, attributes: attributes)
    }

    /// Another view behind. Node: `Background`, behind the view in the tree, too.
    public func background<Content: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> Content
    ) -> some View {
        layer("Background", alignment, content())
    }

    /// Another view in front. Node: `Overlay`, behind the view in the tree.
    public func overlay<Content: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> Content
    ) -> some View {
        layer("Overlay", alignment, content())
    }

    /// Another view in front. Node: `Overlay`, behind the view in the tree.
    public func overlay<Content: View>(_ overlay: Content, alignment: Alignment = .center) -> some View {
        layer("Overlay", alignment, overlay)
    }

    private func layer<Content: View>(
        _ kind: NodeKind, _ alignment: Alignment, _ content: Content
    ) -> Attached<Self, Elsewhere<Content>> {
        Attached(
            content: self,
            attachment: Elsewhere(kind) {
                if alignment != .center { $0[.alignment] = .text(alignment.name) }
            } content: {
                content
            })
    }
}

/// A view with room around it: of several, all count.
private struct PaddedView<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    let padding: String

    func modify(_ node: inout NodeDescription) {
        let inner = node[.padding]?.text
        node[.padding] = .text([inner, padding].compactMap { $0 }.joined(separator: ", "))
    }

    func isModifying(otherwiseThan previous: Self) -> Bool { padding != previous.padding }
}
