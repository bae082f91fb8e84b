package import LoamStorage

/// What the planner asks of a store: counts, each in O(log n).
package protocol IndexStatistics {
    func count(of entity: Entity) throws -> Int
    func count(in index: Index, range: KeyRange) throws -> Int
    /// Entries whose key was cut: where there are any, the index gives neither order nor exact counts.
    func inexactCount(in index: Index) throws -> Int
    /// How the values of an index were distributed when somebody last looked; nil where nobody has.
    func distribution(of index: Index) throws -> IndexDistribution?
}

extension IndexStatistics {
    package func distribution(of index: Index) throws -> IndexDistribution? { nil }
}
