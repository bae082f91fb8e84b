/// A view whose nodes have attributes, where nothing further inside has set them.
struct AttributeView<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    let attributes: [NodeAttribute: NodeValue]

    func modify(_ node: inout NodeDescription) { for (name, value) in attributes { node.add(name, value) } }

    func isModifying(otherwiseThan previous: Self) -> Bool { attributes != previous.attributes }
}

/// A view to whose nodes something else is added.
struct ChangedNodes<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    let change: @MainActor (inout NodeDescription) -> Void

    func modify(_ node: inout NodeDescription) { change(&node) }

    /// Closures cannot be compared. A node that shows the same is not noted as changed.
    func isModifying(otherwiseThan previous: Self) -> Bool { true }
}

/// A view whose nodes have one more action, unless something further inside has it, or they are disabled.
struct ActionView<Wrapped: View>: View {
    let wrapped: Wrapped
    let action: NodeAction
    let perform: @MainActor (NodeDescription) -> (@MainActor (NodeValue?) -> Bool)?
    @Environment(\.isEnabled) private var isEnabled

    init(
        wrapped: Wrapped, action: NodeAction,
        perform: @escaping @MainActor (NodeDescription) -> (@MainActor (NodeValue?) -> Bool)?
    ) {
        (self.wrapped, self.action, self.perform) = (wrapped, action, perform)
    }

    var body: some View {
        ChangedNodes(wrapped: wrapped) { [isEnabled, action, perform] node in
            guard isEnabled, node.actions[action.description] == nil, let perform = perform(node) else { return }
            node.act(action, perform)
        }
    }
}

extension View {
    func attribute(_ name: NodeAttribute, _ value: NodeValue) -> AttributeView<Self> {
        AttributeView(wrapped: self, attributes: [name: value])
    }

    func attributes(_ attributes: [NodeAttribute: NodeValue]) -> AttributeView<Self> {
        AttributeView(wrapped: self, attributes: attributes)
    }
}
