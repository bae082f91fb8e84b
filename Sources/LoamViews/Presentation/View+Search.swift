/// Where a search field stands.
public struct SearchFieldPlacement: Hashable, Sendable {
    let name: String

    /// Where the face has such fields.
    public static let automatic = SearchFieldPlacement(name: "automatic")
    /// At the navigation bar.
    public static let navigationBarDrawer = SearchFieldPlacement(name: "navigationBarDrawer")
    /// At the navigation bar: always, or as the face has it.
    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement {
        displayMode == .always ? SearchFieldPlacement(name: "navigationBarDrawer always") : .navigationBarDrawer
    }

    /// When a search field at the navigation bar is seen.
    public enum NavigationBarDrawerDisplayMode: Hashable, Sendable {
        /// As the face has it, or always.
        case automatic, always
    }

    /// In the sidebar.
    public static let sidebar = SearchFieldPlacement(name: "sidebar")
    /// In the toolbar.
    public static let toolbar = SearchFieldPlacement(name: "toolbar")
}

private struct SearchNode: PrimitiveView {
    @Binding var text: String
    let isPresented: Binding<Bool>?
    let placement: SearchFieldPlacement
    let prompt: Text?
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.submitActions) private var submit

    init(text: Binding<String>, isPresented: Binding<Bool>?, placement: SearchFieldPlacement, prompt: Text?) {
        (_text, self.isPresented, self.placement, self.prompt) = (text, isPresented, placement, prompt)
    }

    var kind: NodeKind { "SearchField" }

    func describe(_ node: inout NodeDescription) {
        node.isElsewhere = true
        node.nodeValue = .text(text)
        if let prompt { node[.prompt] = .text(prompt.content) }
        node[.placement] = .text(placement.name)
        if let isPresented { node[.isEditing] = .flag(isPresented.wrappedValue) }
        node.act(.set) { [$text, isPresented] value in
            guard let text = value?.text else { return false }
            $text.wrappedValue = text
            isPresented?.wrappedValue = true
            return true
        }
        node.act(.submit) { [submit] in submit(.search) }
        node.act(.dismiss) { [$text, isPresented] in
            $text.wrappedValue = ""
            isPresented?.wrappedValue = false
        }
        node.enable(isEnabled)
    }
}

private struct ScopesNode<Scope: Hashable, Content: View>: PrimitiveView {
    @Binding var scope: Scope
    let content: Content
    @Environment(\.isEnabled) private var isEnabled

    init(scope: Binding<Scope>, content: Content) { (_scope, self.content) = (scope, content) }

    var kind: NodeKind { "SearchScopes" }

    func describe(_ node: inout NodeDescription) {
        node.isElsewhere = true
        node.choose(NodeSelection(one: $scope)) { [weak own = node.node] in own?.options ?? [] }
        node.enable(isEnabled)
    }
}

/// A view with a search field, whose text is submitted inside of what is around the view.
private struct SearchView<Content: View>: View {
    let content: Content
    let node: SearchNode

    var body: some View {
        content
        node
    }
}

extension View {
    private func search(
        _ text: Binding<String>, _ isPresented: Binding<Bool>?, _ placement: SearchFieldPlacement, _ prompt: Text?
    ) -> some View {
        SearchView(
            content: self,
            node: SearchNode(text: text, isPresented: isPresented, placement: placement, prompt: prompt))
    }

    /// Gives the page around the view a search field.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        search(text, nil, placement, prompt)
    }

    /// Gives the page around the view a search field.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        search(text, nil, placement, Text(prompt))
    }

    /// Gives the page around the view a search field.
    @_disfavoredOverload
    public func searchable<Prompt: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Prompt
    ) -> some View {
        search(text, nil, placement, Text(prompt))
    }

    /// Gives the page around the view a search field, and says whether it is used.
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View {
        search(text, isPresented, placement, prompt)
    }

    /// Gives the page around the view a search field, and says whether it is used.
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: LocalizedStringKey
    ) -> some View {
        search(text, isPresented, placement, Text(prompt))
    }

    /// Gives the page around the view a search field, and says whether it is used.
    @_disfavoredOverload
    public func searchable<Prompt: StringProtocol>(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic, prompt: Prompt
    ) -> some View {
        search(text, isPresented, placement, Text(prompt))
    }

    /// Gives the search scopes to choose from: a picker with the options' tags.
    public func searchScopes<Scope: Hashable, Scopes: View>(
        _ scope: Binding<Scope>, @ViewBuilder scopes: () -> Scopes
    ) -> some View {
        Attached(content: self, attachment: ScopesNode(scope: scope, content: scopes()))
    }

    /// Calls an action when a text inside is submitted. All such actions around a field are called, the innermost first.
    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
        transformEnvironment(\.submitActions) { $0.actions.insert((triggers, action), at: 0) }
    }
}
