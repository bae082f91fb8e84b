/// A view whose coming and going is told.
private struct AppearingView<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    var appear: (() -> Void)?
    var disappear: (() -> Void)?

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        if previous == nil, let appear { mount.host.afterRender(appear) }
    }

    func end(in mount: WrapperMount<Self>) {
        if let disappear { mount.host.afterRender(disappear) }
    }
}

/// A view with a task that runs as long as it is there.
private struct TaskView<Wrapped: View, ID: Equatable>: WrappingView {
    let wrapped: Wrapped
    let id: ID
    let priority: TaskPriority
    let action: @MainActor () async -> Void

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        if let previous, previous.id == id { return }
        mount.task?.cancel()
        mount.task = nil
        mount.host.afterRender { [weak mount, priority, action] in
            guard let mount, mount.isMounted else { return }
            mount.task = Task(priority: priority) { @MainActor in await action() }
        }
    }
}

/// A view beside a value whose changes are told.
private struct ChangeView<Wrapped: View, Value: Equatable>: WrappingView {
    let wrapped: Wrapped
    let value: Value
    let isInitial: Bool
    let action: (Value, Value) -> Void

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        guard let previous else {
            if isInitial { mount.host.afterRender { action(value, value) } }
            return
        }
        if previous.value != value { mount.host.afterRender { action(previous.value, value) } }
    }
}

extension View {
    /// Calls an action when the view has been mounted, after the render that shows it first.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        AppearingView(wrapped: self, appear: action)
    }

    /// Calls an action when the view has been removed, after the render that does not show it.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        AppearingView(wrapped: self, disappear: action)
    }

    /// Runs a task on the main actor from when the view has been mounted. It is cancelled when the view is removed.
    public func task(
        priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor () async -> Void
    ) -> some View {
        TaskView(wrapped: self, id: true, priority: priority, action: action)
    }

    /// Runs a task on the main actor for a value: where it becomes another, the task is cancelled and run again.
    public func task<ID: Equatable>(
        id: ID, priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor () async -> Void
    ) -> some View {
        TaskView(wrapped: self, id: id, priority: priority, action: action)
    }

    /// Calls an action after a render in which a value is another than in the one before.
    ///
    /// With `initial` it is also called when the view has been mounted.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View {
        ChangeView(wrapped: self, value: value, isInitial: initial) { _, _ in action() }
    }

    /// Calls an action with the value before and the new one, which at mounting are the same.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some View {
        ChangeView(wrapped: self, value: value, isInitial: initial, action: action)
    }

    /// Calls an action with the new value.
    @available(*, deprecated, message: "Use an action with two parameters or none.")
    public func onChange<Value: Equatable>(
        of value: Value, perform action: @escaping (_ newValue: Value) -> Void
    ) -> some View {
        ChangeView(wrapped: self, value: value, isInitial: false) { _, new in action(new) }
    }
}
