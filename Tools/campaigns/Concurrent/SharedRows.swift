import LoamStorage

/// The rows that all threads of all processes write at the same time: each thread a field of its own, and all of them
/// one counter.
struct SharedRows {
    static let entity = "Shared"
    static let count = 24

    /// The number of threads of all processes.
    let writers: Int

    /// The name of a writer's own field.
    static func field(_ writer: Int) -> String { "field\(writer)" }

    /// The value that a writer's field has after so many writes of it. Numbers and strings take turns.
    static func value(_ writer: Int, _ number: Int) -> Value {
        writer.isMultiple(of: 2) ? .int(Int64(number)) : .string("writer \(writer), write \(number)")
    }

    var definition: EntityDefinition {
        let fields = (0..<writers).map { writer in
            PropertyDefinition(
                Self.field(writer), type: writer.isMultiple(of: 2) ? .int64 : .string, isOptional: true)
        }
        // Pairs of neighbouring fields share an index, so that its entries have two writers.
        let pairs = stride(from: 0, to: writers - 1, by: 4).map { writer in
            IndexDefinition([.init(Self.field(writer), direction: .descending), .init(Self.field(writer + 1))])
        }
        return EntityDefinition(
            Self.entity,
            properties: [PropertyDefinition("number", type: .int64), PropertyDefinition("counter", type: .int64)]
                + fields,
            indexes: [
                IndexDefinition([.init("number")], kind: .unique),
                IndexDefinition([.init("counter")], included: [Self.field(0)]),
            ] + pairs)
    }

    /// Makes the entity and its rows.
    func create(in store: Store) throws {
        try store.apply(.addEntity(definition))
        let catalog = try store.catalog()
        var batch = WriteBatch(author: "campaign")
        for number in 0..<Self.count {
            let values: [String: Value] = ["number": .int(Int64(number)), "counter": .int(0)]
            batch.insert(
                try catalog.encode(values, as: Self.entity), into: try Self.entity(in: catalog).id,
                rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    static func entity(in catalog: Catalog) throws -> Entity {
        guard let entity = catalog.schema.entity(named: entity) else { throw CampaignError("The entity is missing.") }
        return entity
    }

    /// The row ids, by the rows' numbers.
    static func rowIDs(in store: Store) throws -> [RowID] {
        try store.read { snapshot in
            var rows: [RowID] = []
            try snapshot.scanRows(of: snapshot.entity(named: entity)) { row in
                rows.append(row.rowID)
                return true
            }
            return rows
        }
    }
}
