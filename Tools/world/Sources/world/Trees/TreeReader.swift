import LoamViews
import WorldFaces

/// Makes values of the nodes of a host: a tree for each render, which shares all that has not changed.
///
/// A render costs O(changed nodes, and those around them).
@MainActor final class TreeReader {
    private struct Entry {
        let node: ViewNode
        let parent: Int?
        /// What the node looked like; nil where it, or something inside, has changed since.
        var face: FaceNode?
        var children: [Int] = []
    }

    private var entries: [Int: Entry] = [:]

    /// The tree after a render.
    func read(_ render: Render) -> FaceNode {
        for node in render.changed { forget(node.id) }
        return face(of: render.root, parent: nil)
    }

    /// The node of a number that is shown; nil where there is none.
    func node(_ id: Int) -> ViewNode? { entries[id]?.node }

    /// Whether a node is another or is inside of it.
    func isNode(_ id: Int, within other: Int) -> Bool {
        var place: Int? = id
        while let now = place {
            if now == other { return true }
            place = entries[now]?.parent
        }
        return false
    }

    private func forget(_ id: Int) {
        var place: Int? = id
        while let now = place, let entry = entries[now] {
            entries[now]?.face = nil
            place = entry.parent
        }
    }

    private func face(of node: ViewNode, parent: Int?) -> FaceNode {
        if let known = entries[node.id]?.face { return known }
        let before = entries[node.id]?.children ?? []
        entries[node.id] = Entry(node: node, parent: parent, children: before)
        let children = node.children.map { face(of: $0, parent: node.id) }
        let made = FaceNode(id: node.id, content: content(of: node), children: children)
        let kept = children.map(\.id)
        let rest = Set(kept)
        for id in before where !rest.contains(id) { remove(id) }
        entries[node.id] = Entry(node: node, parent: parent, face: made, children: kept)
        return made
    }

    private func remove(_ id: Int) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        for child in entry.children { remove(child) }
    }

    private func content(of node: ViewNode) -> FaceNode.Content {
        var content = FaceNode.Content(
            kind: "\(node.kind)", value: node.nodeValue.flatMap { FaceValue($0) },
            actions: node.actionNames.map(\.description))
        for name in node.attributeNames {
            content.attributes[name.description] = node.attribute(name).flatMap { FaceValue($0) }
        }
        content.isElsewhere = node.isElsewhere
        if node.actionNames.contains(.select) {
            content.selected = (node.kind == "List" ? node.rows : node.options).filter(node.isSelected).map(\.id)
        }
        return content
    }
}

extension FaceValue {
    /// A node's value; nil for numbers that are not finite. A date is its text in ISO 8601.
    init?(_ value: NodeValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .flag(let flag): self = .flag(flag)
        case .integer(let integer): self = .integer(integer)
        case .number(let number):
            guard number.isFinite else { return nil }
            self = .number(number)
        case .date(let date): self = .text(date.ISO8601Format())
        case .integers(let integers): self = .integers(integers)
        }
    }

    /// The value as an action takes it.
    var nodeValue: NodeValue {
        switch self {
        case .text(let text): .text(text)
        case .flag(let flag): .flag(flag)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .integers(let integers): .integers(integers)
        }
    }
}
