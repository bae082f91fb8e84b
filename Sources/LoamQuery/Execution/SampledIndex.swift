import LoamStorage

/// A row with some of its values.
struct SampledRow {
    let rowID: RowID
    /// By the positions of properties; nil for those that were not read.
    private(set) var values: [Value]
    /// The positions of those that lie outside of the record.
    private(set) var long: Set<Int> = []

    init(_ row: borrowing StoredRow, reading positions: [Int], of entity: Entity) throws {
        rowID = row.rowID
        values = Array(repeating: .null, count: entity.properties.count)
        for position in positions {
            if try row.isLong(position) {
                long.insert(position)
            } else {
                values[position] = try row.value(position)
            }
        }
    }
}

/// What others tell, and of an index that the store does not have, what a sample of the rows lets expect.
final class SampledIndex: IndexStatistics {
    private let index: IndexID
    private let others: any IndexStatistics
    /// The keys of the sample's entries, in order; none of an index of trigrams.
    private var keys: [[UInt8]] = []
    /// How many rows of the sample have each trigram; nil for an ordered index.
    private var trigramCounts: [UInt64: Int]?
    private var isInexact = false
    private let rowCount: Int
    private let sampleCount: Int

    /// - Parameter others: what is told of everything else.
    init(_ index: Index, of entity: Entity, sample: [SampledRow], besides others: any IndexStatistics) throws {
        (self.index, self.others, sampleCount) = (index.id, others, sample.count)
        rowCount = try others.count(of: entity.id)
        if index.kind == .trigrams, let component = index.components.first {
            let path = try PropertyPath(component.definition.names, in: entity)
            trigramCounts = Self.trigramCounts(of: path, in: sample)
            return
        }
        let shape = try IndexKeyShape(index: index)
        let readings = try index.components.map { component in
            let path = try PropertyPath(component.definition.names, in: entity)
            return (path: path, function: component.function.flatMap { TypedFunction($0, of: path.type) })
        }
        for row in sample {
            var key: [UInt8] = []
            for ((path, function), component) in zip(readings, shape.components) {
                // The key of a long value is cut somewhere: here it ends before it.
                if row.long.contains(path.position) {
                    isInexact = true
                    break
                }
                let value = path.value(in: row.values)
                let isExact = try component.append(function.map { $0.result(of: value) } ?? value, to: &key)
                isInexact = isInexact || !isExact
            }
            keys.append(key)
        }
        keys.sort { $0.lexicographicallyPrecedes($1) }
    }

    /// A long value was not read: it stands for every trigram, as the longest texts do.
    private static func trigramCounts(of path: PropertyPath, in sample: [SampledRow]) -> [UInt64: Int] {
        var counts: [UInt64: Int] = [:]
        for row in sample {
            if row.long.contains(path.position) {
                counts[TrigramSet.every, default: 0] += 1
            } else if case .string(let text) = path.value(in: row.values) {
                for trigram in TrigramSet(text).trigrams { counts[trigram, default: 0] += 1 }
            }
        }
        return counts
    }

    func count(of entity: EntityID) throws -> Int { try others.count(of: entity) }

    func count(in index: Index, range: KeyRange) throws -> Int {
        guard index.id == self.index else { return try others.count(in: index, range: range) }
        guard sampleCount > 0 else { return rowCount }
        if range.lower.isEmpty, range.upper == nil { return rowCount }
        let share = (Double(sampledCount(in: range)) + 0.5) / Double(sampleCount)
        return min(rowCount, Int(share * Double(rowCount)))
    }

    /// How many rows of the sample have an entry in a range; of an index of trigrams, in the range of one of them.
    private func sampledCount(in range: KeyRange) -> Int {
        if let trigramCounts { return TrigramSet.trigram(of: range.lower).flatMap { trigramCounts[$0] } ?? 0 }
        let first = keys.indices.partitionPoint { keys[$0].lexicographicallyPrecedes(range.lower) }
        let end =
            range.upper.map { upper in keys.indices.partitionPoint { keys[$0].lexicographicallyPrecedes(upper) } }
            ?? keys.count
        return max(0, end - first)
    }

    func inexactCount(in index: Index) throws -> Int {
        guard index.id == self.index else { return try others.inexactCount(in: index) }
        return isInexact ? rowCount : 0
    }

    func estimatedCount(
        in index: Index, ranges: [KeyRange], mostCounted: Int, uncounted: Int
    ) throws -> (entries: Int, isInexact: Bool) {
        guard index.id == self.index else {
            return try others.estimatedCount(
                in: index, ranges: ranges, mostCounted: mostCounted, uncounted: uncounted)
        }
        return (try ranges.reduce(0) { try $0 + count(in: index, range: $1) }, isInexact)
    }

    func leadingKeys(of index: Index, count: Int) throws -> IndexSample {
        index.id == self.index ? .nothing : try others.leadingKeys(of: index, count: count)
    }

    func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        guard index.id != self.index else { return nil }
        return try others.countThroughGroup(
            of: position, in: index, range: range, reversed: reversed, componentCount: componentCount)
    }

    func distribution(of index: Index) throws -> IndexDistribution? {
        index.id == self.index ? nil : try others.distribution(of: index)
    }
}
