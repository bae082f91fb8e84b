/// A row for each element and, where it is expanded, behind it those of its children.
struct OutlineRows<Data: RandomAccessCollection, Row: View>: View where Data.Element: Identifiable {
    let data: Data
    let children: KeyPath<Data.Element, Data?>
    let row: (Data.Element) -> Row

    var body: some View {
        ForEach(data) { OutlineRow(element: $0, children: children, row: row) }
    }
}

/// A row whose node can be expanded where its element has a collection of children, be it empty.
private struct OutlineRow<Data: RandomAccessCollection, Row: View>: View where Data.Element: Identifiable {
    let element: Data.Element
    let children: KeyPath<Data.Element, Data?>
    let row: (Data.Element) -> Row
    @State private var isExpanded = false
    @Environment(\.isEnabled) private var isEnabled

    init(element: Data.Element, children: KeyPath<Data.Element, Data?>, row: @escaping (Data.Element) -> Row) {
        (self.element, self.children, self.row) = (element, children, row)
    }

    var body: some View {
        if let inside = element[keyPath: children] {
            ChangedNodes(wrapped: row(element)) { [isExpanded, $isExpanded, isEnabled] node in
                node[.isExpanded] = .flag(isExpanded)
                if isEnabled { node.act(.toggle) { $isExpanded.wrappedValue.toggle() } }
            }
            if isExpanded { OutlineRows(data: inside, children: children, row: row) }
        } else {
            row(element)
        }
    }
}

extension List where SelectionValue == Never, Rows == AnyView {
    /// A row for each element, and behind a row that is expanded those of its children. The node of a row that has such
    /// has `isExpanded` and the action `toggle`; at first none is expanded. An element whose `children` are nil has none.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable {
        self.init { AnyView(OutlineRows(data: data, children: children, row: rowContent)) }
    }
}
