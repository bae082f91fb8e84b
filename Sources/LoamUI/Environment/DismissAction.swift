/// Closes what a view is shown in: a sheet, or a page of a stack. Call it as a function.
@MainActor public struct DismissAction {
    private let action: (@MainActor () -> Void)?

    /// An action of whoever shows the view; with nil it does nothing.
    public nonisolated init(_ action: (@MainActor () -> Void)? = nil) { self.action = action }

    /// Closes it; does nothing where there is nothing to close.
    public func callAsFunction() { action?() }
}

private struct DismissKey: EnvironmentKey {
    static var defaultValue: DismissAction { DismissAction() }
}

extension EnvironmentValues {
    /// Closes what the view is shown in.
    public var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}
