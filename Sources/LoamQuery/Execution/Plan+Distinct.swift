package import LoamStorage

extension Plan {
    /// Hands out the values of the query's columns, each combination once, in the order of the result, or without one in
    /// that of the first rows that have them. Values are the same that an index would place together: text by canonical
    /// equivalence, `-0.0` and `0.0` alike, every NaN alike. Which of several that are the same is handed out follows
    /// from the plan.
    ///
    /// The values of an index's leading component, where it answers the whole predicate and nothing is pending, take a
    /// look-up each, or where there are many a scan of the index. Otherwise it costs as much as
    /// ``execute(in:overlay:work:_:)``, up to the last row that is asked for, and O(combinations) of memory. The query's
    /// own offset and limit count rows before they are compared: leave them out.
    ///
    /// - Parameters:
    ///   - isLimited: whether `body` may stop before the last. Then a search that has to find all values before it hands
    ///     out the first is made only where they are few.
    ///   - body: returns false to stop.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what `body`
    ///   throws.
    package func executeDistinct(
        in snapshot: Snapshot, overlay: Overlay?, isLimited: Bool = false, work: inout Work,
        _ body: (_ values: [Value]) throws -> Bool
    ) throws {
        var returned = 0
        defer { work.returned = returned }
        if try OverlaidRows(overlay, of: query, in: snapshot) == nil,
            let values = try DistinctValues(query, isLimited: isLimited, in: snapshot)
        {
            return try values.forEach(in: snapshot, work: &work) { value in
                returned += 1
                return try body([value])
            }
        }
        var known: Set<[Value]> = []
        try execute(in: snapshot, overlay: overlay, work: &work) { _, values, _ in
            guard known.insert(values).inserted else { return true }
            returned += 1
            return try body(values)
        }
    }

    /// The plan that ``executeDistinct(in:overlay:isLimited:work:_:)`` follows where nothing is pending, for who explains it.
    ///
    /// - Throws: `StorageError` for damage.
    package func forDistinctValues(isLimited: Bool = false, in snapshot: Snapshot) throws -> Plan {
        try DistinctValues(query, isLimited: isLimited, in: snapshot)?.plan(instead: self) ?? self
    }
}
