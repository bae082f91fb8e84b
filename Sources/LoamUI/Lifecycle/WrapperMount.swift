/// A view around another that has no appearance of its own: it changes the environment, adds to nodes, or follows the
/// life of the view.
@MainActor package protocol WrappingView: StructuralView {
    associatedtype Wrapped: View
    var wrapped: Wrapped { get }
    /// What the view inside is given.
    func environment(_ environment: EnvironmentValues) -> EnvironmentValues
    /// What is added to the nodes right inside.
    func modify(_ node: inout NodeDescription)
    /// Whether that is something else than what the view said before in whose place this one is.
    func isModifying(otherwiseThan previous: Self) -> Bool
    /// The view has been mounted, or made anew after the one before.
    func follow(_ previous: Self?, in mount: WrapperMount<Self>)
    func end(in mount: WrapperMount<Self>)
}

extension WrappingView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        WrapperMount(self, under: parent, environment)
    }

    package func environment(_ environment: EnvironmentValues) -> EnvironmentValues { environment }
    package func modify(_ node: inout NodeDescription) {}
    package func isModifying(otherwiseThan previous: Self) -> Bool { false }
    package func follow(_ previous: Self?, in mount: WrapperMount<Self>) {}
    package func end(in mount: WrapperMount<Self>) {}
}

/// The place of such a view.
package final class WrapperMount<Content: WrappingView>: TypedMount<Content> {
    private(set) var view: Content?
    private var outer: EnvironmentValues
    private var inner: EnvironmentValues
    private var child: TypedMount<Content.Wrapped>?
    /// What runs as long as the view is there.
    var task: Task<Void, Never>?

    init(_ view: Content, under parent: Mount, _ environment: EnvironmentValues) {
        self.view = view
        outer = environment
        inner = view.environment(environment)
        super.init(under: parent)
        child = mount(view.wrapped, inner)
        view.follow(nil, in: self)
    }

    package override var children: [Mount] { child.map { [$0] } ?? [] }

    package override func modify(_ node: inout NodeDescription) { view?.modify(&node) }

    package override func update(_ view: Content, _ environment: EnvironmentValues) {
        let previous = self.view
        self.view = view
        take(environment, of: view)
        child?.update(view.wrapped, inner)
        if let previous, view.isModifying(otherwiseThan: previous) { noteModifiers() }
        view.follow(previous, in: self)
    }

    package override func setEnvironment(_ environment: EnvironmentValues) {
        guard let view else { return }
        take(environment, of: view)
        child?.setEnvironment(inner)
    }

    /// Keeps the values that were there where they are equal: then nobody inside is asked.
    private func take(_ environment: EnvironmentValues, of view: Content) {
        outer = environment
        let new = view.environment(environment)
        if !inner.agrees(with: new) { inner = new }
    }

    package override func unmount() {
        guard isMounted else { return }
        super.unmount()
        view?.end(in: self)
        task?.cancel()
        (view, child, task) = (nil, nil, nil)
    }
}
