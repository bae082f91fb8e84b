/// What a button is for.
public enum ButtonRole: String, Hashable, Sendable {
    /// It deletes or loses something.
    case destructive
    /// It leaves all as it is.
    case cancel
}

/// Something to be pressed.
///
/// Node: `Button` with the action `press`, its label inside.
public struct Button<LabelContent: View>: PrimitiveView {
    private let role: ButtonRole?
    private let action: () -> Void
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.buttonDismissal) private var dismissal

    /// A button with a label and a role.
    public init(
        role: ButtonRole?, action: @escaping () -> Void, @ViewBuilder label: () -> LabelContent
    ) {
        (self.role, self.action, content) = (role, action, label())
    }

    /// A button with a label.
    public init(action: @escaping () -> Void, @ViewBuilder label: () -> LabelContent) {
        self.init(role: nil, action: action, label: label)
    }

    /// `Button`.
    public var kind: NodeKind { "Button" }

    /// Its role, and that it can be pressed.
    public func describe(_ node: inout NodeDescription) {
        if let role { node[.role] = .text(role.rawValue) }
        node.act(.press) { [action, dismissal] in
            action()
            dismissal?()
        }
        node.enable(isEnabled)
    }
}

extension Button where LabelContent == Text {
    /// A button with a title.
    public init(_ titleKey: LocalizedStringKey, action: @escaping () -> Void) {
        self.init(titleKey, role: nil, action: action)
    }

    /// A button with a title and a role.
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    /// A button with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, action: @escaping () -> Void) {
        self.init(title, role: nil, action: action)
    }

    /// A button with a title and a role.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, role: ButtonRole?, action: @escaping () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where LabelContent == Label<Text, Image> {
    /// A button with a title and an image.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(role: role, action: action) { Label(titleKey, systemImage: systemImage) }
    }

    /// A button with a title and an image.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, systemImage: String, role: ButtonRole? = nil, action: @escaping () -> Void
    ) {
        self.init(role: role, action: action) { Label(title, systemImage: systemImage) }
    }
}

/// Begins and ends the editing of rows: the environment's `editMode`.
///
/// Node: `EditButton` with the action `press`, where something around it keeps the mode.
public struct EditButton: PrimitiveView {
    @Environment(\.editMode) private var editMode
    @Environment(\.isEnabled) private var isEnabled

    /// A button for the editing of rows.
    public init() {}

    /// `EditButton`.
    public var kind: NodeKind { "EditButton" }

    /// What it does next: `Edit` or `Done`.
    public var content: Text { Text(editMode?.wrappedValue.isEditing == true ? "Done" : "Edit") }

    /// That it can be pressed.
    public func describe(_ node: inout NodeDescription) {
        node.act(.press) { [editMode] in
            guard let editMode else { return }
            editMode.wrappedValue = editMode.wrappedValue.isEditing ? .inactive : .active
        }
        node.enable(isEnabled && editMode != nil)
    }
}
