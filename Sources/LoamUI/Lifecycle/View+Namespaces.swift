/// What of a view's geometry others take.
public struct MatchedGeometryProperties: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Properties by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Where the view is.
    public static let position = MatchedGeometryProperties(rawValue: 1)
    /// How large it is.
    public static let size = MatchedGeometryProperties(rawValue: 2)
    /// Both.
    public static let frame: MatchedGeometryProperties = [.position, .size]
}

/// A view whose nodes stand for an identifier in a namespace.
private struct RegisteredView<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    let registration: NodeRegistration
    var attribute: (name: String, value: Any)?

    func isModifying(otherwiseThan previous: Self) -> Bool { true }

    func modify(_ node: inout NodeDescription) {
        node.registrations.append(registration)
        if let attribute { node.attributes[attribute.name] = attribute.value }
    }
}

extension View {
    /// Says that views of one identifier in one namespace share their geometry. One of them should be the source: with
    /// several, the host warns (``HostWarning/severalSources(namespace:id:)``).
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame, isSource: Bool = true
    ) -> some View {
        RegisteredView(
            wrapped: self,
            registration: NodeRegistration(
                role: "matchedGeometry", namespace: namespace.number, id: AnyHashable(id), isSource: isSource),
            attribute: ("matchedGeometryProperties", properties))
    }

    /// Says whether the view has the focus first in a namespace.
    public func prefersDefaultFocus(_ prefersDefaultFocus: Bool = true, in namespace: Namespace.ID) -> some View {
        RegisteredView(
            wrapped: self,
            registration: NodeRegistration(
                role: "defaultFocus", namespace: namespace.number, id: nil, isSource: prefersDefaultFocus))
    }

    /// Says that a namespace is for the focus inside this view.
    public func focusScope(_ namespace: Namespace.ID) -> some View {
        RegisteredView(
            wrapped: self,
            registration: NodeRegistration(
                role: "focusScope", namespace: namespace.number, id: nil, isSource: false))
    }

    /// Says that a rotor's entry of this identifier leads to the view. One view may be in several namespaces.
    public func accessibilityRotorEntry<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View {
        RegisteredView(
            wrapped: self,
            registration: NodeRegistration(
                role: "rotorEntry", namespace: namespace.number, id: AnyHashable(id), isSource: true))
    }
}
