struct RowInput<Element, Content: View> {
    let element: Element
    let content: (Element) -> Content
}

/// Has rows, mounted or not.
@MainActor protocol RowHolder {
    /// The number of elements that there are rows of.
    var elementCount: Int { get }
}

/// The place of a row.
final class RowMount<Element, Content: View>: Mount {
    private var input: RowInput<Element, Content>?
    private var environment: EnvironmentValues
    private let reader = Reader()
    private let id: AnyHashable
    private var child: TypedMount<Content>?
    /// Where the element stands in the data.
    var position = 0

    init(
        _ input: RowInput<Element, Content>, id: AnyHashable, under parent: Mount, _ environment: EnvironmentValues
    ) {
        (self.input, self.id, self.environment) = (input, id, environment)
        super.init(under: parent)
        child = mount(content(of: input), environment)
    }

    /// What the row is of; nil once it is removed.
    var element: Element? { input?.element }

    override var children: [Mount] { child.map { [$0] } ?? [] }
    override var explicitID: AnyHashable? { id }

    override func modify(_ node: inout NodeDescription) {
        node.rowPlace = { [weak self] in
            guard let self, self.isMounted, let rows = self.parent as? any RowHolder else { return nil }
            return (self.position, rows.elementCount)
        }
    }
    override var innerWindow: RowWindow? { parent?.windowOfRows }
    override var rowPosition: Int? { parent?.rowPosition(of: position) }

    private func content(of input: RowInput<Element, Content>) -> Content {
        host.noteEvaluation(of: RowInput<Element, Content>.self)
        return reader.read(for: self) { input.content(input.element) }
    }

    func update(_ input: RowInput<Element, Content>, _ environment: EnvironmentValues) {
        let isSame = self.input.map { FieldComparison.areEqual($0, input) } ?? false
        let isSameEnvironment = self.environment.agrees(with: environment)
        (self.input, self.environment) = (input, environment)
        if !isSame || reader.isStale {
            child?.update(content(of: input), environment)
        } else if !isSameEnvironment {
            child?.setEnvironment(environment)
        }
    }

    override func setEnvironment(_ environment: EnvironmentValues) {
        self.environment = environment
        super.setEnvironment(environment)
    }

    override func evaluate() {
        guard let input, reader.isStale else { return }
        child?.update(content(of: input), environment)
    }

    override func unmount() {
        super.unmount()
        reader.end()
        (input, child) = (nil, nil)
    }
}
