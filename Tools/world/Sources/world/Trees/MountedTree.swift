import LoamViews
import WorldFaces

/// Views in a host, as a tree of values: what one terminal, or one page, shows.
///
/// Of a list its first rows are mounted, ``mostRows`` at most: so much is a page that somebody scrolls through, and the
/// search finds the others.
@MainActor final class MountedTree {
    /// The most rows of a list that are shown.
    static let mostRows = 500

    private let reader = TreeReader()
    private var host: ViewHost?
    /// What is shown now.
    private(set) var tree: FaceNode
    /// Called after each render but the first.
    var onRender: (FaceNode) -> Void = { _ in }

    /// Mounts a view.
    init<Root: View>(@ViewBuilder root: () -> Root) {
        let reader = reader
        var first: FaceNode?
        let link = TreeLink()
        let host = ViewHost(root: root) { render in
            let tree = reader.read(render)
            for node in render.changed { Self.showRows(of: node) }
            if let owner = link.owner { owner.take(tree) } else { first = tree }
        }
        tree = first ?? FaceNode(id: host.root.id, content: FaceNode.Content(kind: "Root"))
        self.host = host
        link.owner = self
    }

    /// Has the rows of a list mounted that are to be shown: all of them, or as many as there may be.
    private static func showRows(of node: ViewNode) {
        guard let count = node.rowCount else { return }
        let wanted = 0..<min(count, mostRows)
        if node.shownRows != wanted { node.show(rows: wanted) }
    }

    private func take(_ tree: FaceNode) {
        self.tree = tree
        onRender(tree)
    }

    /// Does what is asked for, where the node has the action, the value fits, and no sheet or dialog is above the node.
    func perform(_ request: PageRequest) -> Bool {
        guard let node = reader.node(request.node) else { return false }
        if let top = tree.presentations.last, !reader.isNode(request.node, within: top.id) { return false }
        return node.perform(NodeAction(request.action), request.value?.nodeValue)
    }

    /// Renders what has changed so far, without waiting for the turn to end.
    func render() { host?.render() }

    /// Removes the views.
    func unmount() {
        host?.unmount()
        host = nil
    }
}

@MainActor private final class TreeLink {
    weak var owner: MountedTree?
}
