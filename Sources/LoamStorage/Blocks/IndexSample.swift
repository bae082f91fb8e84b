/// Keys of an index at some places of it, evenly spread, and how many entries begin with each.
package final class IndexSample: Sendable {
    /// A key that was met at one place, or at several that follow each other.
    package struct Run: Sendable {
        package let key: [UInt8]
        /// Entries of the index that begin with the key.
        package let entryCount: Int
        /// Places at which it was met.
        package let times: Int
    }

    /// How many keys were wanted; there are fewer where the index has fewer entries.
    package let wanted: Int
    package let runs: [Run]
    /// How many values each of the keys stands for in the mean: a value is met as often as it has entries. 1 where all
    /// entries differ, 0 without keys.
    package let valuesPerKey: Double

    /// - Parameter keys: in the order of the index, each with the number of entries that begin with it.
    package init(wanted: Int, keys: [(key: [UInt8], count: Int)]) {
        var runs: [Run] = []
        for (key, count) in keys {
            let times = runs.last?.key == key ? runs.removeLast().times + 1 : 1
            runs.append(Run(key: key, entryCount: count, times: times))
        }
        let values = runs.reduce(0) { $0 + Double($1.times) / Double(max(1, $1.entryCount)) }
        (self.wanted, self.runs) = (wanted, runs)
        valuesPerKey = keys.isEmpty ? 0 : values / Double(keys.count)
    }

    /// No keys: nothing is known of the index.
    package static let nothing = IndexSample(wanted: 0, keys: [])
}
