package import LoamStorage

/// What the planner asks of a store: counts, each in O(log n) once the sums of the index are read, which a snapshot
/// does for the first of them.
///
/// All throw `StorageError` where an index is not readable or its sums are damaged. An object, so that handing it on
/// copies nothing.
package protocol IndexStatistics: AnyObject {
    /// The number of the entity's rows.
    func count(of entity: EntityID) throws -> Int
    /// The number of entries in a range of an index.
    func count(in index: Index, range: KeyRange) throws -> Int
    /// The number of entries in several ranges together, as ``count(in:range:)`` gives it for short ones. Of long ones,
    /// of more than `mostCounted`, and where they are sure to hold no more than `uncounted` together, an estimate does.
    /// With it whether ``inexactCount(in:)`` is above 0.
    func estimatedCount(
        in index: Index, ranges: [KeyRange], mostCounted: Int, uncounted: Int
    ) throws -> (entries: Int, isInexact: Bool)
    /// Entries whose key was cut: where there are any, the index gives neither order nor exact counts.
    func inexactCount(in index: Index) throws -> Int
    /// The first components of so many entries, evenly spread over an index: the key of each, and how many entries have
    /// it. Fewer where the index has fewer, or where nothing is known.
    func leadingKeys(of index: Index, count: Int) throws -> IndexSample
    /// How many entries of a range a scan meets up to the end of a group, that of the entry at this position: the entries
    /// that have the same first components as that one. Nil where nothing is known, or the range ends before the position.
    func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int?
    /// How the values of an index were distributed when somebody last looked; nil where nobody has.
    func distribution(of index: Index) throws -> IndexDistribution?
}

extension IndexStatistics {
    /// Returns nil: no distribution is known. Throws nothing.
    package func distribution(of index: Index) throws -> IndexDistribution? { nil }
    /// Returns nil: nothing is known. Throws nothing.
    package func countThroughGroup(
        of position: Int, in index: Index, range: KeyRange, reversed: Bool, componentCount: Int
    ) throws -> Int? { nil }
    /// Returns nothing: nothing is known. Throws nothing.
    package func leadingKeys(of index: Index, count: Int) throws -> IndexSample { .nothing }
    /// Counts each range. Throws what counting throws.
    package func estimatedCount(
        in index: Index, ranges: [KeyRange], mostCounted: Int, uncounted: Int
    ) throws -> (entries: Int, isInexact: Bool) {
        (try ranges.reduce(0) { try $0 + count(in: index, range: $1) }, try inexactCount(in: index) > 0)
    }
}
