import LoamStorage

extension Plan {
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
