/// What makes one tree of another with the same root.
public struct TreePatch: Equatable, Sendable, Codable {
    /// What has changed of a node that is in both.
    public struct Change: Equatable, Sendable, Codable {
        /// The node.
        public var id: Int
        /// What it says now; nil where that is the same.
        public var content: FaceNode.Content?
        /// Its children now, in their order; nil where they are the same nodes in the same order.
        public var children: [Child]?
    }

    /// A child of a changed node.
    public enum Child: Equatable, Sendable {
        /// One that this node had before.
        case kept(Int)
        /// One that is new here, with all inside.
        case new(FaceNode)
    }

    /// The changed nodes, outer ones before what is inside. Nodes within new children are not among them.
    public var changes: [Change] = []

    /// Whether both trees are the same.
    public var isEmpty: Bool { changes.isEmpty }

    /// The difference of two trees with the same root. O(nodes of the parts that they do not share).
    public init(from old: FaceNode, to new: FaceNode) { compare(old, new) }

    private mutating func compare(_ old: FaceNode, _ new: FaceNode) {
        guard old !== new else { return }
        let place = changes.count
        var change = Change(id: new.id, content: old.content == new.content ? nil : new.content)
        if old.children.map(\.id) != new.children.map(\.id) {
            let kept = Set(old.children.map(\.id))
            change.children = new.children.map { kept.contains($0.id) ? .kept($0.id) : .new($0) }
        }
        let known = Dictionary(old.children.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for child in new.children {
            if let before = known[child.id] { compare(before, child) }
        }
        if change.content != nil || change.children != nil { changes.insert(change, at: place) }
    }

    /// The tree that the patch makes of another. What it changes of nodes that are not there is left out.
    public func applied(to tree: FaceNode) -> FaceNode {
        apply(Dictionary(changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }), to: tree)
    }

    private func apply(_ changes: [Int: Change], to node: FaceNode) -> FaceNode {
        let known = Dictionary(node.children.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let change = changes[node.id]
        let order = change?.children ?? node.children.map { .kept($0.id) }
        let children = order.compactMap { child in
            switch child {
            case .kept(let id): known[id].map { apply(changes, to: $0) }
            case .new(let node): node
            }
        }
        return FaceNode(id: node.id, content: change?.content ?? node.content, children: children)
    }
}

extension TreePatch.Child: Codable {
    /// A number is a child that was there, an object is a new one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let id = try? container.decode(Int.self) {
            self = .kept(id)
        } else {
            self = .new(try container.decode(FaceNode.self))
        }
    }

    /// A number for a child that was there, an object for a new one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .kept(let id): try container.encode(id)
        case .new(let node): try container.encode(node)
        }
    }
}
