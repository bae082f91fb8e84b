import LoamViews

extension ViewHost {
    /// Renders until nothing waits to be rendered.
    func settle() {
        var count = 0
        while isRenderPending, count < ViewHost.endlessRenders {
            render()
            count += 1
        }
    }

    /// Waits until something is shown: changes of models come in a later turn.
    func wait(until isShown: () -> Bool) async {
        while !isShown() {
            await Task.yield()
            settle()
        }
    }

    /// What is inside of the root, as text.
    var outline: String {
        root.children.map(\.outline).joined(separator: "\n")
    }

    /// The first node of a kind, with a text in it where one is given.
    func node(_ kind: NodeKind, _ text: String? = nil) -> ViewNode? {
        root.descendant { $0.kind == kind && (text == nil || $0.texts.contains(text ?? "")) }
    }

    /// Does something with the first node of a kind, and renders.
    @discardableResult
    func perform(
        _ action: NodeAction, _ value: NodeValue? = nil, on kind: NodeKind, _ text: String? = nil
    ) -> Bool {
        defer { settle() }
        return node(kind, text)?.perform(action, value) ?? false
    }

    @discardableResult func press(_ title: String) -> Bool {
        perform(.press, on: "Button", title) || perform(.press, on: "NavigationLink", title)
    }

    /// The texts shown, in their order.
    var texts: [String] { root.texts }
}

extension ViewNode {
    /// The texts in the node, in their order.
    var texts: [String] {
        ((kind == "Text" ? nodeValue?.text : nil).map { [$0] } ?? []) + children.flatMap(\.texts)
    }
}
