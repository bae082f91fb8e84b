public import Foundation

/// A view with a label. Node: `LabeledContent`; inside a `Title`, then the view.
public struct LabeledContent<LabelContent: View, Value: View>: PrimitiveView {
    private let label: LabelContent
    private let value: Value

    /// A view with a label.
    public init(@ViewBuilder content: () -> Value, @ViewBuilder label: () -> LabelContent) {
        (value, self.label) = (content(), label())
    }

    /// `LabeledContent`.
    public var kind: NodeKind { "LabeledContent" }

    /// A `Title` with the label, then the view.
    public var content: some View {
        Part("Title") { label }
        value
    }
}

extension LabeledContent where LabelContent == Text {
    /// A view with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Value) {
        self.init(content: content) { Text(titleKey) }
    }

    /// A view with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Value) {
        self.init(content: content) { Text(title) }
    }
}

extension LabeledContent where LabelContent == Text, Value == Text {
    /// A text with a title.
    public init<Content: StringProtocol>(_ titleKey: LocalizedStringKey, value: Content) {
        self.init {
            Text(value)
        } label: {
            Text(titleKey)
        }
    }

    /// A text with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol, Content: StringProtocol>(_ title: Title, value: Content) {
        self.init {
            Text(value)
        } label: {
            Text(title)
        }
    }

    /// A value as a format has it, with a title.
    public init<Format: FormatStyle>(_ titleKey: LocalizedStringKey, value: Format.FormatInput, format: Format)
    where Format.FormatInput: Equatable, Format.FormatOutput == String {
        self.init {
            Text(value, format: format)
        } label: {
            Text(titleKey)
        }
    }

    /// A value as a format has it, with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol, Format: FormatStyle>(
        _ title: Title, value: Format.FormatInput, format: Format
    ) where Format.FormatInput: Equatable, Format.FormatOutput == String {
        self.init {
            Text(value, format: format)
        } label: {
            Text(title)
        }
    }
}
