/// How a view comes and how it goes, in a render that is shown over time.
public struct AnyTransition: Hashable, Sendable {
    /// What is seen on the way in, and on the way out; nothing for a view that is there at once.
    private let insertion: [String]
    private let removal: [String]

    private init(_ insertion: [String], removal: [String]) { (self.insertion, self.removal) = (insertion, removal) }

    private init(_ both: String) { self.init([both], removal: [both]) }

    /// At once.
    public static let identity = AnyTransition([], removal: [])
    /// From and to what cannot be seen.
    public static let opacity = AnyTransition("opacity")
    /// From and to nothing in size.
    public static let scale = AnyTransition.scale(scale: 0)
    /// From the leading edge, and to the trailing one.
    public static let slide = AnyTransition.asymmetric(
        insertion: .move(edge: .leading), removal: .move(edge: .trailing))

    /// From and to a part of its size.
    public static func scale(scale: Double) -> AnyTransition { AnyTransition("scale \(scale)") }

    /// From and to an edge.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition("move \(edge.name)") }

    /// From and to so much further to the right and below, in points.
    public static func offset(x: Double = 0, y: Double = 0) -> AnyTransition { AnyTransition("offset \(x) \(y)") }

    /// From an edge, and to the one across, while it becomes seen and unseen.
    public static func push(from edge: Edge) -> AnyTransition {
        asymmetric(
            insertion: move(edge: edge).combined(with: .opacity),
            removal: move(edge: edge.opposite).combined(with: .opacity))
    }

    /// In as one says, and out as another.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        AnyTransition(insertion.insertion, removal: removal.removal)
    }

    /// As both say, at the same time.
    public func combined(with other: AnyTransition) -> AnyTransition {
        AnyTransition(insertion + other.insertion, removal: removal + other.removal)
    }

    fileprivate var attributes: [NodeAttribute: NodeValue] {
        func text(_ steps: [String]) -> NodeValue {
            .text(steps.isEmpty ? "identity" : steps.joined(separator: ", "))
        }
        guard insertion != removal else { return [.transition: text(insertion)] }
        return [.transition: text(insertion), .removalTransition: text(removal)]
    }
}

extension Edge {
    fileprivate var name: String {
        switch self {
        case .top: "top"
        case .leading: "leading"
        case .bottom: "bottom"
        case .trailing: "trailing"
        }
    }

    fileprivate var opposite: Edge {
        switch self {
        case .top: .bottom
        case .leading: .trailing
        case .bottom: .top
        case .trailing: .leading
        }
    }
}

extension View {
    /// How the view comes and goes where others change what is shown, over time.
    public func transition(_ transition: AnyTransition) -> some View { attributes(transition.attributes) }
}
