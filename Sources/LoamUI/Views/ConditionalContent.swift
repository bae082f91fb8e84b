/// One of two views, by a condition. The other keeps no state.
public struct ConditionalContent<First: View, Second: View>: View {
    enum Choice {
        case first(First)
        case second(Second)
    }

    let choice: Choice

    init(_ choice: Choice) { self.choice = choice }
}

extension ConditionalContent: StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ChangingMount(self, under: parent, environment)
    }
}

extension ConditionalContent: ChangingView {
    func update(_ place: ChangingPlace) {
        switch choice {
        case .first(let view): place.show(view, as: 1)
        case .second(let view): place.show(view, as: 2)
        }
    }
}

extension Optional: View where Wrapped: View {
    /// There is none to ask for.
    public typealias Body = Never
}

extension Optional: StructuralView where Wrapped: View {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ChangingMount(self, under: parent, environment)
    }
}

extension Optional: ChangingView where Wrapped: View {
    func update(_ place: ChangingPlace) {
        if let self { place.show(self, as: 1) } else { place.clear() }
    }
}

/// A view of any type. Another type at the same place begins anew.
public struct AnyView: View {
    private let show: @MainActor (ChangingPlace) -> Void

    /// A view without its type.
    public init<Content: View>(_ view: Content) {
        show = { $0.show(view, as: ObjectIdentifier(Content.self)) }
    }

    /// A view without its type.
    public init<Content: View>(erasing view: Content) { self.init(view) }
}

extension AnyView: ChangingView, StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ChangingMount(self, under: parent, environment)
    }

    func update(_ place: ChangingPlace) { show(place) }
}

/// A view in whose place are different ones in turn.
protocol ChangingView: View {
    func update(_ place: ChangingPlace)
}

/// Where different views are in turn: each kind begins anew.
@MainActor final class ChangingPlace {
    private(set) var child: Mount?
    private unowned let owner: Mount
    private var kind: AnyHashable?
    var environment: EnvironmentValues
    /// The identifier that the place gives what is inside.
    private(set) var explicitID: AnyHashable?
    private let isIdentifying: Bool

    init(of owner: Mount, _ environment: EnvironmentValues, isIdentifying: Bool = false) {
        (self.owner, self.environment, self.isIdentifying) = (owner, environment, isIdentifying)
    }

    func show<Content: View>(_ view: Content, as kind: AnyHashable) {
        if let child = child as? TypedMount<Content>, self.kind == kind { return child.update(view, environment) }
        child?.unmount()
        self.kind = kind
        if isIdentifying { explicitID = kind }
        child = owner.mount(view, environment)
        owner.noteStructure()
    }

    func clear() {
        guard let child else { return }
        child.unmount()
        (self.child, kind) = (nil, nil)
        owner.noteStructure()
    }
}

/// The place of a view in whose place are different ones in turn.
final class ChangingMount<Content: ChangingView>: TypedMount<Content> {
    private var place: ChangingPlace?

    init(_ view: Content, under parent: Mount, _ environment: EnvironmentValues, isIdentifying: Bool = false) {
        super.init(under: parent)
        let place = ChangingPlace(of: self, environment, isIdentifying: isIdentifying)
        self.place = place
        view.update(place)
    }

    override var children: [Mount] { place?.child.map { [$0] } ?? [] }
    override var explicitID: AnyHashable? { place?.explicitID }

    override func update(_ view: Content, _ environment: EnvironmentValues) {
        guard let place else { return }
        place.environment = environment
        view.update(place)
    }

    override func setEnvironment(_ environment: EnvironmentValues) {
        place?.environment = environment
        super.setEnvironment(environment)
    }

    override func unmount() {
        super.unmount()
        place = nil
    }
}

/// A view by an identifier: with another one it begins anew.
public struct IdentifiedView<Content: View, ID: Hashable>: View {
    let content: Content
    let id: ID
}

extension IdentifiedView: ChangingView, StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ChangingMount(self, under: parent, environment, isIdentifying: true)
    }

    func update(_ place: ChangingPlace) { place.show(content, as: AnyHashable(id)) }
}

extension View {
    /// Gives the view an identifier: where it becomes another, the view begins anew, without its state.
    public func id<ID: Hashable>(_ id: ID) -> some View { IdentifiedView(content: self, id: id) }
}
