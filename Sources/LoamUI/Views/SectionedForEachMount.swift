/// The sections of a result of which a container shows rows.
///
/// A section that was never mounted counts as many rows as it has models. Once it is mounted its rows are counted; where
/// they are others than its models, as those of a section that is closed, the count is kept for when it is not mounted.
final class SectionedForEachMount<Data: RandomAccessCollection, ID: Hashable, Content: View>:
    ForEachMount<Data, ID, Content>, RowSegment
{
    private unowned let window: RowWindow
    private var isBehind = true
    private var mounted = 0..<0
    /// The rows of the sections in the data; nil where they have to be counted.
    private var known: [Int]?
    /// The rows of sections that have others than their models.
    private var counted: [ID: Int] = [:]
    /// The sections whose rows are laid out.
    private var laidOut: Set<Key> = []

    init(
        _ view: ForEach<Data, ID, Content>, of window: RowWindow, under parent: Mount,
        _ environment: EnvironmentValues
    ) {
        self.window = window
        super.init(view, under: parent, environment)
        window.noteChange()
    }

    override func viewHasChanged() {
        (isBehind, known) = (true, nil)
        window.noteChange()
    }

    override var windowOfRows: RowWindow? { window }
    override func appendSegments(to segments: inout [any RowSegment]) { segments.append(self) }

    var rowCount: Int { counts.reduce(0, +) }

    /// The rows of each section, at least one. O(sections) after a change.
    private var counts: [Int] {
        if let known { return known }
        var kept: [ID: Int] = [:]
        let counts = view.data.map { element in
            let models = models(in: element)
            guard !counted.isEmpty else { return models }
            let id = view.id(element)
            kept[id] = counted[id]
            return counted[id] ?? models
        }
        (counted, known) = (kept, counts)
        return counts
    }

    private func models(in section: Data.Element) -> Int { max(1, (section as? any RowSection)?.count ?? 1) }

    private func segments(of row: Row) -> [any RowSegment] {
        var segments: [any RowSegment] = []
        for child in row.children { child.appendSegments(to: &segments) }
        return segments
    }

    /// Rows of sections that are there; of a section without rows, itself.
    var survivors: [Int] {
        let begins = begins
        return zip(order, positions).flatMap { key, position -> [Int] in
            guard let position, let row = rows[key], laidOut.contains(key) else { return [] }
            let (begin, last) = (begins[position], counts[position] - 1)
            let segments = segments(of: row)
            if segments.isEmpty { return [begin] }
            var (offset, survivors) = (0, [] as [Int])
            for segment in segments {
                // The section may be shorter by now, and not know it yet.
                survivors += segment.survivors.map { begin + min(last, offset + $0) }
                offset += segment.rowCount
            }
            return survivors
        }
    }

    /// Where the mounted sections stand in the data. O(sections) after a change.
    private var positions: [Int?] {
        guard isBehind else { return order.map { rows[$0]?.position } }
        var positions: [ID: Int] = [:]
        for (position, element) in view.data.enumerated() where positions[view.id(element)] == nil {
            positions[view.id(element)] = position
        }
        return order.map { $0.occurrence == 0 ? positions[$0.id] : nil }
    }

    /// How many rows stand before each section.
    private var begins: [Int] {
        var sum = 0
        return counts.map { count in
            defer { sum += count }
            return sum
        }
    }

    func show(_ range: Range<Int>, from offset: Int) {
        let begins = begins
        let first = begins.lastIndex { $0 <= range.lowerBound } ?? 0
        let last = range.isEmpty ? first : begins.firstIndex { $0 >= range.upperBound } ?? begins.count
        if isBehind || first..<last != mounted {
            (isBehind, mounted) = (false, first..<last)
            mountRows(at: first..<last)
            laidOut = laidOut.filter { rows[$0] != nil }
            // What has changed in sections is laid out first, so that their rows stay where they are.
            if window.isBehind { return }
        }
        for key in order {
            guard let row = rows[key] else { continue }
            show(range, in: row, at: key, begin: begins[row.position], offset)
        }
    }

    private func show(_ range: Range<Int>, in row: Row, at key: Key, begin: Int, _ offset: Int) {
        var place = begin
        for segment in segments(of: row) {
            let count = segment.rowCount
            segment.show(range.part(of: count, from: place), from: offset + place)
            place += count
        }
        count(max(1, place - begin), in: row, key.id)
        laidOut.insert(key)
    }

    private func count(_ rows: Int, in row: Row, _ id: ID) {
        guard known?[row.position] != rows, let element = row.element else { return }
        known?[row.position] = rows
        counted[id] = rows == models(in: element) ? nil : rows
        window.noteChange()
    }

    override func unmount() {
        super.unmount()
        window.noteChange()
    }
}
