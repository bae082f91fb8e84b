package import LoamStorage

/// What the planner asks of a store: counts, each in O(log n).
package protocol IndexStatistics {
    func count(of entity: Entity) throws -> Int
    func count(in index: Index, range: KeyRange) throws -> Int
    /// Entries whose key was cut: where there are any, the index gives neither order nor exact counts.
    func inexactCount(in index: Index) throws -> Int
}
