/// A node of what is shown, as it was at one render: a value to be drawn, compared and sent.
///
/// Nodes are shared between the trees of successive renders: what is the same object needs no comparison.
public final class FaceNode: Sendable {
    /// What the node itself says, without what is inside.
    public struct Content: Hashable, Sendable {
        /// What it is called.
        public var kind: String
        /// What it shows.
        public var value: FaceValue?
        /// What else is to be known, by name.
        public var attributes: [String: FaceValue] = [:]
        /// What can be done with it, sorted.
        public var actions: [String] = []
        /// The children that are chosen in it.
        public var selected: [Int] = []
        /// Whether it is shown elsewhere than its place says.
        public var isElsewhere = false

        /// What a node of a kind says.
        public init(kind: String, value: FaceValue? = nil, actions: [String] = []) {
            (self.kind, self.value, self.actions) = (kind, value, actions)
        }
    }

    /// A number that no other node has.
    public let id: Int
    /// What the node itself says.
    public let content: Content
    /// What is inside.
    public let children: [FaceNode]

    /// A node by what it is made of.
    public init(id: Int, content: Content, children: [FaceNode] = []) {
        (self.id, self.content, self.children) = (id, content, children)
    }

    /// What it is called.
    public var kind: String { content.kind }

    /// The first node, this one or one inside, that something holds for. O(nodes).
    public func first(where holds: (FaceNode) -> Bool) -> FaceNode? {
        if holds(self) { return self }
        for child in children {
            if let found = child.first(where: holds) { return found }
        }
        return nil
    }

    /// The texts inside, in their order.
    public var texts: [String] {
        (kind == "Text" ? content.value?.text.map { [$0] } ?? [] : []) + children.flatMap(\.texts)
    }
}

extension FaceNode: Equatable {
    /// Whether both trees are the same. O(nodes), O(1) for parts that are shared.
    public static func == (left: FaceNode, right: FaceNode) -> Bool {
        left === right || left.id == right.id && left.content == right.content && left.children == right.children
    }
}

extension FaceNode: Codable {
    private enum Key: String, CodingKey { case id, content, children }

    /// A tree out of its JSON.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(Int.self, forKey: .id),
            content: try container.decode(Content.self, forKey: .content),
            children: try container.decodeIfPresent([FaceNode].self, forKey: .children) ?? [])
    }

    /// The tree as JSON. What is empty is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(content, forKey: .content)
        if !children.isEmpty { try container.encode(children, forKey: .children) }
    }
}

extension FaceNode.Content: Codable {
    private enum Key: String, CodingKey { case kind, value, attributes, actions, selected, isElsewhere }

    /// What a node says, out of its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            kind: try container.decode(String.self, forKey: .kind),
            value: try container.decodeIfPresent(FaceValue.self, forKey: .value),
            actions: try container.decodeIfPresent([String].self, forKey: .actions) ?? [])
        attributes = try container.decodeIfPresent([String: FaceValue].self, forKey: .attributes) ?? [:]
        selected = try container.decodeIfPresent([Int].self, forKey: .selected) ?? []
        isElsewhere = try container.decodeIfPresent(Bool.self, forKey: .isElsewhere) ?? false
    }

    /// What a node says, as JSON. What is empty is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(value, forKey: .value)
        if !attributes.isEmpty { try container.encode(attributes, forKey: .attributes) }
        if !actions.isEmpty { try container.encode(actions, forKey: .actions) }
        if !selected.isEmpty { try container.encode(selected, forKey: .selected) }
        if isElsewhere { try container.encode(isElsewhere, forKey: .isElsewhere) }
    }
}
