/// What a face asks for, with whether it fitted.
final class ActionCall {
    let value: NodeValue?
    var isDone = false

    init(_ value: NodeValue?) { self.value = value }
}

extension NodeDescription {
    /// What the node shows.
    var nodeValue: NodeValue? {
        get { value as? NodeValue }
        set { value = newValue }
    }

    subscript(_ attribute: NodeAttribute) -> NodeValue? {
        get { attributes[attribute.description].flatMap(NodeValue.init(plain:)) }
        set { attributes[attribute.description] = newValue }
    }

    /// Sets an attribute that nothing further inside has set.
    mutating func add(_ attribute: NodeAttribute, _ value: NodeValue) {
        if attributes[attribute.description] == nil { self[attribute] = value }
    }

    /// Adds an action; `perform` returns whether the value fitted.
    mutating func act(_ action: NodeAction, _ perform: @escaping @MainActor (NodeValue?) -> Bool) {
        actions[action.description] = { argument in
            guard let call = argument as? ActionCall else {
                _ = perform(argument as? NodeValue)
                return
            }
            call.isDone = perform(call.value)
        }
    }

    /// Adds an action without a value.
    mutating func act(_ action: NodeAction, _ perform: @escaping @MainActor () -> Void) {
        act(action) { _ in
            perform()
            return true
        }
    }

    /// Takes the actions away where the node is disabled.
    mutating func enable(_ isEnabled: Bool) {
        guard !isEnabled else { return }
        actions = [:]
        self[.isEnabled] = .flag(false)
    }

    /// What `select` goes by.
    var tag: AnyHashable? {
        get { attributes["tag"] as? AnyHashable }
        set { attributes["tag"] = newValue }
    }

    var selection: NodeSelection? {
        get { attributes["selection"] as? NodeSelection }
        set { attributes["selection"] = newValue }
    }
}
