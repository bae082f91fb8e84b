/// A switch. Node: `Toggle` with a flag, and the actions `set` and `toggle`.
public struct Toggle<LabelContent: View>: PrimitiveView {
    @Binding private var isOn: Bool
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled

    /// A switch with a label.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> LabelContent) { (_isOn, content) = (isOn, label()) }

    /// `Toggle`.
    public var kind: NodeKind { "Toggle" }

    /// The flag, and that it can be switched.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .flag(isOn)
        node.act(.set) { [$isOn] value in
            guard let flag = value?.flag else { return false }
            $isOn.wrappedValue = flag
            return true
        }
        node.act(.toggle) { [$isOn] in $isOn.wrappedValue.toggle() }
        node.enable(isEnabled)
    }
}

extension Toggle where LabelContent == Text {
    /// A switch with a title.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }

    /// A switch with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle where LabelContent == Label<Text, Image> {
    /// A switch with a title and an image.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Label(titleKey, systemImage: systemImage) }
    }
}
