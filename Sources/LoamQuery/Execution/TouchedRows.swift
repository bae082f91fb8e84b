import LoamStorage

/// Finds the stored rows that lead, along the relationships that a query reads, to rows or links of an overlay: against
/// the relationships, from the changes back to the rows.
struct TouchedRows {
    private let overlay: Overlay
    private let snapshot: Snapshot

    init(_ overlay: Overlay, snapshot: Snapshot) {
        self.overlay = overlay
        self.snapshot = snapshot
    }

    private func pending(_ rowID: RowID, entity: EntityID) -> PlainRow? { overlay.entities[entity]?.rows[rowID] }

    /// - Parameter reader: what the query reads along relationships, the rows that references name among it.
    func rows(_ reader: ChainReader) throws -> Set<RowID> {
        var touched: Set<RowID> = []
        var changes: [EntityID: Set<RowID>] = [:]
        for chain in reader.chains {
            var sources: Set<RowID> = []
            for hop in chain.reversed() {
                let id = hop.destination.id
                let known = try changes[id] ?? changedRows(of: hop.destination, reading: reader.paths[id] ?? [])
                changes[id] = known
                sources = try self.sources(of: sources.union(known), hop).union(linkSources(hop))
            }
            touched.formUnion(sources)
        }
        return touched
    }

    /// Stored rows that went, or have another value at one of `paths`. Rows that came are looked up by whom they lead
    /// to: no stored row leads to them.
    private func changedRows(of entity: Entity, reading paths: Set<PropertyPath>) throws -> Set<RowID> {
        guard let overlaid = overlay.entities[entity.id] else { return [] }
        var changed = overlaid.masked
        try snapshot.visitRows(changed.sorted(), of: entity) { _, row in
            guard let now = overlaid.rows[row.rowID] else { return true }
            for path in paths where try row.value(of: path) != now.value(of: path) { return true }
            changed.remove(row.rowID)
            return true
        }
        return changed
    }

    /// The rows that lead to any of these, as they are stored; through references of pending rows as well.
    private func sources(of targets: Set<RowID>, _ hop: RelationHop) throws -> Set<RowID> {
        var sources: Set<RowID> = []
        switch hop.relationship.storage {
        case .reference:
            for target in targets where isStored(target, entity: hop.destination) {
                try snapshot.scanReferrers(of: target, hop.relationship) {
                    sources.insert($0)
                    return true
                }
            }
        case .inverseOfReference:
            guard let reference = hop.inverseReference else { break }
            for case .uint(let source) in overlay.entities[hop.destination.id]?.values(at: reference) ?? [] {
                sources.insert(source)
            }
            try snapshot.visitRows(targets.sorted(), of: hop.destination) { _, row in
                if case .uint(let source) = try row.value(of: reference) { sources.insert(source) }
                return true
            }
        case .links:
            for target in targets where isStored(target, entity: hop.destination) {
                sources.formUnion(try snapshot.relatedRowIDs(of: target, hop.reversedLinks, in: hop.destination))
            }
        }
        return sources
    }

    /// Whether a row is stored; false for a row that was inserted, which no stored row leads to.
    private func isStored(_ rowID: RowID, entity: Entity) -> Bool {
        overlay.entities[entity.id]?.isMasked(rowID) == true || pending(rowID, entity: entity.id) == nil
    }

    /// The rows whose links the overlay changes, from either side.
    private func linkSources(_ hop: RelationHop) throws -> Set<RowID> {
        guard case .links = hop.relationship.storage else { return [] }
        var sources = Set((overlay.links[hop.relationship.id] ?? [:]).keys)
        for (row, members) in hop.relationship.inverse.flatMap({ overlay.links[$0] }) ?? [:] {
            sources.formUnion(members)
            sources.formUnion(try snapshot.relatedRowIDs(of: row, hop.reversedLinks, in: hop.destination))
        }
        return sources
    }
}

extension RelationHop {
    /// The relationship in the other direction, which need not exist in the schema.
    var reversedLinks: Relationship {
        guard case .links(let table, let isForward) = relationship.storage else { return relationship }
        var reversed = relationship
        // Where each side is linked to the other under one relationship, both directions are kept.
        reversed.storage = .links(table: table, isForward: relationship.isSymmetric ? isForward : !isForward)
        reversed.destination = source.id
        reversed.inverse = nil
        return reversed
    }
}
