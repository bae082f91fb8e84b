/// The place of a view that is made of others.
final class BodyMount<Content: View>: TypedMount<Content> {
    private var evaluation: Evaluation<Content>?
    private var child: TypedMount<Content.Body>?

    init(_ view: Content, under parent: Mount, _ environment: EnvironmentValues) {
        super.init(under: parent)
        let evaluation = Evaluation(view, of: self, environment)
        self.evaluation = evaluation
        child = mount(evaluation.read(for: self) { $0.body }, environment)
    }

    override var children: [Mount] { child.map { [$0] } ?? [] }

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
        let body = evaluation.read(for: self) { $0.body }
        child?.update(body, evaluation.environment)
    }

    override func unmount() {
        super.unmount()
        evaluation?.end()
        (evaluation, child) = (nil, nil)
    }
}
