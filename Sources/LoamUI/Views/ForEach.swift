/// A view for each element of a collection, known by its identifier: it keeps its state where the element moves.
///
/// Each row is observed by itself: what changes in one element's object evaluates its row alone. Another collection
/// costs O(elements), and a row for each that is new or different; in a container that mounts the rows that are shown,
/// such as a list, O(rows shown), where the collection finds elements that it had before (results of queries do).
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    let data: Data
    let id: (Data.Element) -> ID
    let content: (Data.Element) -> Content

    /// Rows of elements, by what a key path of theirs leads to.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data, by: { $0[keyPath: id] }, content)
    }

    private init(
        _ data: Data, by id: @escaping (Data.Element) -> ID, _ content: @escaping (Data.Element) -> Content
    ) {
        // The body that makes the view hears of changes of a result, which is read when rows are mounted.
        _ = data.endIndex
        (self.data, self.id, self.content) = (data, id, content)
    }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    /// Rows of elements that have identifiers.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data, by: { $0.id }, content)
    }
}

extension ForEach where Data == Range<Int>, ID == Int {
    /// Rows of numbers.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data, by: { $0 }, content)
    }
}

extension ForEach: StructuralView {
    package func makeMount(under parent: Mount, _ environment: EnvironmentValues) -> TypedMount<Self> {
        guard let window = parent.innerWindow else { return CompleteForEachMount(self, under: parent, environment) }
        if Data.Element.self is any RowSection.Type {
            return SectionedForEachMount(self, of: window, under: parent, environment)
        }
        return WindowedForEachMount(self, of: window, under: parent, environment)
    }
}

/// A collection that finds an element that it, or one like it, had before, without a look at all elements.
@MainActor package protocol RowLocating {
    /// Where an element is now; nil where it is not there. O(log n).
    func position(ofRow element: Any) -> Int?
    /// Rows at these positions are about to be mounted.
    func expect(_ positions: Range<Int>)
}

/// A section of a result: an element of a `ForEach` whose own elements are rows.
@MainActor package protocol RowSection {
    /// The number of rows.
    var count: Int { get }
}

extension ForEach {
    func element(at position: Int) -> Data.Element { data[data.index(data.startIndex, offsetBy: position)] }

    /// Where those of these elements are that are still there, in the order of the elements. O(log n) for each where the
    /// collection finds elements, else O(n).
    func positions(of elements: [Data.Element]) -> [Int] {
        if elements.isEmpty { return [] }
        if let data = data as? any RowLocating { return elements.compactMap { data.position(ofRow: $0) } }
        let sought = Dictionary(zip(elements.map(id), elements.indices)) { first, _ in first }
        var found = [Int?](repeating: nil, count: elements.count)
        for (position, element) in data.enumerated() {
            if let index = sought[id(element)], found[index] == nil { found[index] = position }
        }
        return found.compactMap { $0 }
    }
}
