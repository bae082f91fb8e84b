/// What a submitted text leads to.
struct SubmitActions {
    var actions: [(triggers: SubmitTriggers, action: () -> Void)] = []

    @MainActor func callAsFunction(_ trigger: SubmitTriggers) {
        for (triggers, action) in actions where triggers.contains(trigger) { action() }
    }
}

/// What is submitted.
public struct SubmitTriggers: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Triggers by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A text field.
    public static let text = SubmitTriggers(rawValue: 1)
    /// A search field.
    public static let search = SubmitTriggers(rawValue: 2)
}

/// Whether rows are being edited.
public enum EditMode: Hashable, Sendable {
    /// They are not.
    case inactive
    /// They are for as long as something is done with one.
    case transient
    /// They are.
    case active

    /// Whether it is any but ``inactive``.
    public var isEditing: Bool { self != .inactive }
}

private struct IsEnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
}

private struct EditModeKey: EnvironmentKey {
    static var defaultValue: Binding<EditMode>? { nil }
}

private struct SubmitKey: EnvironmentKey {
    static var defaultValue: SubmitActions { SubmitActions() }
}

private struct ButtonDismissalKey: EnvironmentKey {
    static var defaultValue: DismissAction? { nil }
}

private struct ListSelectionKey: EnvironmentKey {
    static var defaultValue: ListSelection? { nil }
}

/// The selection of the list around a view.
@MainActor final class ListSelection {
    var selection: NodeSelection?
}

extension EnvironmentValues {
    /// Whether nodes have their actions: false inside of `disabled(true)`.
    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }

    /// Whether rows are being edited; nil outside of a navigation view that keeps it.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }

    var submitActions: SubmitActions {
        get { self[SubmitKey.self] }
        set { self[SubmitKey.self] = newValue }
    }

    /// What a button in an alert or a dialog does at last.
    var buttonDismissal: DismissAction? {
        get { self[ButtonDismissalKey.self] }
        set { self[ButtonDismissalKey.self] = newValue }
    }

    var listSelection: ListSelection? {
        get { self[ListSelectionKey.self] }
        set { self[ListSelectionKey.self] = newValue }
    }
}
