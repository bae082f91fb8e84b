extension ViewNode {
    /// The rows of a list or form, with those of its sections, in their order. O(rows that are mounted).
    public var rows: [ViewNode] { flow(within: ["Section"], leavingOut: ["Header", "Footer"]) }

    /// The options of a picker, with those in sections. O(options).
    public var options: [ViewNode] { flow(within: ["Section"], leavingOut: ["Title", "Header", "Footer"]) }

    private func flow(within parts: Set<NodeKind>, leavingOut others: Set<NodeKind>) -> [ViewNode] {
        children.filter { !$0.isElsewhere && !others.contains($0.kind) }
            .flatMap { parts.contains($0.kind) ? $0.flow(within: parts, leavingOut: others) : [$0] }
    }

    /// What chooses the node: its tag, else its identifier.
    public var tag: AnyHashable? { description.tag ?? explicitID }

    /// Whether a row or an option of this list or picker is chosen.
    public func isSelected(_ node: ViewNode) -> Bool {
        guard let selection = description.selection, let tag = node.tag else { return false }
        return selection.isSelected(tag)
    }
}

extension NodeDescription {
    /// Adds the action that chooses among nodes. Those that have no tag cannot be chosen.
    @MainActor mutating func choose(_ selection: NodeSelection, among nodes: @escaping @MainActor () -> [ViewNode]) {
        self.selection = selection
        act(.select) { value in
            guard let ids = value?.integers else { return false }
            var tags: [Int: AnyHashable] = [:]
            for node in nodes() { tags[node.id] = node.tag }
            let chosen = ids.compactMap { tags[$0] }
            return chosen.count == ids.count && selection.select(chosen)
        }
    }
}
