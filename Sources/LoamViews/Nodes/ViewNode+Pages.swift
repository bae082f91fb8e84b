extension ViewNode {
    private static let pages: Set<NodeKind> = ["Page", "Sheet", "Root"]
    private static let presentationKinds: Set<NodeKind> = ["Sheet", "Alert", "ConfirmationDialog"]

    /// The nodes of a kind that belong to this page or sheet: not those of pages and sheets within. The outermost first.
    /// O(nodes inside).
    public func belongings(_ kind: NodeKind) -> [ViewNode] {
        var (found, level) = ([] as [ViewNode], children)
        while !level.isEmpty {
            found += level.filter { $0.kind == kind }
            level = level.filter { !Self.pages.contains($0.kind) }.flatMap(\.children)
        }
        return found
    }

    private func belonging(_ kind: NodeKind) -> ViewNode? {
        var level = children
        while !level.isEmpty {
            if let found = level.last(where: { $0.kind == kind }) { return found }
            level = level.filter { !Self.pages.contains($0.kind) }.flatMap(\.children)
        }
        return nil
    }

    /// The title of a page or sheet: the outermost that its content has; nil where there is none.
    public var pageTitle: String? { belonging("NavigationTitle")?.nodeValue?.text }

    /// The toolbars of a page or sheet.
    public var toolbars: [ViewNode] { belongings("Toolbar") }

    /// The search field of a page or sheet; nil where there is none.
    public var searchField: ViewNode? { belonging("SearchField") }

    /// The scopes of a page's or sheet's search; nil where there are none.
    public var searchScopes: ViewNode? { belonging("SearchScopes") }

    /// All sheets, alerts and dialogs inside, at any depth; those inside others later. O(nodes inside).
    public var presentations: [ViewNode] {
        var (found, level) = ([] as [ViewNode], [self])
        while !level.isEmpty {
            var inner: [ViewNode] = []
            for node in level { node.collectPresentations(&found, &inner) }
            level = inner
        }
        return found
    }

    private func collectPresentations(_ found: inout [ViewNode], _ inner: inout [ViewNode]) {
        for child in children {
            if Self.presentationKinds.contains(child.kind) {
                found.append(child)
                inner.append(child)
            } else {
                child.collectPresentations(&found, &inner)
            }
        }
    }

    /// The node that a `ScrollViewReader` was asked to scroll to last; nil where it was asked for none that is mounted.
    public var scrollTarget: ViewNode? {
        guard let id = description.attributes["scrollTarget"] as? AnyHashable else { return nil }
        return descendant { $0.explicitID == id }
    }

    /// The first node inside that something holds for, at any depth.
    public func descendant(where holds: (ViewNode) -> Bool) -> ViewNode? {
        for child in children {
            if holds(child) { return child }
            if let found = child.descendant(where: holds) { return found }
        }
        return nil
    }
}
