/// A node that is a part of another: a title, a header.
struct Part<Content: View>: PrimitiveView {
    let kind: NodeKind
    let content: Content

    init(_ kind: NodeKind, @ViewBuilder content: () -> Content) { (self.kind, self.content) = (kind, content()) }
}

/// A node that is shown elsewhere: modifiers around it are not about it.
struct Elsewhere<Content: View>: PrimitiveView {
    let kind: NodeKind
    let describing: (inout NodeDescription) -> Void
    let content: Content

    init(
        _ kind: NodeKind, describing: @escaping (inout NodeDescription) -> Void = { _ in },
        @ViewBuilder content: () -> Content
    ) {
        (self.kind, self.describing, self.content) = (kind, describing, content())
    }

    func describe(_ node: inout NodeDescription) {
        node.isElsewhere = true
        describing(&node)
    }
}

/// A view with a node behind it that is shown elsewhere.
struct Attached<Content: View, Attachment: View>: View {
    let content: Content
    let attachment: Attachment

    var body: some View {
        content
        attachment
    }
}
