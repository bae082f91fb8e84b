/// Pages, of which the last is shown. Node: `NavigationStack`, a `Page` for the root and for each that was pushed.
///
/// Links push values or views; of a value `navigationDestination(for:)` makes the page.
public struct NavigationStack<Data, Root: View>: View {
    private let path: PathAccess?
    private let root: Root

    /// Pages that the stack keeps itself.
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { (path, self.root) = (nil, root()) }

    /// Pages of a path.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        (self.path, self.root) = (PathAccess(path), root())
    }

    /// Pages of a path of values of one type.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable
    {
        (self.path, self.root) = (PathAccess(path), root())
    }

    /// The pages in their node.
    public var body: some View { Pages(kind: "NavigationStack", path: path, root: root) }
}

/// Pages, as an older name has them. Node: `NavigationView`. Several views stand in the first page.
public struct NavigationView<Content: View>: View {
    private let content: Content

    /// Pages that the view keeps itself.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// The pages in their node.
    public var body: some View { Pages(kind: "NavigationView", path: nil, root: content) }
}

/// The pages of a stack in a node of their own.
struct Pages<Root: View>: View {
    let kind: NodeKind
    let path: PathAccess?
    let root: Root
    @State private var model = NavigationModel()
    @State private var ownPath = NavigationPath()

    init(kind: NodeKind, path: PathAccess?, root: Root) { (self.kind, self.path, self.root) = (kind, path, root) }

    var body: some View {
        let _ = model.path = path ?? PathAccess($ownPath)
        let entries = model.entries
        Part(kind) {
            Part("Page") { root }
            ForEach(entries) { PageView(entry: $0, model: model) }
        }
        .environment(\.navigation, model)
        .environment(\.replacesPages, false)
        .modifier(KeepsEditMode())
        .onChange(of: entries.count) { model.prune() }
    }
}

/// Keeps whether rows are edited, for what is inside.
struct KeepsEditMode: ViewModifier {
    @State private var mode = EditMode.inactive
    @State private var binding = Kept<Binding<EditMode>>()

    func body(content: Content) -> some View {
        content.environment(\.editMode, binding.get { $mode })
    }
}

/// A value that is made once, so that the environment's stays the same.
@MainActor final class Kept<Value> {
    private var value: Value?

    func get(_ make: () -> Value) -> Value {
        if let value { return value }
        let value = make()
        self.value = value
        return value
    }
}

/// Closes something, by what is done with it now: the action in the environment stays the same.
@MainActor final class Dismissal {
    var action: @MainActor () -> Void = {}
    private(set) lazy var dismiss = DismissAction { [weak self] in self?.action() }
}

/// A page after the first.
struct PageView: View {
    let entry: PageEntry
    let model: NavigationModel
    @State private var dismissal = Dismissal()

    var body: some View {
        let _ = dismissal.action = back
        PageNode(dismiss: dismissal.dismiss, content: page).environment(\.dismiss, dismissal.dismiss)
    }

    private var back: @MainActor () -> Void {
        { [model, entry] in
            switch entry.content {
            case .value(_, let depth): model.cut(to: depth - 1)
            case .pushed(let page): model.remove(page)
            }
        }
    }

    private var page: AnyView {
        switch entry.content {
        case .value(let value, _):
            model.maker(of: type(of: value.base)).make?(value) ?? AnyView(EmptyView())
        case .pushed(let page): page.view
        }
    }
}

private struct PageNode: PrimitiveView {
    let dismiss: DismissAction
    let content: AnyView

    var kind: NodeKind { "Page" }

    func describe(_ node: inout NodeDescription) { node.act(.dismiss) { dismiss() } }
}
