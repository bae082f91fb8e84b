import LoamQuery
package import LoamStorage
package import RandomQueries

/// The rows of a store in SQLite: a table for each entity, with its values by the numbers of their properties, and one
/// for each relationship that is kept as links.
package struct SQLiteRows {
    let oracle: SQLiteOracle
    let schema: Schema
    /// Properties with a value that SQLite has not: nothing is asked of them.
    private(set) var leftOut: Set<PropertyID> = []

    /// - Throws: what SQLite says.
    package init(_ model: RelatedRowsModel) throws {
        try self.init(
            model.schema, rows: model.rows.mapValues { $0.values.map { ($0.rowID, $0.values) } }, links: model.links)
    }

    /// - Throws: what SQLite says.
    package init(
        _ schema: Schema, rows: [EntityID: [(rowID: RowID, values: [Value])]],
        links: [PropertyID: [RowID: [RowID]]] = [:]
    ) throws {
        self.schema = schema
        oracle = try SQLiteOracle()
        try oracle.run("BEGIN")
        for entity in schema.entities { try add(entity, rows[entity.id] ?? []) }
        for entity in schema.entities {
            for relationship in entity.relationships where relationship.linkTable != nil {
                try oracle.run("CREATE TABLE \(relationship.sqlTable) (a INTEGER, b INTEGER)")
                let pairs = (links[relationship.id] ?? [:]).flatMap { source, targets in
                    targets.map { [SQLiteValue.integer(Int64(source)), .integer(Int64($0))] }
                }
                try oracle.insert(pairs, into: relationship.sqlTable)
            }
        }
        try oracle.run("COMMIT")
    }

    private mutating func add(_ entity: Entity, _ rows: [(rowID: RowID, values: [Value])]) throws {
        let columns = entity.properties.map { "\($0.sqlColumn) \($0.type.sqliteType ?? "")" }
        let all = ["row INTEGER PRIMARY KEY"] + columns
        try oracle.run("CREATE TABLE \(entity.sqlTable) (\(all.joined(separator: ", ")))")
        for property in entity.properties where property.type.sqliteType == nil { leftOut.insert(property.id) }
        var values: [[SQLiteValue]] = []
        for (rowID, row) in rows {
            var line = [SQLiteValue.integer(Int64(rowID))]
            for (property, value) in zip(entity.properties, row) {
                if let value = SQLiteValue(value) {
                    line.append(value)
                } else {
                    leftOut.insert(property.id)
                    line.append(.null)
                }
            }
            values.append(line)
        }
        try oracle.insert(values, into: entity.sqlTable)
    }
}

extension Entity {
    var sqlTable: String { "e\(id)" }
}

extension Property {
    var sqlColumn: String { "p\(id)" }
}

extension Relationship {
    var sqlTable: String { "l\(id)" }
}
