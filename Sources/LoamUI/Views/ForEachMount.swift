/// Tells rows of one identifier apart: the first has its own place, and so has the second.
struct RowKey<ID: Hashable>: Hashable {
    let id: ID
    let occurrence: Int
}

/// The places of rows.
class ForEachMount<Data: RandomAccessCollection, ID: Hashable, Content: View>: TypedMount<ForEach<Data, ID, Content>> {
    typealias Row = RowMount<Data.Element, Content>
    typealias Key = RowKey<ID>

    final private(set) var view: ForEach<Data, ID, Content>
    /// The rows that are mounted, and their order.
    final private(set) var rows: [Key: Row] = [:]
    final private(set) var order: [Key] = []
    private var environment: EnvironmentValues

    init(_ view: ForEach<Data, ID, Content>, under parent: Mount, _ environment: EnvironmentValues) {
        (self.view, self.environment) = (view, environment)
        super.init(under: parent)
    }

    override final var children: [Mount] { order.compactMap { rows[$0] } }

    final override func update(_ view: ForEach<Data, ID, Content>, _ environment: EnvironmentValues) {
        (self.view, self.environment) = (view, environment)
        viewHasChanged()
    }

    func viewHasChanged() {}

    final override func setEnvironment(_ environment: EnvironmentValues) {
        self.environment = environment
        super.setEnvironment(environment)
    }

    /// Mounts the rows of the elements at these positions, and no others.
    final func mountRows(at positions: Range<Int>) {
        var (shown, newOrder, counts) = ([:] as [Key: Row], [] as [Key], [:] as [ID: Int])
        var index = view.data.index(view.data.startIndex, offsetBy: positions.lowerBound)
        for position in positions {
            let element = view.data[index]
            view.data.formIndex(after: &index)
            let id = view.id(element)
            let occurrence = counts[id, default: 0]
            counts[id] = occurrence + 1
            if occurrence == 1 { host.report(.repeatedIdentifier("\(id)")) }
            let key = Key(id: id, occurrence: occurrence)
            newOrder.append(key)
            let row = row(at: key, element)
            row.position = position
            shown[key] = row
        }
        for key in order where shown[key] == nil { rows[key]?.unmount() }
        let isSame = newOrder == order
        (rows, order) = (shown, newOrder)
        if !isSame { noteStructure() }
    }

    private func row(at key: Key, _ element: Data.Element) -> Row {
        let input = RowInput(element: element, content: view.content)
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

extension ForEachMount: RowHolder {
    var elementCount: Int { view.data.count }
}

/// All rows.
final class CompleteForEachMount<Data: RandomAccessCollection, ID: Hashable, Content: View>:
    ForEachMount<Data, ID, Content>
{
    override init(_ view: ForEach<Data, ID, Content>, under parent: Mount, _ environment: EnvironmentValues) {
        super.init(view, under: parent, environment)
        viewHasChanged()
    }

    override func viewHasChanged() { mountRows(at: 0..<view.data.count) }
}

/// The rows that a container shows.
final class WindowedForEachMount<Data: RandomAccessCollection, ID: Hashable, Content: View>:
    ForEachMount<Data, ID, Content>, RowSegment
{
    private unowned let window: RowWindow
    private var mounted = 0..<0
    private var offset = 0
    /// Whether the mounted rows are of another view than there is.
    private var isBehind = true

    init(
        _ view: ForEach<Data, ID, Content>, of window: RowWindow, under parent: Mount,
        _ environment: EnvironmentValues
    ) {
        self.window = window
        super.init(view, under: parent, environment)
        window.noteChange()
    }

    override func viewHasChanged() {
        isBehind = true
        window.noteChange()
    }

    override func appendSegments(to segments: inout [any RowSegment]) { segments.append(self) }

    var rowCount: Int { view.data.count }

    var survivors: [Int] {
        isBehind ? view.positions(of: order.compactMap { rows[$0]?.element }) : Array(mounted)
    }

    override func rowPosition(of position: Int) -> Int? { offset + position }

    func show(_ rows: Range<Int>, from offset: Int) {
        self.offset = offset
        guard isBehind || rows != mounted else { return }
        (isBehind, mounted) = (false, rows)
        (view.data as? any RowLocating)?.expect(rows)
        mountRows(at: rows)
    }

    override func unmount() {
        super.unmount()
        window.noteChange()
    }
}
