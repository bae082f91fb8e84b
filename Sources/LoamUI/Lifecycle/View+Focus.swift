/// A view that may have the focus.
private struct FocusableView<Wrapped: View, Value: Hashable>: View {
    let wrapped: Wrapped
    let binding: FocusState<Value>.Binding
    let value: Value

    var body: some View {
        FocusView(wrapped: wrapped, binding: binding, value: value, isFocused: binding.wrappedValue == value)
    }
}

/// What its nodes say of it.
private struct FocusView<Wrapped: View, Value: Hashable>: WrappingView {
    let wrapped: Wrapped
    let binding: FocusState<Value>.Binding
    let value: Value
    let isFocused: Bool

    func isModifying(otherwiseThan previous: Self) -> Bool {
        isFocused != previous.isFocused || value != previous.value || !binding.showsSame(as: previous.binding)
    }

    func modify(_ node: inout NodeDescription) {
        node.attributes["isFocused"] = isFocused
        node.actions["focus"] = { [binding, value] isFocused in
            if isFocused as? Bool ?? true { binding.wrappedValue = value } else { binding.resign(value) }
        }
    }

    func end(in mount: WrapperMount<Self>) {
        mount.host.afterRender { [binding, value] in binding.resign(value) }
    }
}

extension FocusState.Binding {
    /// Takes the focus from a control, where it has it.
    fileprivate func resign(_ value: Value) {
        if wrappedValue == value { wrappedValue = none }
    }
}

extension View {
    /// Says that the view has the focus while a state has a value, and has the state follow the focus.
    ///
    /// Its outermost nodes have the attribute `isFocused`, and the action `focus`, which whoever draws them calls with
    /// true or nothing where one gets the focus, and with false where it loses it. Where the view is removed that has the
    /// focus none has it. A change of the focus evaluates nothing of the view inside.
    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View {
        FocusableView(wrapped: self, binding: binding, value: value)
    }

    /// Says that the view has the focus while a state is true, otherwise as ``focused(_:equals:)``.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { focused(condition, equals: true) }
}
