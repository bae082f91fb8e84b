package import LoamStorage

extension Plan {
    /// Calls `body` with each row of the result in its order, and its record as it is stored, until it returns false.
    ///
    /// The bytes are borrowed from the file: they are gone when `body` returns, which must not take long. They were not
    /// verified; long values are not among them. The query's columns do not matter, but for all columns (nil) the plan
    /// is made for reading records. Costs as much as ``execute(in:work:pace:_:)``, and reads each record.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func forEachRecord(
        in snapshot: Snapshot, work: inout Work,
        _ body: (_ rowID: RowID, _ record: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let execution = try PlanExecution(forRecords, in: snapshot, work: work, readsRecords: true)
        defer { work = execution.work }
        try execution.plan.execute(execution) { match in
            guard let record = match.record else { throw Self.missing(match.rowID, entity: query.entity) }
            return try body(match.rowID, record)
        }
    }

    /// The plan without columns, reading every record.
    var forRecords: Plan {
        var plan = self
        plan.query.columns = []
        plan.covering = nil
        return plan
    }

    static func missing(_ rowID: RowID, entity: Entity) -> StorageError {
        StorageError(
            .inconsistent("an index leads to a row that does not exist"), entity: entity.name, rowID: rowID)
    }
}

extension ResolvedQuery {
    /// The query with the values of all properties, hidden ones too: what it costs to read these of a row is what its
    /// record costs.
    var forRecords: ResolvedQuery {
        var query = self
        query.columns = entity.properties.indices.map { PropertyPath($0, of: entity) }
        return query
    }
}
