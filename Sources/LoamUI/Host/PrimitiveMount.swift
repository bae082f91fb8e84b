/// The place of a view that is a node.
final class PrimitiveMount<Content: PrimitiveView>: TypedMount<Content> {
    private var evaluation: Evaluation<Content>?
    private var child: TypedMount<Content.Content>?
    private var own: ViewNode?
    private var described = NodeDescription()
    private var isDescribed = false

    init(_ view: Content, under parent: Mount, _ environment: EnvironmentValues) {
        super.init(under: parent)
        let evaluation = Evaluation(view, of: self, environment)
        self.evaluation = evaluation
        own = ViewNode(
            view.kind, of: self, rows: Content.rowMounting == .shown ? RowWindow(of: self) : nil)
        let content = describe(evaluation)
        describeNodes()
        child = mount(content, environment)
    }

    override var children: [Mount] { child.map { [$0] } ?? [] }
    override var node: ViewNode? { own }

    override var innerWindow: RowWindow? {
        switch Content.rowMounting {
        case .all: nil
        case .shown: own?.rows
        case .inherited: parent?.innerWindow
        }
    }

    override func appendSegments(to segments: inout [any RowSegment]) {
        if Content.rowMounting == .inherited { super.appendSegments(to: &segments) }
    }

    override func appendNodes(to nodes: inout [ViewNode]) { if let own { nodes.append(own) } }

    private func describe(_ evaluation: Evaluation<Content>) -> Content.Content {
        var description = NodeDescription()
        description.node = own
        let content = evaluation.read(for: self) { view in
            view.describe(&description)
            return view.content
        }
        described = description
        return content
    }

    /// Adds what the modifiers around the node say, up to the node around them.
    override func describeNodes() {
        guard let own else { return }
        var (description, place, explicitID) = (described, parent, nil as AnyHashable?)
        while let mount = place, mount.node == nil {
            if !description.isElsewhere { mount.modify(&description) }
            if explicitID == nil { explicitID = mount.explicitID }
            place = mount.parent
        }
        let isSame = isDescribed && own.explicitID == explicitID && own.description.shows(sameAs: description)
        isDescribed = true
        host.register(description.registrations, of: own)
        (own.description, own.explicitID) = (description, explicitID)
        if !isSame { host.note(changed: own) }
    }

    override func update(_ view: Content, _ environment: EnvironmentValues) {
        guard let evaluation else { return }
        let old = evaluation.environment
        if evaluation.update(view, of: self, environment) {
            render()
        } else if !old.agrees(with: environment) {
            child?.setEnvironment(environment)
        }
    }

    override func setEnvironment(_ environment: EnvironmentValues) {
        guard let evaluation else { return }
        if evaluation.update(environment, of: self) { render() } else { child?.setEnvironment(environment) }
    }

    override func evaluate() {
        guard isMounted, let evaluation, evaluation.isStale else { return }
        evaluation.refresh(of: self)
        render()
    }

    private func render() {
        guard let evaluation else { return }
        let content = describe(evaluation)
        describeNodes()
        child?.update(content, evaluation.environment)
    }

    override func unmount() {
        super.unmount()
        evaluation?.end()
        own.map(host.note(removed:))
        own?.end()
        (evaluation, child) = (nil, nil)
    }
}
