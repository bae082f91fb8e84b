/// An entry of a rotor: where it leads, by the identifier that `accessibilityRotorEntry(id:in:)` gives a view. Node:
/// `AccessibilityRotorEntry` with its label, and the action `press`, where it does something before.
public struct AccessibilityRotorEntry<ID: Hashable>: PrimitiveView {
    private let label: Text
    private let registration: (id: ID, namespace: Namespace.ID?)
    private let prepare: (() -> Void)?

    /// An entry for a view in a namespace.
    public init(_ label: Text, _ id: ID, in namespace: Namespace.ID, prepare: @escaping () -> Void = {}) {
        (self.label, registration, self.prepare) = (label, (id, namespace), prepare)
    }

    /// An entry for a view in a namespace.
    public init(
        _ labelKey: LocalizedStringKey, _ id: ID, in namespace: Namespace.ID, prepare: @escaping () -> Void = {}
    ) {
        self.init(Text(labelKey), id, in: namespace, prepare: prepare)
    }

    /// An entry for a view in a namespace.
    @_disfavoredOverload public init<Label: StringProtocol>(
        _ label: Label, _ id: ID, in namespace: Namespace.ID, prepare: @escaping () -> Void = {}
    ) {
        self.init(Text(label), id, in: namespace, prepare: prepare)
    }

    /// An entry for a view by its identifier.
    public init(_ label: Text, id: ID, prepare: @escaping () -> Void = {}) {
        (self.label, registration, self.prepare) = (label, (id, nil), prepare)
    }

    /// `AccessibilityRotorEntry`.
    public var kind: NodeKind { "AccessibilityRotorEntry" }

    /// The label, and where it leads.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(label.content)
        if let prepare { node.act(.press) { prepare() } }
        guard let namespace = registration.namespace else { return }
        node.registrations.append(
            NodeRegistration(
                role: "rotorTarget", namespace: namespace.number, id: AnyHashable(registration.id), isSource: false))
    }
}

extension View {
    /// Gives the view a rotor of entries. Node: `AccessibilityRotor` with its name, behind the view.
    public func accessibilityRotor<Content: View>(
        _ label: Text, @ViewBuilder entries: () -> Content
    ) -> some View {
        Attached(
            content: self,
            attachment: Elsewhere("AccessibilityRotor") {
                $0.nodeValue = .text(label.content)
            } content: {
                entries()
            })
    }

    /// Gives the view a rotor of entries. Node: `AccessibilityRotor` with its name, behind the view.
    public func accessibilityRotor<Content: View>(
        _ labelKey: LocalizedStringKey, @ViewBuilder entries: () -> Content
    ) -> some View {
        accessibilityRotor(Text(labelKey), entries: entries)
    }

    /// Gives the view a rotor of entries. Node: `AccessibilityRotor` with its name, behind the view.
    @_disfavoredOverload public func accessibilityRotor<Label: StringProtocol, Content: View>(
        _ label: Label, @ViewBuilder entries: () -> Content
    ) -> some View {
        accessibilityRotor(Text(label), entries: entries)
    }
}
