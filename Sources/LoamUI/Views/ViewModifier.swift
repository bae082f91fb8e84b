/// Makes another view of a view. It may have properties as a view has.
@MainActor @preconcurrency public protocol ViewModifier {
    /// What it makes.
    associatedtype Body: View
    /// The view that is modified.
    typealias Content = ModifiedPlace<Self>
    /// What is shown in the place of the view.
    @ViewBuilder func body(content: Content) -> Body
}

/// The view that a modifier is applied to, within the modifier's body.
public struct ModifiedPlace<Modifier>: View {
    let content: AnyView
}

extension ModifiedPlace: ChangingView, StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ChangingMount(self, under: parent, environment)
    }

    func update(_ place: ChangingPlace) { content.update(place) }
}

/// A view with a modifier.
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View {
    private let content: Content
    private let modifier: Modifier

    /// A view and its modifier.
    public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }

    /// What the modifier makes of the view.
    public var body: some View { ModifierView(content: AnyView(content), modifier: modifier) }
}

/// A modifier as a view, so that its properties are found as those of a view are.
private struct ModifierView<Modifier: ViewModifier>: View {
    let content: AnyView
    var modifier: ModifierProperty<Modifier>

    init(content: AnyView, modifier: Modifier) {
        (self.content, self.modifier) = (content, ModifierProperty(modifier: modifier))
    }

    var body: Modifier.Body { modifier.modifier.body(content: ModifiedPlace(content: content)) }
}

private struct ModifierProperty<Modifier: ViewModifier>: InnerProperties {
    var modifier: Modifier
}

extension View {
    /// Applies a modifier.
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
