extension ViewNode {
    /// The value that the node shows; nil where it shows none.
    public var nodeValue: NodeValue? { description.value.flatMap(NodeValue.init(plain:)) }

    /// What the node, or a modifier around it, says under a name.
    public func attribute(_ attribute: NodeAttribute) -> NodeValue? { description[attribute] }

    /// The names of all attributes that are plain values, sorted.
    public var attributeNames: [NodeAttribute] {
        description.attributes.filter { NodeValue(plain: $0.value) != nil }.keys.sorted().map {
            NodeAttribute(stringLiteral: $0)
        }
    }

    /// The names of what can be done now, sorted; none where the node is disabled.
    public var actionNames: [NodeAction] { description.actions.keys.map { NodeAction($0) }.filter(has).sorted() }

    /// A disabled node takes no focus: the modifier around it does not know.
    private func has(_ action: NodeAction) -> Bool {
        description.actions[action.description] != nil
            && (action != .focus || attribute(.isEnabled) != .flag(false))
    }

    /// Does something, on the main actor, before it returns; the render comes later in the turn.
    ///
    /// - Parameters:
    ///   - action: what.
    ///   - value: what the action wants; nil for those that want nothing.
    /// - Returns: false where the node does not have the action, or the value does not fit: then nothing has changed.
    @discardableResult public func perform(_ action: NodeAction, _ value: NodeValue? = nil) -> Bool {
        guard has(action), let perform = description.actions[action.description] else { return false }
        if action == .focus {
            guard value == nil || value?.flag != nil else { return false }
            perform(value?.plain)
            return true
        }
        let call = ActionCall(value)
        perform(call)
        return call.isDone
    }

    /// Whether the node is shown elsewhere than its place says: a sheet, a toolbar.
    public var isElsewhere: Bool { description.isElsewhere }

    /// A node in the flow, and what is attached to it.
    public struct Item {
        /// The node.
        public let node: ViewNode
        /// What stands behind it and is shown elsewhere: sheets, swipe actions, a toolbar.
        public fileprivate(set) var attachments: [ViewNode]
    }

    /// The children in the flow, each with what is attached to it. What is attached to no node, as the modified view shows
    /// none, is in `children` alone. O(children).
    public var items: [Item] {
        var items: [Item] = []
        for child in children {
            if !child.isElsewhere {
                items.append(Item(node: child, attachments: []))
            } else if !items.isEmpty {
                items[items.count - 1].attachments.append(child)
            }
        }
        return items
    }
}
