extension FaceNode {
    private static let presentationKinds: Set<String> = ["Sheet", "Alert", "ConfirmationDialog"]

    /// What takes input now: the sheet, alert or dialog that is on top, else the last page, else the node itself.
    public var front: FaceNode { presentations.last ?? lastPage ?? self }

    /// All sheets, alerts and dialogs inside; those inside others later.
    public var presentations: [FaceNode] {
        let inner = children.flatMap { Self.presentationKinds.contains($0.kind) ? [$0] : $0.presentations }
        return inner + inner.flatMap(\.presentations).filter { found in !inner.contains { $0.id == found.id } }
    }

    /// The page that is shown: the last one of the first node that has pages.
    private var lastPage: FaceNode? {
        if let page = children.last(where: { $0.kind == "Page" }) { return page.lastPage ?? page }
        for child in children {
            if let page = child.lastPage { return page }
        }
        return nil
    }

    /// The first node of a kind that belongs to this page: not one of pages and sheets within.
    public func belonging(_ kind: String) -> FaceNode? {
        var level = children
        while !level.isEmpty {
            if let found = level.last(where: { $0.kind == kind }) { return found }
            level = level.filter { $0.kind != "Page" && $0.kind != "Sheet" }.flatMap(\.children)
        }
        return nil
    }
}
