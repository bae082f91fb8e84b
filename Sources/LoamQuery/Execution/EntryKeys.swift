import LoamStorage

/// Copies keys of an order out of the entries of an index, as far as its components are what the order's keys are:
/// refilled from entry to entry.
final class EntryKeys {
    let keys: SortKeys
    /// Up to the last one that is copied.
    private let components: [KeyComponent]
    /// For each key of the order, the component that it is copied from; -1 where it is made from a value.
    private let sources: [Int]
    /// Where the entry's component bytes lie, and where each component ends in them; good until the next entry.
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var ends: [Int]

    init(_ keys: SortKeys, index: Index) throws {
        self.keys = keys
        let components = try index.components.map(KeyComponent.init)
        sources = keys.order.enumerated().map { number, key in
            components.indices.first {
                index.components[$0].isValue(of: key.path)
                    && keys.program.canCopy(number, from: components[$0])
            } ?? -1
        }
        self.components = Array(components[...(sources.max() ?? -1)])
        ends = Array(repeating: 0, count: self.components.count)
    }

    /// The paths of which values are read, since no component is copied.
    var paths: [PropertyPath] {
        zip(keys.paths, sources).filter { $0.1 < 0 }.compactMap(\.0.own)
    }

    /// Takes an entry; false where it was cut, and does not hold the whole key.
    func fill(from batch: borrowing IndexBatch, at index: Int) throws -> Bool {
        guard !components.isEmpty else { return true }
        if batch.mayBeInexact, batch.isInexact(at: index) { return false }
        let key = try batch.key(at: index)
        var offset = 0
        for position in components.indices {
            offset = try components[position].skip(key, from: offset)
            ends[position] = offset
        }
        bytes = key.withUnsafeBytes { $0 }
        return true
    }

    /// Appends a key of the order; false where nothing was appended, and the program takes a value.
    func append(_ number: Int, to key: inout KeyBuffer) -> Bool {
        let source = sources[number]
        guard source >= 0 else { return false }
        let start = source == 0 ? 0 : ends[source - 1]
        keys.program.append(
            copying: UnsafeRawBufferPointer(rebasing: bytes[start..<ends[source]]), of: components[source], as: number,
            to: &key)
        return true
    }
}
