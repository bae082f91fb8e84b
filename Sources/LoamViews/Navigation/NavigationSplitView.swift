/// Which columns are seen: what a face shows of them, and may set.
public struct NavigationSplitViewVisibility: Hashable, Sendable {
    let name: String

    /// As the face has it.
    public static let automatic = NavigationSplitViewVisibility(name: "automatic")
    /// All.
    public static let all = NavigationSplitViewVisibility(name: "all")
    /// The two last.
    public static let doubleColumn = NavigationSplitViewVisibility(name: "doubleColumn")
    /// The last.
    public static let detailOnly = NavigationSplitViewVisibility(name: "detailOnly")

    static let cases: [NavigationSplitViewVisibility] = [.automatic, .all, .doubleColumn, .detailOnly]
}

/// Columns beside each other. Node: `NavigationSplitView` with two or three `Column`s.
///
/// Links in the columns before the detail show their page there.
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    private let visibility: Binding<NavigationSplitViewVisibility>?
    private let sidebar: Sidebar
    private let content: Content
    private let detail: Detail
    @State private var model = NavigationModel()

    /// Three columns.
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        (visibility, self.sidebar, self.content, self.detail) = (nil, sidebar(), content(), detail())
    }

    /// Three columns, and which of them are seen.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        (visibility, self.sidebar, self.content, self.detail) = (columnVisibility, sidebar(), content(), detail())
    }

    /// Two columns.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) where Content == EmptyView {
        (visibility, self.sidebar, content, self.detail) = (nil, sidebar(), EmptyView(), detail())
    }

    /// Two columns, and which of them are seen.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) where Content == EmptyView {
        (visibility, self.sidebar, content, self.detail) = (columnVisibility, sidebar(), EmptyView(), detail())
    }

    /// The columns in their node.
    public var body: some View {
        SplitNode(visibility: visibility) {
            Column("sidebar") { Part("Page") { sidebar } }
                .environment(\.replacesPages, true)
            if Content.self != EmptyView.self {
                Column("content") { Part("Page") { content } }
                    .environment(\.replacesPages, true)
            }
            DetailColumn(detail: detail, model: model)
        }
        .environment(\.navigation, model)
        .modifier(KeepsEditMode())
    }
}

private struct SplitNode<Content: View>: PrimitiveView {
    let visibility: Binding<NavigationSplitViewVisibility>?
    let content: Content
    @Environment(\.isEnabled) private var isEnabled

    init(visibility: Binding<NavigationSplitViewVisibility>?, @ViewBuilder content: () -> Content) {
        (self.visibility, self.content) = (visibility, content())
    }

    var kind: NodeKind { "NavigationSplitView" }

    func describe(_ node: inout NodeDescription) {
        guard let visibility else { return }
        node.nodeValue = .text(visibility.wrappedValue.name)
        node.act(.set) { value in
            let new = NavigationSplitViewVisibility.cases.first { $0.name == value?.text }
            if let new { visibility.wrappedValue = new }
            return new != nil
        }
        node.enable(isEnabled)
    }
}

private struct Column<Content: View>: PrimitiveView {
    let name: String
    let content: Content

    init(_ name: String, @ViewBuilder content: () -> Content) { (self.name, self.content) = (name, content()) }

    var kind: NodeKind { "Column" }

    func describe(_ node: inout NodeDescription) { node.nodeValue = .text(name) }
}

/// The last column: its root, and the pages that links in all columns push.
private struct DetailColumn<Detail: View>: View {
    let detail: Detail
    let model: NavigationModel
    @State private var path = NavigationPath()

    init(detail: Detail, model: NavigationModel) { (self.detail, self.model) = (detail, model) }

    var body: some View {
        let _ = model.path = PathAccess($path)
        let entries = model.entries
        Column("detail") {
            Part("Page") { detail }
            ForEach(entries) { PageView(entry: $0, model: model) }
        }
        .environment(\.replacesPages, false)
        .onChange(of: entries.count) { model.prune() }
    }
}
