/// What a node of the tree is called: `"Text"`.
public struct NodeKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// A kind by its name.
    public init(stringLiteral name: String) { description = name }
}

/// What a primitive view, and the modifiers around it, say of their node.
public struct NodeDescription {
    /// What is shown: a text, the value of a control.
    public var value: Any?
    /// What else is to be known, by name.
    public var attributes: [String: Any] = [:]
    /// What can be done with it, by name.
    public var actions: [String: @MainActor (Any?) -> Void] = [:]
    /// What it says of itself to others: a place that is matched, a focus, a rotor.
    public var registrations: [NodeRegistration] = []

    /// The node that is described, for actions that look at what is inside.
    package weak var node: ViewNode?
    /// Whether modifiers around the node are not about it: it is shown elsewhere.
    package var isElsewhere = false
    /// Where the element stands that the node is the row of, and among how many; nil where it is no row. Asked for when
    /// something is done.
    package var rowPlace: (@MainActor () -> (position: Int, count: Int)?)?

    /// Nothing.
    public init() {}

    /// Whether the other shows the same and can do the same, however it does it. Values that cannot be compared differ.
    func shows(sameAs other: NodeDescription) -> Bool {
        Self.areEqual(value, other.value) && registrations == other.registrations
            && actions.count == other.actions.count && actions.keys.allSatisfy { other.actions[$0] != nil }
            && attributes.count == other.attributes.count
            && attributes.allSatisfy { Self.areEqual($1, other.attributes[$0]) }
    }

    private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        guard let left = left as? any Equatable else { return false }
        return FieldComparison.areEqual(left, to: right)
    }
}

/// That a node stands for a pair of a namespace and an identifier, in a role.
public struct NodeRegistration: Hashable {
    /// What for: geometry, focus, a rotor.
    public let role: String
    /// The number of the namespace.
    public let namespace: Int
    /// The identifier within it; nil for the whole namespace.
    public let id: AnyHashable?
    /// Whether the node gives what others take; at most one should.
    public let isSource: Bool

    /// A registration by what it is made of.
    public init(role: String, namespace: Int, id: AnyHashable?, isSource: Bool) {
        (self.role, self.namespace, self.id, self.isSource) = (role, namespace, id, isSource)
    }
}

/// A node of what a host shows. It is the same object as long as its view is mounted; the host changes it in renders.
@MainActor public final class ViewNode: Identifiable {
    /// A number that no other node of the process has, or has had.
    public nonisolated let id: Int
    /// What it is called.
    public let kind: NodeKind
    /// What its view and the modifiers around it say.
    public internal(set) var description = NodeDescription()
    /// The identifier of the row that it belongs to, or that `id(_:)` gave it: the innermost.
    public internal(set) var explicitID: AnyHashable?
    /// Its place, as long as it is mounted.
    private(set) weak var mount: Mount?
    /// The rows inside, where the view mounts those that are shown.
    private(set) var rows: RowWindow?
    private var known: [ViewNode]?

    private static var lastID = 0

    init(_ kind: NodeKind, of mount: Mount, rows: RowWindow? = nil) {
        Self.lastID += 1
        (id, self.kind, self.mount, self.rows) = (Self.lastID, kind, mount, rows)
    }

    /// The nodes inside. O(1) where nothing was added or removed since it was asked last, else O(views inside, down to
    /// the next nodes). Empty once the view is removed.
    public var children: [ViewNode] {
        if let known { return known }
        var nodes: [ViewNode] = []
        for child in mount?.children ?? [] { child.appendNodes(to: &nodes) }
        known = nodes
        return nodes
    }

    func forgetChildren() { known = nil }

    func end() { (known, mount, rows) = ([], nil, nil) }
}
