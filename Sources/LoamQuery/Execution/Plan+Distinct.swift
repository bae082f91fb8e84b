package import LoamStorage

extension Plan {
    /// Hands out the values of the query's columns, each combination once, where its first row stands in the order of
    /// the result. Values are the same that an index would place together: text by canonical equivalence, `-0.0` and
    /// `0.0` alike, every NaN alike.
    ///
    /// The values of an index's leading component, where it answers the whole predicate and nothing is pending, take a
    /// look-up each, or where there are many a scan of the index. Otherwise it costs as much as
    /// ``execute(in:overlay:work:_:)``, up to the last row that is asked for, and O(combinations) of memory. The query's
    /// own offset and limit count rows before they are compared: leave them out.
    ///
    /// - Parameter body: returns false to stop.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what `body`
    ///   throws.
    package func executeDistinct(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work, _ body: (_ values: [Value]) throws -> Bool
    ) throws {
        var returned = 0
        defer { work.returned = returned }
        if try OverlaidRows(overlay, of: query, in: snapshot) == nil,
            let values = try DistinctValues(query, in: snapshot)
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

    /// The plan that ``executeDistinct(in:overlay:work:_:)`` follows where nothing is pending, for who explains it.
    ///
    /// - Throws: `StorageError` for damage.
    package func forDistinctValues(in snapshot: Snapshot) throws -> Plan {
        try DistinctValues(query, in: snapshot)?.plan(instead: self) ?? self
    }
}
