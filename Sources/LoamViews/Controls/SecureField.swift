/// A line of text that nobody is to read. Node: `SecureField` with the number of characters, never the text, and the
/// actions `set` and `submit`.
public struct SecureField<LabelContent: View>: PrimitiveView {
    @Binding private var text: String
    private let prompt: Text?
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.submitActions) private var submit

    /// A field with a label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> LabelContent) {
        (_text, self.prompt, content) = (text, prompt, label())
    }

    /// `SecureField`.
    public var kind: NodeKind { "SecureField" }

    /// The number of characters, the prompt, and that it can be set.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .integer(text.count)
        if let prompt { node[.prompt] = .text(prompt.content) }
        node.act(.set) { [$text] value in
            guard let text = value?.text else { return false }
            $text.wrappedValue = text
            return true
        }
        node.act(.submit) { [submit] in submit(.text) }
        node.enable(isEnabled)
    }
}

extension SecureField where LabelContent == Text {
    /// A field with a title.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(titleKey) }
    }

    /// A field with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
}

/// Many lines of text to be edited. Node: `TextEditor` with the text, and the action `set`.
public struct TextEditor: PrimitiveView {
    @Binding private var text: String
    @Environment(\.isEnabled) private var isEnabled

    /// An editor of a text.
    public init(text: Binding<String>) { _text = text }

    /// `TextEditor`.
    public var kind: NodeKind { "TextEditor" }

    /// The text, and that it can be set.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(text)
        node.act(.set) { [$text] value in
            guard let text = value?.text else { return false }
            $text.wrappedValue = text
            return true
        }
        node.enable(isEnabled)
    }
}
