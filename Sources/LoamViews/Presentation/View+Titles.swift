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

private struct TitleNode: PrimitiveView {
    let title: String
    @Environment(\.titleDisplayMode) private var mode

    init(title: String) { self.title = title }

    var kind: NodeKind { "NavigationTitle" }

    func describe(_ node: inout NodeDescription) {
        node.isElsewhere = true
        node.nodeValue = .text(title)
        node[.displayMode] = mode.map { .text($0.rawValue) }
    }
}

extension View {
    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    public func navigationTitle(_ title: Text) -> some View {
        Attached(content: self, attachment: TitleNode(title: title.content))
    }

    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }

    /// Titles the page or sheet around the view. Of several titles the outermost counts.
    @_disfavoredOverload public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
        navigationTitle(Text(title))
    }

    /// Titles the page or sheet around the view by an older name.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }

    /// Says how titles of the view, and of what is inside, are shown.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarTitleDisplayMode) -> some View {
        environment(\.titleDisplayMode, displayMode)
            .attribute(.displayMode, .text(displayMode.rawValue))
    }
}
