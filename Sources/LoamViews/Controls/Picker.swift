/// One of several options. Node: `Picker` with the action `select`; inside a `Title`, then the options.
///
/// An option has the value that `tag` gives it, or the identifier of its `ForEach` row.
public struct Picker<LabelContent: View, SelectionValue: Hashable, Options: View>: PrimitiveView {
    @Binding private var selection: SelectionValue
    private let label: LabelContent
    private let options: Options
    @Environment(\.isEnabled) private var isEnabled

    /// A picker with a label.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Options,
        @ViewBuilder label: () -> LabelContent
    ) {
        (_selection, options, self.label) = (selection, content(), label())
    }

    /// A picker with a label, by an older form.
    public init(selection: Binding<SelectionValue>, label: LabelContent, @ViewBuilder content: () -> Options) {
        (_selection, options, self.label) = (selection, content(), label)
    }

    /// `Picker`.
    public var kind: NodeKind { "Picker" }

    /// A `Title` with the label, then the options.
    public var content: some View {
        Part("Title") { label }
        options
    }

    /// What is chosen, and that another option can be.
    public func describe(_ node: inout NodeDescription) {
        node.choose(NodeSelection(one: $selection)) { [weak own = node.node] in own?.options ?? [] }
        node.enable(isEnabled)
    }
}

extension Picker where LabelContent == Text {
    /// A picker with a title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Options
    ) {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }

    /// A picker with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Options
    ) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

extension Picker where LabelContent == Label<Text, Image> {
    /// A picker with a title and an image.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Options
    ) {
        self.init(selection: selection, content: content) { Label(titleKey, systemImage: systemImage) }
    }
}

extension View {
    /// Gives the view a value that a picker or a list chooses it by.
    ///
    /// It serves a selection of the value's type and one of its optional, so `includeOptional` changes nothing.
    public func tag<Value: Hashable>(_ tag: Value, includeOptional: Bool = true) -> some View {
        ChangedNodes(wrapped: self) { if $0.tag == nil { $0.tag = AnyHashable(tag) } }
    }
}
