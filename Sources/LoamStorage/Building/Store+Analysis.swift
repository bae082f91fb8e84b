import LMDB

extension Store {
    /// Looks at all entries of indexes, and writes for the planner how their values are distributed. Saves go on
    /// meanwhile, and write nothing of this: the numbers stand until the next analysis, or until the index goes.
    ///
    /// Cost: reads the blocks of each index once, in memory that does not grow with them; one transaction for each
    /// index.
    ///
    /// - Parameter chosen: the indexes; those that cannot be read now are passed over.
    /// - Returns: how many indexes were looked at.
    /// - Throws: `readOnlyStore`, `saveInsideRead`, `damagedBlock`, and what the commit throws. What was written of
    ///   indexes before stays.
    @discardableResult
    package func analyze(_ chosen: [Index]) throws -> Int {
        try requireWritable()
        var count = 0
        for index in chosen {
            let found = try read { snapshot -> IndexDistribution? in
                guard let (_, access) = snapshot.catalog.access(index: index.id), access.isReadable else { return nil }
                return try IndexDistribution(of: access, in: snapshot)
            }
            guard let found else { continue }
            try run(
                WriterJob { transaction, state in
                    // It may have been dropped meanwhile, and what was known of it with it.
                    guard state.catalog.access(index: index.id) != nil else { return }
                    state.hasWritten = true
                    try found.write(index.id, to: state.catalog.statistics, in: &transaction)
                })
            cache.known.noteAnalysis()
            count += 1
        }
        return count
    }
}

extension IndexDistribution {
    /// Counts what one state of the store has.
    fileprivate init(of index: IndexAccess, in snapshot: Snapshot) throws {
        let total = try snapshot.sums(of: index).total.entries
        let shape = index.keyShape
        self.init(entries: UInt64(total), distinct: [], bounds: [])
        distinct = Array(repeating: 0, count: shape.components.count)
        var previous: [UInt8] = []
        var ends: [Int] = []
        var number = 0
        let reader = IndexReader(shape: index.blockShape, databases: snapshot.databases.blocks)
        try reader.scan(.all, reversed: false, in: snapshot.transaction) { batch in
            for position in 0..<batch.count {
                let key = try batch.key(at: position)
                let isNew = number == 0 || !key.withUnsafeBytes { $0.elementsEqual(previous) }
                if isNew {
                    ends = try shape.ends(of: key)
                    let same = number == 0 ? -1 : key.withUnsafeBytes { Self.commonLength($0, other: previous) }
                    for part in ends.indices where ends[part] > same { distinct[part] += 1 }
                    previous = key.withUnsafeBytes { Array($0) }
                }
                // As many entries lie before it as before the next part.
                if bounds.count < Self.parts, number * Self.parts >= bounds.count * total {
                    bounds.append(Array(previous[..<(ends.first ?? 0)]))
                }
                number += 1
            }
            return true
        }
    }

    private static func commonLength(_ bytes: UnsafeRawBufferPointer, other: [UInt8]) -> Int {
        zip(bytes, other).prefix { $0 == $1 }.count
    }
}

extension IndexKeyShape {
    /// The offsets where the components of a key end.
    fileprivate func ends(of key: RawSpan) throws -> [Int] {
        var ends: [Int] = []
        for component in components { ends.append(try component.skip(key, from: ends.last ?? 0)) }
        return ends
    }
}
