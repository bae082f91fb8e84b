/// Controls that a press shows. Node: `Menu`, inside a `Title`, then the controls, which a face shows and hides; the action
/// `press` where it does something of its own.
public struct Menu<LabelContent: View, Items: View>: PrimitiveView {
    private let label: LabelContent
    private let items: Items
    private let primaryAction: (() -> Void)?
    @Environment(\.isEnabled) private var isEnabled

    /// A menu with a label.
    public init(@ViewBuilder content: () -> Items, @ViewBuilder label: () -> LabelContent) {
        (items, self.label, primaryAction) = (content(), label(), nil)
    }

    /// A menu with a label that does something of its own when it is pressed.
    public init(
        @ViewBuilder content: () -> Items, @ViewBuilder label: () -> LabelContent,
        primaryAction: @escaping () -> Void
    ) {
        (items, self.label, self.primaryAction) = (content(), label(), primaryAction)
    }

    /// `Menu`.
    public var kind: NodeKind { "Menu" }

    /// A `Title` with the label, then the controls.
    public var content: some View {
        Part("Title") { label }
        items
    }

    /// What a press does.
    public func describe(_ node: inout NodeDescription) {
        if let primaryAction { node.act(.press) { primaryAction() } }
        node.enable(isEnabled)
    }
}

extension Menu where LabelContent == Text {
    /// A menu with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Items) {
        self.init(content: content) { Text(titleKey) }
    }

    /// A menu with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Items) {
        self.init(content: content) { Text(title) }
    }
}

extension Menu where LabelContent == Label<Text, Image> {
    /// A menu with a title and an image.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Items) {
        self.init(content: content) { Label(titleKey, systemImage: systemImage) }
    }

    /// A menu with a title and an image.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, systemImage: String, @ViewBuilder content: () -> Items) {
        self.init(content: content) { Label(title, systemImage: systemImage) }
    }
}
