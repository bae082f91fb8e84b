/// A view for each element of a collection, known by its identifier: it keeps its state where the element moves.
///
/// Each row is observed by itself: what changes in one element's object evaluates its row alone. Another collection
/// costs O(elements), and a row for each that is new or different.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    let data: Data
    let id: (Data.Element) -> ID
    let content: (Data.Element) -> Content

    /// Rows of elements, by what a key path of theirs leads to.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        (self.data, self.id, self.content) = (data, { $0[keyPath: id] }, content)
    }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    /// Rows of elements that have identifiers.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        (self.data, id, self.content) = (data, { $0.id }, content)
    }
}

extension ForEach where Data == Range<Int>, ID == Int {
    /// Rows of numbers.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        (self.data, id, self.content) = (data, { $0 }, content)
    }
}

extension ForEach: StructuralView {
    func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        ForEachMount(self, under: parent, environment)
    }
}

/// Tells rows of one identifier apart: the first has its own place, and so has the second.
private struct RowKey<ID: Hashable>: Hashable {
    let id: ID
    let occurrence: Int
}

/// The places of rows.
private final class ForEachMount<Data: RandomAccessCollection, ID: Hashable, Content: View>:
    TypedMount<ForEach<Data, ID, Content>>
{
    private typealias Row = RowMount<Data.Element, Content>

    private var rows: [RowKey<ID>: Row] = [:]
    private var order: [RowKey<ID>] = []
    private var environment: EnvironmentValues

    init(_ view: ForEach<Data, ID, Content>, under parent: Mount, _ environment: EnvironmentValues) {
        self.environment = environment
        super.init(under: parent)
        show(view)
    }

    override var children: [Mount] { order.compactMap { rows[$0] } }

    override func update(_ view: ForEach<Data, ID, Content>, _ environment: EnvironmentValues) {
        self.environment = environment
        show(view)
    }

    override func setEnvironment(_ environment: EnvironmentValues) {
        self.environment = environment
        super.setEnvironment(environment)
    }

    private func show(_ view: ForEach<Data, ID, Content>) {
        var (shown, newOrder, counts) = ([:] as [RowKey<ID>: Row], [] as [RowKey<ID>], [:] as [ID: Int])
        for element in view.data {
            let id = view.id(element)
            let occurrence = counts[id, default: 0]
            counts[id] = occurrence + 1
            if occurrence == 1 { host.report(.repeatedIdentifier("\(id)")) }
            let key = RowKey(id: id, occurrence: occurrence)
            newOrder.append(key)
            shown[key] = row(at: key, element, view.content)
        }
        for (key, row) in rows where shown[key] == nil { row.unmount() }
        let isSame = newOrder == order
        (rows, order) = (shown, newOrder)
        if !isSame { noteStructure() }
    }

    private func row(
        at key: RowKey<ID>, _ element: Data.Element, _ content: @escaping (Data.Element) -> Content
    ) -> Row {
        let input = RowInput(element: element, content: content)
        if let row = rows[key] {
            row.update(input, environment)
            return row
        }
        return RowMount(input, id: AnyHashable(key.id), under: self, environment)
    }

    override func unmount() {
        super.unmount()
        (rows, order) = ([:], [])
    }
}

private struct RowInput<Element, Content: View> {
    let element: Element
    let content: (Element) -> Content
}

/// The place of a row.
private final class RowMount<Element, Content: View>: Mount {
    private var input: RowInput<Element, Content>?
    private var environment: EnvironmentValues
    private let reader = Reader()
    private let id: AnyHashable
    private var child: TypedMount<Content>?

    init(
        _ input: RowInput<Element, Content>, id: AnyHashable, under parent: Mount, _ environment: EnvironmentValues
    ) {
        (self.input, self.id, self.environment) = (input, id, environment)
        super.init(under: parent)
        child = mount(content(of: input), environment)
    }

    override var children: [Mount] { child.map { [$0] } ?? [] }
    override var explicitID: AnyHashable? { id }

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
