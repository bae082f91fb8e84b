/// Rows. Node: `List`; its children are rows, and sections with rows.
///
/// Where it has a selection, the action `select` chooses rows by the ids of their nodes. What a row is chosen by is its tag,
/// else the identifier of its element.
///
/// It mounts the rows that are shown, of each `ForEach` inside: at first `ViewNode.initialRows`, then those that the face
/// asks for by `show(rows:)`.
public struct List<SelectionValue: Hashable, Rows: View>: PrimitiveView {
    private let selection: (() -> NodeSelection)?
    private let rows: Rows
    @State private var listSelection = ListSelection()
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.editMode) private var editMode

    private init(_ selection: (() -> NodeSelection)?, _ rows: Rows) {
        (self.selection, self.rows) = (selection, rows)
    }

    /// Rows of which one may be chosen.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Rows) {
        var chosen: (() -> NodeSelection)?
        if let selection { chosen = { NodeSelection(optional: selection) } }
        self.init(chosen, content())
    }

    /// Rows of which several may be chosen.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Rows) {
        var chosen: (() -> NodeSelection)?
        if let selection { chosen = { NodeSelection(set: selection) } }
        self.init(chosen, content())
    }

    /// Rows of which one is chosen.
    public init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Rows) {
        self.init({ NodeSelection(one: selection) }, content())
    }

    /// Those that are shown.
    public static var rowMounting: RowMounting { .shown }

    /// `List`.
    public var kind: NodeKind { "List" }

    /// The rows.
    public var content: some View {
        rows.environment(\.listSelection, selection == nil ? nil : listSelection)
    }

    /// What is chosen, and whether the rows are edited.
    public func describe(_ node: inout NodeDescription) {
        listSelection.selection = selection?()
        if let selection = listSelection.selection {
            node.choose(selection) { [weak own = node.node] in own?.rows ?? [] }
        }
        if editMode?.wrappedValue.isEditing == true { node[.isEditing] = .flag(true) }
        node.enable(isEnabled)
    }
}

extension List where SelectionValue == Never {
    /// Rows.
    public init(@ViewBuilder content: () -> Rows) { self.init(nil, content()) }

    /// A row for each element.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable, Rows == ForEach<Data, Data.Element.ID, Row> {
        self.init(nil, ForEach(data, content: rowContent))
    }

    /// A row for each element, by an identifier of it.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Rows == ForEach<Data, ID, Row> {
        self.init(nil, ForEach(data, id: id, content: rowContent))
    }

    /// A row for each number.
    public init<Row: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> Row)
    where Rows == ForEach<Range<Int>, Int, Row> {
        self.init(nil, ForEach(data, content: rowContent))
    }
}

extension List {
    /// A row for each element, of which one may be chosen.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable, Rows == ForEach<Data, Data.Element.ID, Row> {
        self.init(selection: selection) { ForEach(data, content: rowContent) }
    }

    /// A row for each element, of which several may be chosen.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable, Rows == ForEach<Data, Data.Element.ID, Row> {
        self.init(selection: selection) { ForEach(data, content: rowContent) }
    }

    /// A row for each element, by an identifier of it, of which one may be chosen.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Rows == ForEach<Data, ID, Row> {
        self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
    }

    /// A row for each element, by an identifier of it, of which several may be chosen.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Rows == ForEach<Data, ID, Row> {
        self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
    }
}
