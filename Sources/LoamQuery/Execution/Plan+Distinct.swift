package import LoamStorage

extension Plan {
    /// Hands out the values of the query's columns, each combination once, where its first row stands in the order of
    /// the result. Values are the same that an index would place together: text by canonical equivalence, `-0.0` and
    /// `0.0` alike, every NaN alike.
    ///
    /// Costs as much as ``execute(in:overlay:work:_:)``, up to the last row that is asked for, and O(combinations) of
    /// memory. The query's own offset and limit count rows before they are compared: leave them out.
    ///
    /// - Parameter body: returns false to stop.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage, and what `body`
    ///   throws.
    package func executeDistinct(
        in snapshot: Snapshot, overlay: Overlay?, work: inout Work, _ body: (_ values: [Value]) throws -> Bool
    ) throws {
        var known: Set<[Value]> = []
        var returned = 0
        defer { work.returned = returned }
        try execute(in: snapshot, overlay: overlay, work: &work) { _, values, _ in
            guard known.insert(values).inserted else { return true }
            returned += 1
            return try body(values)
        }
    }
}
