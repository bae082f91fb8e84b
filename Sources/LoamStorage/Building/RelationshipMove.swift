import LMDB

/// A relationship that a change of the schema keeps elsewhere, or reads from its other side, too.
///
/// Found by comparing the catalogs before and after: so several changes of one relationship are one move.
struct RelationshipMove {
    /// The side that keeps the pairs before, and its entity.
    private let source: Entity
    private let before: Relationship
    /// The same side after, with its inverse.
    private let after: Relationship
    private let inverse: (entity: Entity, relationship: Relationship)?
    /// Whether a to-many inverse was there before: then pairs have a place in its order.
    private let wasOrdered: Bool
    /// Whether a row may be led to by one row at the most from now on.
    private let needsOne: Bool
    /// Whether a row has to be led to from now on.
    private let needsAny: Bool

    static func all(from old: CatalogDocument, to new: CatalogDocument) -> [RelationshipMove] {
        old.schema.entities.flatMap { entity in
            entity.relationships.compactMap { RelationshipMove($0, of: entity, from: old.schema, to: new.schema) }
        }
    }

    /// Nil for a side that keeps no pairs, and where nothing changes.
    private init?(_ before: Relationship, of source: Entity, from old: Schema, to new: Schema) {
        guard let after = new.relationship(withID: before.id)?.relationship, !before.isSymmetric else { return nil }
        switch before.storage {
        case .reference, .links(_, isForward: true): break
        case .inverseOfReference, .links: return nil
        }
        let inverse = after.inverse.flatMap(new.relationship(withID:))
        let former = before.inverse.flatMap(old.relationship(withID:))?.relationship
        self.source = source
        self.before = before
        self.after = after
        self.inverse = inverse
        wasOrdered = former?.isToMany ?? false
        let isToOne = inverse.map { !$0.relationship.isToMany } ?? false
        needsOne = isToOne && former?.isToMany ?? true
        needsAny = isToOne && inverse?.relationship.isOptional == false && former?.isOptional ?? true
        let isSame = before.inverse == after.inverse && before.isToMany == after.isToMany
        if isSame && former?.isToMany == inverse?.relationship.isToMany { return nil }
    }

    /// Whether the pairs are kept elsewhere afterwards, or have to be looked at.
    private var readsPairs: Bool {
        if case .reference = after.storage { return needsOne || needsAny }
        return true
    }

    /// The pairs as they are before, of rows that are there, ready to be written where they are kept afterwards.
    ///
    /// O(n log n) for n rows or links. In memory are `sortBudget` bytes of them, and as much again while they are
    /// sorted; the rest are in a temporary file.
    ///
    /// - Throws: `severalReferences` where several rows lead to one that may be led to by one only, `rowWithoutValue`
    ///   where none leads to one that must be led to.
    func read(
        _ catalog: Catalog, sortBudget: Int, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> RelatedPairs {
        let destination = try catalog.access(before.destination)
        let pairs = RelatedPairs(budget: sortBudget)
        guard readsPairs else { return pairs }
        try forEachPair(catalog, in: transaction) { pair in
            // A rule may have left what leads to no row.
            guard try transaction.contains(pair.destination, in: destination.records) else { return }
            try pairs.append(pair)
        }
        if needsOne, let row = try pairs.firstRepeatedDestination() { throw error(.severalReferences, row: row) }
        if needsAny, let row = try pairs.firstRow(of: destination, in: transaction) {
            throw error(.rowWithoutValue, row: row)
        }
        return pairs
    }

    /// Throws what ``read(_:sortBudget:in:)`` would throw. Reads nothing where that is nothing.
    func require(
        _ catalog: Catalog, sortBudget: Int, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        guard needsOne || needsAny else { return }
        _ = try read(catalog, sortBudget: sortBudget, in: transaction)
    }

    private func error(_ kind: StorageError.Kind, row: RowID) -> StorageError {
        StorageError(kind, entity: inverse?.entity.name, property: inverse?.relationship.name, rowID: row)
    }

    private func forEachPair(
        _ catalog: Catalog, in transaction: borrowing some Transaction & ~Copyable, _ body: (RelatedPair) throws -> Void
    ) throws {
        switch before.storage {
        case .reference(let property, let position, _):
            let access = try catalog.access(source.id)
            let (property, position) = (try access.position(of: property), try position.map(access.position))
            try access.scanImages(needsLongValues: false, in: transaction) { image in
                guard case .uint(let target) = try image.value(property) else { return }
                var place = LayoutAccess.impliedPosition(of: image.rowID)
                if let position, case .int(let stored) = try image.value(position) { place = stored }
                try body(RelatedPair(source: image.rowID, place: 0, destination: target, otherPlace: place))
            }
        case .links(let table, _):
            guard let database = try transaction.database(try catalog.links(table).database) else { return }
            let records = try catalog.access(source.id).records
            var cursor = try transaction.cursor(in: database)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                let (half, link) = try LinkTable.decode(key: cursor.key, value: cursor.value)
                guard half == .forward else { break }
                if try transaction.contains(link.owner, in: records) {
                    let implied = LayoutAccess.impliedPosition(of: link.owner)
                    try body(
                        RelatedPair(
                            source: link.owner, place: link.position, destination: link.member,
                            otherPlace: wasOrdered ? link.otherPosition : implied))
                }
                isAtEntry = try cursor.next()
            }
        case .inverseOfReference: break
        }
    }

    /// Writes the pairs where they are kept after the change, but for the entries of indexes.
    func put(_ pairs: RelatedPairs, by catalog: Catalog, in transaction: inout WriteTransaction) throws {
        switch after.storage {
        case .links(let table, let isForward):
            let links = try catalog.links(table)
            // Those of before stand in the same table, without an order on their other side.
            if let database = try transaction.database(links.database) { try transaction.empty(database) }
            try putLinks(pairs, to: links, isForward: isForward, in: &transaction)
        case .inverseOfReference: try putReferences(pairs, by: catalog, in: &transaction)
        case .reference: break
        }
    }

    /// - Parameter isForward: whether the side that kept the pairs before is the source of half 0.
    private func putLinks(
        _ pairs: RelatedPairs, to table: LinkTable, isForward: Bool, in transaction: inout WriteTransaction
    ) throws {
        let links = SortedLinks(budget: pairs.budget)
        try pairs.forEach { pair in
            let link = LinkTable.Link(
                owner: pair.source, position: pair.place, member: pair.destination,
                otherPosition: inverse == nil ? 0 : pair.otherPlace)
            try links.append(isForward ? link : link.mirrored)
        }
        try links.put(to: table, in: &transaction)
    }

    private func putReferences(
        _ pairs: RelatedPairs, by catalog: Catalog, in transaction: inout WriteTransaction
    ) throws {
        guard let inverse, case .reference(let property, let position, _) = inverse.relationship.storage else {
            throw StorageError(.damagedCatalog("a relationship's other side keeps no reference"))
        }
        let access = try catalog.access(inverse.entity.id)
        let (reference, positionField) = (try access.position(of: property), try position.map(access.position))
        try pairs.forEach { pair in
            guard let row = try RowImage.read(pair.destination, of: access, in: transaction) else { return }
            try row.verifyChecksum()
            let outcome = RowOutcome.unchanged(row)
            try outcome.set(reference, to: .uint(pair.source))
            if let positionField { try outcome.set(positionField, to: .int(pair.place)) }
            // The row has not changed for those who follow it: where it is kept has.
            outcome.isQuiet = true
            try outcome.store(save: try row.save, in: &transaction)
        }
    }
}
