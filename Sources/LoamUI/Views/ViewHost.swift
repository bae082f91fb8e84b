/// A change of what a host shows.
@MainActor public struct Render {
    /// The node that everything is in; always the same.
    public let root: ViewNode
    /// The nodes that were added or are different, oldest first; of a node whose children were added, removed or moved,
    /// that node. Empty where nothing that is shown has changed.
    public let changed: [ViewNode]
    /// The transaction of the newest change that led here; nil where none was made within one.
    public let transaction: Transaction?
    /// What `animation(_:value:)` says of changed nodes, by their ids.
    let animations: [Int: Animation?]

    /// How a changed node is shown over time; nil: at once. What `animation(_:value:)` around it says of this render, else
    /// the animation of the transaction. O(1).
    public func animation(of node: ViewNode) -> Animation? {
        guard transaction?.disablesAnimations != true, let animation = animations[node.id] else {
            return transaction?.animation
        }
        return animation
    }
}

/// Mounts a view and keeps it: state, environment, and what its bodies read.
///
/// ```swift
/// let host = ViewHost { ContentView().modelContainer(container) } onRender: { render in draw(render.root) }
/// ```
///
/// The first render is made, and told, in the initializer; later ones once in a turn of the main actor in which something
/// has changed that a body has read. Only such bodies are evaluated, and those of views that are made with other values:
/// a render costs what they cost. What a render itself changes is for the turn after, so that a view that changes
/// something in each render does not stop the program; after ``endlessRenders`` of them in a row a warning says so, and
/// those changes wait until something else changes.
///
/// A host may be made within another, in a `State` or in `onAppear`, and gets its environment as an argument.
@MainActor public final class ViewHost {
    /// The renders in a row, each asked for by the one before, after which a host waits.
    public static let endlessRenders = 100

    private let core: HostCore
    private let rootMount: RootMount
    private let onRender: (Render) -> Void
    private var isRendering = false
    /// Renders in a row that were asked for while the one before was made.
    private var chain = 0

    /// Mounts a view.
    ///
    /// - Parameters:
    ///   - environment: what the view is given.
    ///   - root: the view.
    ///   - onRender: called after each render, also after the first.
    public init<Root: View>(
        environment: EnvironmentValues = EnvironmentValues(), @ViewBuilder root: () -> Root,
        onRender: @escaping (Render) -> Void = { _ in }
    ) {
        let link = HostLink()
        let queue = RenderQueue { link.host?.render() }
        core = HostCore(queue: queue)
        rootMount = RootMount(core)
        self.onRender = onRender
        link.host = self
        isRendering = true
        rootMount.show(root(), environment)
        core.layOutRows()
        finish(nil)
    }

    isolated deinit { unmount() }

    /// The node that everything is in.
    public var root: ViewNode { rootMount.root }

    /// How many bodies, rows and nodes were evaluated since the host was made.
    public var evaluations: Int { core.evaluations }

    /// How many bodies of one type of view were evaluated.
    public func evaluations<Content: View>(of type: Content.Type) -> Int {
        core.evaluationsByView[ObjectIdentifier(type)] ?? 0
    }

    /// What the host has noticed; each once, at most a hundred.
    public var warnings: [HostWarning] { core.warnings }

    /// Whether a change waits to be rendered in the next turn.
    public var isRenderPending: Bool { !core.queue.isEmpty }

    /// Renders what has changed so far, where something has; else the host does so by itself in the next turn.
    public func render() {
        guard !isRendering, !core.queue.isEmpty else { return }
        isRendering = true
        let (mounts, transaction) = core.queue.take()
        core.layOutRows()
        for mount in mounts.sorted(by: { $0.depth < $1.depth }) where mount.isMounted {
            mount.evaluate()
            // Before rows inside are evaluated that are no longer shown, or are made anew.
            core.layOutRows()
        }
        finish(transaction)
    }

    private func finish(_ transaction: Transaction?) {
        core.checkSources()
        let changed = core.takeChanged()
        let animations = core.takeAnimations(of: changed)
        onRender(
            Render(root: rootMount.root, changed: changed, transaction: transaction, animations: animations))
        let isChained = !core.queue.isEmpty
        chain = isChained ? chain + 1 : 0
        isRendering = false
        core.runAfterwards()
        guard chain >= Self.endlessRenders else { return }
        chain = 0
        for mount in core.queue.take().mounts { core.report(.endlessRender(view: "\(type(of: mount))")) }
    }

    /// Removes the views: their tasks are cancelled, `onDisappear` is called, and their storage is let go of. Nothing is
    /// rendered any more.
    public func unmount() {
        core.queue.close()
        rootMount.unmount()
        core.runAfterwards()
    }
}

@MainActor private final class HostLink {
    weak var host: ViewHost?
}

/// The place of the root view.
private final class RootMount: Mount {
    private var child: Mount?
    private var own: ViewNode?

    init(_ host: HostCore) { super.init(root: host) }

    override var children: [Mount] { child.map { [$0] } ?? [] }
    override var node: ViewNode? { root }
    override var innerWindow: RowWindow? { nil }

    var root: ViewNode {
        if let own { return own }
        let node = ViewNode("Root", of: self)
        own = node
        return node
    }

    func show<Root: View>(_ view: Root, _ environment: EnvironmentValues) {
        child = mount(view, environment)
        host.note(changed: root)
    }

    override func unmount() {
        super.unmount()
        root.end()
        child = nil
    }
}
