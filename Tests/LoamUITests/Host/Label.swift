import LoamUI

/// A text as a node.
struct Label: PrimitiveView {
    let text: String

    init(_ text: String) { self.text = text }

    var kind: NodeKind { "Label" }

    func describe(_ node: inout NodeDescription) { node.value = text }
}

/// Several views in a node.
struct Stack<Content: View>: PrimitiveView {
    let content: Content

    init(@ViewBuilder content: () -> Content) { self.content = content() }

    var kind: NodeKind { "Stack" }
}

/// A container that mounts the rows that are shown.
struct Scroller<Content: View>: PrimitiveView {
    let content: Content

    init(@ViewBuilder content: () -> Content) { self.content = content() }

    var kind: NodeKind { "Scroller" }
    static var rowMounting: RowMounting { .shown }
}

/// A part of such a container.
struct Part<Content: View>: PrimitiveView {
    let title: String
    let content: Content

    init(_ title: String, @ViewBuilder content: () -> Content) { (self.title, self.content) = (title, content()) }

    var kind: NodeKind { "Part" }
    static var rowMounting: RowMounting { .inherited }

    func describe(_ node: inout NodeDescription) { node.attributes["title"] = title }
}

/// Something to be done.
struct Press: PrimitiveView {
    let name: String
    let action: @MainActor () -> Void

    var kind: NodeKind { "Press" }

    func describe(_ node: inout NodeDescription) { node.actions[name] = { _ in action() } }
}

extension ViewHost {
    /// The texts shown, in their order.
    var texts: [String] { root.texts }

    func press(_ name: String) { root.press(name) }
}

extension ViewNode {
    fileprivate var texts: [String] {
        (description.value as? String).map { [$0] } ?? [] + children.flatMap(\.texts)
    }

    fileprivate func press(_ name: String) {
        description.actions[name]?(nil)
        for child in children { child.press(name) }
    }
}
