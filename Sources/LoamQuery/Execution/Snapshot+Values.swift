package import LoamStorage

/// What an index tells of its values by a few look-ups.
extension Snapshot {
    package func leadingKeys(of index: Index, count: Int) throws -> [(key: [UInt8], count: Int)] {
        guard let leading = try index.components.first.map({ try KeyComponent($0) }) else { return [] }
        let entries = try self.count(in: index, range: .all)
        return try (0..<min(count, entries)).compactMap { number in
            let position = (2 * number + 1) * entries / (2 * min(count, entries))
            guard let entry = try entry(in: index, at: position) else { return nil }
            let key = Array(entry.key[..<(try leading.skip(entry.key.span.bytes, from: 0))])
            return (key, try self.count(in: index, range: .prefix(key)))
        }
    }

    package func firstGroup(
        of index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        let components = try index.components.prefix(componentCount).map { try KeyComponent($0) }
        var group: KeyRange?
        try scanIndex(index, range: range, reversed: reversed) { batch in
            let key = try batch.fullKey(at: 0)
            let end = try components.reduce(0) { try $1.skip(key.span.bytes, from: $0) }
            group = .prefix(Array(key[..<end]))
            return false
        }
        return try group.map { try count(in: index, range: $0.intersection(range)) }
    }
}
