import LoamStorage

/// The values that an aggregate is made of, where it needs them all: memory that a program keeps from row to row.
///
/// Used by one thread at a time.
final class AggregateValues {
    /// The values, and behind them room for as many while they are sorted.
    private var values: [UnboxedValue] = []
    private var room: [UnboxedValue] = []
    private var isSorted = true

    /// So many are kept room for when a row has had more.
    private static let mostKept = 1 << 14

    func removeAll() {
        isSorted = true
        values.removeAll(keepingCapacity: values.capacity <= Self.mostKept)
        if room.capacity > Self.mostKept { room = [] }
    }

    func append(_ value: UnboxedValue) {
        values.append(value)
        isSorted = false
    }

    /// The values from the least on; equal ones stay in the order in which they came. O(n log n) the first time.
    ///
    /// - Throws: `StorageError.damagedRecord` for a string that is not UTF-8.
    func sorted() throws -> [UnboxedValue] {
        if !isSorted { try sort() }
        isSorted = true
        return values
    }

    /// Merges runs of twice the length again and again; the standard library's sort takes memory for long lists.
    private func sort() throws {
        let run = 16
        for start in stride(from: 0, to: values.count, by: run) {
            try insertionSort(start..<min(start + run, values.count))
        }
        var length = run
        while length < values.count {
            room.removeAll(keepingCapacity: true)
            for start in stride(from: 0, to: values.count, by: 2 * length) {
                let middle = min(start + length, values.count)
                try merge(start..<middle, with: middle..<min(middle + length, values.count))
            }
            swap(&values, &room)
            length *= 2
        }
    }

    private func insertionSort(_ range: Range<Int>) throws {
        for index in range.dropFirst() {
            let value = values[index]
            var place = index
            while place > range.lowerBound, try value.isBefore(values[place - 1]) {
                values[place] = values[place - 1]
                place -= 1
            }
            values[place] = value
        }
    }

    private func merge(_ first: Range<Int>, with second: Range<Int>) throws {
        var (left, right) = (first.lowerBound, second.lowerBound)
        while left < first.upperBound || right < second.upperBound {
            let takesRight =
                try left == first.upperBound
                || right < second.upperBound && values[right].isBefore(values[left])
            room.append(values[takesRight ? right : left])
            if takesRight { right += 1 } else { left += 1 }
        }
    }
}
