import LMDB

/// Relationships: every reference and link leads to a row, positions are where they must be and no two are the same,
/// and the two halves of links agree.
///
/// A row that was deleted under the rule *no action* may still be led to: that is noted, not a fault.
extension StoreCheck {
    mutating func checkRelationships(in transaction: borrowing ReadTransaction) {
        let map = snapshot.catalog.relationships
        for access in snapshot.catalog.entities.values.sorted(by: { $0.entity.id < $1.entity.id }) {
            let references = map.references(of: access.entity.id)
            guard !references.isEmpty, access.entity == snapshot.schema.entity(withID: access.entity.id) else {
                continue
            }
            progress?("references of \(access.entity.name)")
            for reference in references {
                check(reference, of: access, in: transaction)
                checkOrder(of: reference, access: access, in: transaction)
            }
        }
        for (table, link) in map.tables.sorted(by: { $0.key < $1.key }) {
            guard let database = snapshot.catalog.links[table] else { continue }
            check(link, table: LinkTable(number: table, database: database), in: transaction)
        }
    }

    private func exists(
        _ row: RowID, entity: EntityID, in transaction: borrowing ReadTransaction
    ) throws -> Bool {
        let access = try snapshot.catalog.access(entity)
        return try !access.isHidden(row) && transaction.contains(row, in: access.records)
    }

    private mutating func check(
        _ reference: ReferenceAccess, of access: EntityAccess, in transaction: borrowing ReadTransaction
    ) {
        let (name, relationship) = (access.entity.name, reference.relationship)
        var faults: [CheckReport.Fault] = []
        var dangling = 0
        do {
            try snapshot.scanRows(of: access.entity) { row in
                // What cannot be read is a damaged record, which is reported as such.
                guard let target = try? row.uint64(reference.property) else {
                    if let position = reference.position, let isNull = try? row.isNull(position), !isNull {
                        faults.append(
                            .init(
                                "'\(relationship.name)' has a position and no target.", entity: name, rowID: row.rowID))
                    }
                    return true
                }
                if let position = reference.position, let isNull = try? row.isNull(position), isNull {
                    faults.append(.init("'\(relationship.name)' has no position.", entity: name, rowID: row.rowID))
                }
                guard try !exists(target, entity: relationship.destination, in: transaction) else { return true }
                if reference.ruleForReferrers == .noAction {
                    dangling += 1
                } else {
                    faults.append(
                        .init("'\(relationship.name)' leads to no row.", entity: name, rowID: row.rowID))
                }
                return true
            }
        } catch {
            if report.isClean { report.add(error, entity: name) }
        }
        for fault in faults { report.add(fault) }
        note(dangling, relationship: relationship, entity: name)
    }

    private mutating func note(_ dangling: Int, relationship: Relationship, entity: String) {
        guard dangling > 0 else { return }
        report.notes.append(
            "'\(relationship.name)' of \(entity) leads \(dangling) times to a row that was deleted with no action.")
    }

    /// No target has two rows in one place, nor two at all in a one-to-one.
    private mutating func checkOrder(
        of reference: ReferenceAccess, access: EntityAccess, in transaction: borrowing ReadTransaction
    ) {
        guard reference.position != nil || reference.isOneToOne else { return }
        let name = access.entity.name
        var faults: [CheckReport.Fault] = []
        do {
            let index = try snapshot.catalog.referenceIndex(of: reference.relationship, snapshot.databases.blocks)
            guard index.index.isReadable else { return }
            let reader = IndexReader(shape: index.index.blockShape, databases: snapshot.databases.blocks)
            var previous: [UInt8] = []
            // Rows without a target come first and stand in no order.
            try reader.scan(KeyRange(lower: [1]), in: transaction) { batch in
                for number in 0..<batch.count {
                    let key = try batch.key(at: number).withUnsafeBytes { Array($0) }
                    if key == previous {
                        let what = reference.isOneToOne ? "is not the only one with its target" : "shares its position"
                        faults.append(
                            .init(
                                "'\(reference.relationship.name)' \(what).", entity: name,
                                rowID: batch.rowID(at: number)))
                    }
                    previous = key
                }
                return true
            }
        } catch {
            report.add(error, entity: name)
        }
        for fault in faults { report.add(fault) }
    }

    private mutating func check(_ link: LinkAccess, table: LinkTable, in transaction: borrowing ReadTransaction) {
        let entity = snapshot.catalog.entities[link.source]?.entity.name ?? ""
        let name = link.forward.name
        progress?("links of \(name) of \(entity)")
        var danglingOf: (forward: Int, backward: Int) = (0, 0)
        do {
            guard let database = try transaction.database(table.database) else { return }
            var cursor = try transaction.cursor(in: database)
            var isAtEntry = try cursor.moveToFirst()
            var previous: (half: LinkTable.Half, link: LinkTable.Link)?
            var members: Set<RowID> = []
            while isAtEntry {
                let (half, found) = try LinkTable.decode(key: cursor.key, value: cursor.value)
                func fault(_ message: String) { report.add(.init(message, entity: entity, rowID: found.owner)) }
                let isSameOwner = previous.map { $0.half == half && $0.link.owner == found.owner } ?? false
                if !isSameOwner { members.removeAll(keepingCapacity: true) }
                if !members.insert(found.member).inserted { fault("'\(name)' links two rows twice.") }
                let isOrdered = half == .forward || link.ordersBackward
                if isSameOwner, isOrdered, previous?.link.position == found.position {
                    fault("Two links of '\(name)' share a position.")
                }
                let other = found.mirrored
                let key = LinkTable.key(half.other, owner: other.owner, position: other.position, member: other.member)
                let mirror = try transaction.value(for: key.span.bytes, in: database)?.withUnsafeBytes {
                    Array($0)
                }
                if mirror != LinkTable.ordered(other.otherPosition) {
                    fault("A link of '\(name)' is not the same on its other side.")
                }
                if half == .forward {
                    report.links += 1
                    if try !exists(found.owner, entity: link.source, in: transaction) {
                        if link.forward.deleteRule == .noAction, link.backward != nil {
                            danglingOf.backward += 1
                        } else {
                            fault("A link of '\(name)' comes from no row.")
                        }
                    }
                    if try !exists(found.member, entity: link.destination, in: transaction) {
                        if link.backward?.deleteRule == .noAction {
                            danglingOf.forward += 1
                        } else {
                            fault("A link of '\(name)' leads to no row.")
                        }
                    }
                    if link.isSymmetric, try table.link(from: found.member, to: found.owner, in: transaction) == nil {
                        fault("A link of '\(name)' leads one way only.")
                    }
                }
                previous = (half, found)
                isAtEntry = try cursor.next()
            }
        } catch {
            report.add(error, entity: entity)
        }
        note(danglingOf.forward, relationship: link.forward, entity: entity)
        if let backward = link.backward {
            note(
                danglingOf.backward, relationship: backward,
                entity: snapshot.catalog.entities[link.destination]?.entity.name ?? "")
        }
    }
}
