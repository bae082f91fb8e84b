/// A copy of an index that is built to take its place stands beside it until it is ready, under a name of its own.
extension Index {
    /// What the name of such a copy ends with.
    var replacementSuffix: String { " (new, \(id))" }

    /// Whether it is to take the place of another index, which it copies.
    var isReplacement: Bool { name.hasSuffix(replacementSuffix) }
}

extension CatalogDocument {
    /// Takes the copies that are to take an index's place out of its entity: what they copy is about to change.
    mutating func retireReplacements(of index: Index, in entity: inout Entity) {
        let copies = Set(entity.indexes.lazy.filter { $0.name == index.name + $0.replacementSuffix }.map(\.id))
        entity.indexes.removeAll { copies.contains($0.id) }
        retiredIndexes += copies.sorted()
        for id in copies { builders[id] = nil }
    }
}
