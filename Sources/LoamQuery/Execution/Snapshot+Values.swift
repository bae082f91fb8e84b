package import LoamStorage

/// What an index tells of its values by a few look-ups.
extension Snapshot {
    package func leadingKeys(of index: Index, count: Int) throws -> IndexSample {
        let sample = try sample(of: index) { try takeLeadingKeys(of: index, count: count) }
        return sample.wanted == count ? sample : try takeLeadingKeys(of: index, count: count)
    }

    private func takeLeadingKeys(of index: Index, count: Int) throws -> IndexSample {
        guard let leading = try index.components.first.map({ try KeyComponent($0) }) else { return .nothing }
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
        return IndexSample(wanted: count, keys: found)
    }

    package func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        func find() throws -> Int? {
            try findGroupEnd(
                at: position, in: index, range: range, reversed: reversed, componentCount: componentCount)
        }
        guard !range.hasLower, !range.hasUpper else { return try find() }
        return try groupEnd(at: position, in: index, reversed: reversed, componentCount: componentCount, find)
    }

    private func findGroupEnd(
        at position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? {
        let start = !range.hasLower ? 0 : try self.position(in: index, fullKey: range.lower)
        let end =
            try range.upper.map { try self.position(in: index, fullKey: $0) } ?? self.count(in: index, range: .all)
        guard position >= 0, position < end - start,
            let entry = try entry(in: index, at: reversed ? end - 1 - position : start + position)
        else { return nil }
        var length = 0
        for component in index.components.prefix(componentCount) {
            length = try KeyComponent(component).skip(entry.key.span.bytes, from: length)
        }
        let group = KeyRange.prefix(Array(entry.key[..<length]))
        if reversed { return end - max(start, try self.position(in: index, fullKey: group.lower)) }
        return min(end, try group.upper.map { try self.position(in: index, fullKey: $0) } ?? end) - start
    }
}
