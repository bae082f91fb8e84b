package import LoamStorage

/// What an index tells of its values by a few look-ups.
extension Snapshot {
    package func leadingKeys(of index: Index, count: Int) throws -> [(key: [UInt8], count: Int)] {
        guard let leading = try index.components.first.map({ try KeyComponent($0) }) else { return [] }
        let entries = try self.count(in: index, range: .all)
        var found: [(key: [UInt8], count: Int)] = []
        for number in 0..<min(count, entries) {
            let position = (2 * number + 1) * entries / (2 * min(count, entries))
            guard let entry = try entry(in: index, at: position) else { continue }
            let key = Array(entry.key[..<(try leading.skip(entry.key.span.bytes, from: 0))])
            if let last = found.last, last.key == key {
                found.append(last)
            } else {
                found.append((key, try self.count(in: index, range: .prefix(key))))
            }
        }
        return found
    }

    package func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        let components = try index.components.prefix(componentCount).map { try KeyComponent($0) }
        var met: KeyRange?
        try scanIndex(index, range: range, skipping: position, reversed: reversed) { batch in
            let key = try batch.fullKey(at: 0)
            let end = try components.reduce(0) { try $1.skip(key.span.bytes, from: $0) }
            let group = KeyRange.prefix(Array(key[..<end]))
            met =
                reversed
                ? KeyRange(lower: group.lower, upper: range.upper) : KeyRange(lower: range.lower, upper: group.upper)
            return false
        }
        return try met.map { try count(in: index, range: $0.intersection(range)) }
    }
}
