import LMDB

/// Relationships of dumps: references and positions lie in the rows, links follow them. What leads to rows that are
/// gone, under the rule *no action*, is dumped as nil.
extension StoreDump {
    /// The number of links that are loaded in one transaction.
    private static let stepLinks = 4_096

    /// Attaches the relationships of the header to entities whose rows are there, and loads the links.
    static func loadRelationships(_ reader: inout DumpReader, into store: Store) throws {
        let entities = reader.header.entities
        guard entities.contains(where: { $0.relationships != nil }) else { return }
        var planned: [String: [PlannedRelationship]] = [:]
        for entity in entities { planned[entity.name] = (entity.relationships ?? []).map(\.planned) }
        let plans = planned
        do {
            try store.changeCatalog { document in
                for entity in entities { try document.attach(plans[entity.name] ?? [], to: entity.name) }
                try document.connectInverses(of: plans)
            }
        } catch let error as StorageError {
            guard case .damagedCatalog(let why) = error.kind else { throw error }
            throw StorageError(.invalidDump(line: 1, why))
        }
        var step: [DumpLink] = []
        while let link = try reader.nextLink() {
            step.append(link)
            if step.count == stepLinks {
                try load(step, entities: entities, into: store)
                step = []
            }
        }
        try load(step, entities: entities, into: store)
        try store.requireSoundRelationships()
    }

    private static func load(_ links: [DumpLink], entities: [DumpEntity], into store: Store) throws {
        guard !links.isEmpty else { return }
        try store.run(
            WriterJob { transaction, state in
                let tables = try entities.map { entity in
                    try (entity.relationships ?? []).map { relationship -> LinkTable? in
                        let stored = state.catalog.schema.entity(named: entity.name)?
                            .relationship(named: relationship.name)
                        return try stored?.linkTable.map { try state.catalog.links($0) }
                    }
                }
                state.hasWritten = true
                for link in links {
                    try tables[link.entity][link.relationship]?.put(
                        .init(
                            owner: link.source, position: link.position, member: link.destination,
                            otherPosition: link.otherPosition), in: &transaction)
                }
            })
    }
}

extension Store {
    /// Throws when a relationship is not as the writer would have left it.
    fileprivate func requireSoundRelationships() throws {
        let report = try read { snapshot in
            var check = StoreCheck(snapshot, sortBudget: 0, progress: nil)
            check.checkRelationships(in: snapshot.transaction)
            return check.report
        }
        if let fault = report.faults.first {
            throw StorageError(
                .inconsistent("the dump's relationships are not sound; \(fault.message)"), entity: fault.entity,
                rowID: fault.rowID)
        }
    }
}

/// The links of a relationship that are dumped.
struct DumpedLinks {
    let table: LinkTable
    /// The entities whose rows may be gone while links lead to them; nil where that cannot be.
    let mayLack: (source: EntityAccess?, destination: EntityAccess?)
    var count = 0

    /// Walks the links that are dumped, in order. O(links), and a look-up for each row that may be gone.
    func forEach(in snapshot: Snapshot, _ body: (LinkTable.Link) throws -> Void) throws {
        try walk(in: snapshot.transaction, body)
    }

    private func walk(in transaction: borrowing ReadTransaction, _ body: (LinkTable.Link) throws -> Void) throws {
        guard let database = try transaction.database(table.database) else { return }
        var cursor = try transaction.cursor(in: database)
        var isAtEntry = try cursor.moveToFirst()
        while isAtEntry {
            let (half, link) = try LinkTable.decode(key: cursor.key, value: cursor.value)
            guard half == .forward else { return }
            let hasSource = try mayLack.source.map { try transaction.contains(link.owner, in: $0.records) } ?? true
            let hasDestination =
                try mayLack.destination.map { try transaction.contains(link.member, in: $0.records) } ?? true
            if hasSource, hasDestination { try body(link) }
            isAtEntry = try cursor.next()
        }
    }
}

/// A reference that may lead to a row that is gone.
struct DanglingReference {
    let property: Int
    let position: Int?
    let target: EntityAccess

    /// Makes the reference nil where its target is gone.
    func clear(_ values: inout [Value], in snapshot: Snapshot) throws {
        guard case .uint(let row) = values[property],
            try !snapshot.transaction.contains(row, in: target.records)
        else { return }
        values[property] = .null
        if let position { values[position] = .null }
    }
}

extension Snapshot {
    func danglingReferences(of entity: Entity) throws -> [DanglingReference] {
        try catalog.relationships.references(of: entity.id).filter {
            $0.ruleForReferrers == .noAction && $0.relationship.isOptional
        }.map {
            DanglingReference(
                property: $0.property, position: $0.position, target: try catalog.access($0.relationship.destination))
        }
    }

    /// The links whose two entities are dumped, by relationship.
    func dumpedLinks(of entities: [Entity], among chosen: Set<EntityID>) throws -> [PropertyID: DumpedLinks] {
        var found: [PropertyID: DumpedLinks] = [:]
        for entity in entities {
            for link in catalog.relationships.outgoing[entity.id] ?? [] where chosen.contains(link.destination) {
                let table = try catalog.links(link.table)
                let (lacksSource, lacksDestination) = (
                    link.forward.deleteRule == .noAction && link.backward != nil, link.backward?.deleteRule == .noAction
                )
                var links = DumpedLinks(
                    table: table,
                    mayLack: (
                        lacksSource ? try catalog.access(link.source) : nil,
                        lacksDestination ? try catalog.access(link.destination) : nil
                    ))
                if lacksSource || lacksDestination {
                    var count = 0
                    try links.forEach(in: self) { _ in count += 1 }
                    links.count = count
                } else {
                    links.count =
                        try transaction.database(table.database).map {
                            try transaction.statistics(of: $0).entries / 2
                        } ?? 0
                }
                found[link.forward.id] = links
            }
        }
        return found
    }
}
