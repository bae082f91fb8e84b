/// How a title is shown.
public enum NavigationBarTitleDisplayMode: String, Hashable, Sendable {
    /// As on the page before.
    case automatic
    /// In the line of the toolbar.
    case inline
    /// Below it.
    case large
}

/// What is said of titles further inside.
private struct TitleDisplayModeKey: EnvironmentKey {
    static var defaultValue: NavigationBarTitleDisplayMode? { nil }
}

extension EnvironmentValues {
    fileprivate var titleDisplayMode: NavigationBarTitleDisplayMode? {
        get { self[TitleDisplayModeKey.self] }
        set { self[TitleDisplayModeKey.self] = newValue }
    }
}

extension NodeDescription {
    @MainActor fileprivate mutating func title(_ title: String, _ mode: NavigationBarTitleDisplayMode?) {
        isElsewhere = true
        nodeValue = .text(title)
        self[.displayMode] = mode.map { .text($0.rawValue) }
    }
}

private struct TitleNode: PrimitiveView {
    let title: String
    @Environment(\.titleDisplayMode) private var mode

    init(title: String) { self.title = title }

    var kind: NodeKind { "NavigationTitle" }

    func describe(_ node: inout NodeDescription) { node.title(title, mode) }
}

private struct EditableTitleNode: PrimitiveView {
    @Binding var title: String
    @Environment(\.titleDisplayMode) private var mode
    @Environment(\.isEnabled) private var isEnabled

    init(title: Binding<String>) { _title = title }

    var kind: NodeKind { "NavigationTitle" }

    func describe(_ node: inout NodeDescription) {
        node.title(title, mode)
        node.act(.set) { [text = FieldText($title)] in $0?.text.map(text.write) ?? false }
        node.enable(isEnabled)
    }
}

extension View {
    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    public func navigationTitle(_ title: Text) -> some View {
        Attached(content: self, attachment: TitleNode(title: title.content))
    }

    /// Gives the page or sheet around the view a title that can be edited: its node has the action `set`.
    public func navigationTitle(_ title: Binding<String>) -> some View {
        Attached(content: self, attachment: EditableTitleNode(title: title))
    }

    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }

    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    @_disfavoredOverload public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
        navigationTitle(Text(title))
    }

    /// Titles the page or sheet around the view by an older name.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }

    /// Titles the page or sheet around the view by an older name, and says how titles are shown.
    public func navigationBarTitle(
        _ titleKey: LocalizedStringKey, displayMode: NavigationBarTitleDisplayMode
    ) -> some View {
        navigationBarTitle(titleKey).navigationBarTitleDisplayMode(displayMode)
    }

    /// Titles the page or sheet around the view by an older name.
    @_disfavoredOverload public func navigationBarTitle<Title: StringProtocol>(_ title: Title) -> some View {
        navigationTitle(Text(title))
    }

    /// Titles the page or sheet around the view by an older name, and says how titles are shown.
    @_disfavoredOverload public func navigationBarTitle<Title: StringProtocol>(
        _ title: Title, displayMode: NavigationBarTitleDisplayMode
    ) -> some View {
        navigationTitle(Text(title)).navigationBarTitleDisplayMode(displayMode)
    }

    /// Says how titles of the view, and of what is inside, are shown.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarTitleDisplayMode) -> some View {
        environment(\.titleDisplayMode, displayMode)
            .attribute(.displayMode, .text(displayMode.rawValue))
    }
}
