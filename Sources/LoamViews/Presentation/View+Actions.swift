/// At which edge of a row actions are.
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
    /// The edges.
    case leading, trailing
}

private struct DisabledView<Content: View>: View {
    let content: Content
    let isDisabled: Bool
    @Environment(\.isEnabled) private var isEnabled

    init(content: Content, isDisabled: Bool) { (self.content, self.isDisabled) = (content, isDisabled) }

    var body: some View { content.environment(\.isEnabled, isEnabled && !isDisabled) }
}

extension View {
    /// Takes all actions from the nodes inside, as long as it holds.
    public func disabled(_ disabled: Bool) -> some View { DisabledView(content: self, isDisabled: disabled) }

    /// Gives the nodes right inside the action `tap`.
    ///
    /// A tap from a face is one; an action that wants several taps at once is called by it, too.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        ActionView(wrapped: self, action: .tap) { _ in
            { _ in
                action()
                return true
            }
        }
    }

    /// Gives the nodes right inside the action `refresh`, which runs a closure in a task of its own on the main actor.
    public func refreshable(action: @escaping @MainActor () async -> Void) -> some View {
        ActionView(wrapped: self, action: .refresh) { _ in
            { _ in
                Task { await action() }
                return true
            }
        }
    }

    /// Gives the row buttons that a swipe shows. Node: `SwipeActions`, behind the row.
    public func swipeActions<Content: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> Content
    ) -> some View {
        Attached(
            content: self,
            attachment: Elsewhere("SwipeActions") {
                $0[.edge] = .text(edge == .leading ? "leading" : "trailing")
                $0[.allowsFullSwipe] = .flag(allowsFullSwipe)
            } content: {
                content()
            })
    }

    /// Gives the view a menu of its own. Node: `ContextMenu`, behind the view.
    public func contextMenu<Items: View>(@ViewBuilder menuItems: () -> Items) -> some View {
        Attached(content: self, attachment: Elsewhere("ContextMenu", content: menuItems))
    }
}
