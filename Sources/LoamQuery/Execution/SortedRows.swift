import LoamStorage

/// Collects rows and gives them back in order: all of them, or under a limit the first so many, of which a heap is
/// kept while rows come in.
struct SortedRows {
    struct Row {
        var key: [UInt8]
        var rowID: RowID
        var values: [Value]
    }

    /// Under a limit a heap with the last row of the order on top.
    private var rows: [Row] = []
    private let limit: Int?
    private let rowIDDirection: SortDirection

    init(limit: Int?, rowIDDirection: SortDirection) {
        self.limit = limit
        self.rowIDDirection = rowIDDirection
    }

    /// O(log limit), or O(1) without one.
    mutating func insert(_ row: Row) {
        guard let limit else {
            rows.append(row)
            return
        }
        if rows.count < limit {
            rows.append(row)
            siftUp(rows.count - 1)
        } else if let last = rows.first, precedes(row, last) {
            rows[0] = row
            siftDown()
        }
    }

    /// All rows in order. O(n log n).
    consuming func sorted() -> [Row] {
        rows.sorted(by: precedes)
    }

    private func precedes(_ left: Row, _ right: Row) -> Bool {
        let order = left.key.withUnsafeBytes { left in
            right.key.withUnsafeBytes { right in StringForms.compare(left, right) }
        }
        if order != 0 { return order < 0 }
        return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(rows[parent], rows[index]) else { return }
            rows.swapAt(parent, index)
            index = parent
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var last = index
            for child in [2 * index + 1, 2 * index + 2] where child < rows.count && precedes(rows[last], rows[child]) {
                last = child
            }
            guard last != index else { return }
            rows.swapAt(index, last)
            index = last
        }
    }
}
