public import Foundation

/// A line of text to be edited. Node: `TextField` with the text, and the actions `set` and `submit`.
///
/// A field with a format sets its value when a text is one in the format; other texts do not fit.
public struct TextField<LabelContent: View>: PrimitiveView {
    private let text: FieldText
    private let prompt: Text?
    private let axis: Axis?
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.submitActions) private var submit

    init(_ text: FieldText, prompt: Text?, axis: Axis? = nil, label: LabelContent) {
        (self.text, self.prompt, self.axis, content) = (text, prompt, axis, label)
    }

    /// A field with a label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> LabelContent) {
        self.init(FieldText(text), prompt: prompt, label: label())
    }

    /// A field with a label that grows in a direction as its text does.
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> LabelContent) {
        self.init(FieldText(text), prompt: prompt, axis: axis, label: label())
    }

    /// A field with a label for a value as a format has it.
    public init<Format: ParseableFormatStyle>(
        value: Binding<Format.FormatInput>, format: Format, prompt: Text? = nil,
        @ViewBuilder label: () -> LabelContent
    ) where Format.FormatOutput == String {
        self.init(FieldText(value, format), prompt: prompt, label: label())
    }

    /// `TextField`.
    public var kind: NodeKind { "TextField" }

    /// The text, the prompt, and that it can be set.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(text.read())
        if let prompt { node[.prompt] = .text(prompt.content) }
        if let axis { node[.axis] = .text(axis == .vertical ? "vertical" : "horizontal") }
        node.act(.set) { [text] in $0?.text.map(text.write) ?? false }
        node.act(.submit) { [submit] in submit(.text) }
        node.enable(isEnabled)
    }
}

/// What a field shows and sets; setting returns whether the text fitted.
@MainActor struct FieldText {
    let read: () -> String
    let write: (String) -> Bool

    init(_ text: Binding<String>) {
        read = { text.wrappedValue }
        write = {
            text.wrappedValue = $0
            return true
        }
    }

    init<Format: ParseableFormatStyle>(_ value: Binding<Format.FormatInput>, _ format: Format)
    where Format.FormatOutput == String {
        read = { format.format(value.wrappedValue) }
        write = { text in
            guard let new = try? format.parseStrategy.parse(text) else { return false }
            value.wrappedValue = new
            return true
        }
    }

    init<Format: ParseableFormatStyle>(optional value: Binding<Format.FormatInput?>, _ format: Format)
    where Format.FormatOutput == String {
        read = { value.wrappedValue.map(format.format) ?? "" }
        write = { text in
            let new = try? format.parseStrategy.parse(text)
            guard new != nil || text.isEmpty else { return false }
            value.wrappedValue = new
            return true
        }
    }
}
