import Foundation
import LoamStorage

/// Makes transactions for users out of what the history keeps of saves, by the catalog of now: what was renamed since
/// has the new name, and what was dropped is passed over.
struct HistoryDecoding {
    private let storeID: String
    private let bindings: [EntityID: EntityBinding]
    private let names: [EntityID: String]
    private let links: [PropertyID: LinkSides]

    /// The two sides of a relationship that is kept in links, or was when a save was made: links are told of by the id
    /// of their forward side.
    private struct LinkSides {
        let source: EntityID
        let forward: PropertyID
        let destination: EntityID
        let backward: PropertyID?
    }

    init(_ catalog: Catalog, of store: ContainerStore, bindings known: ContextBindings) throws {
        storeID = store.id
        names = Dictionary(catalog.schema.entities.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var bindings: [EntityID: EntityBinding] = [:]
        for type in store.schema.types {
            let binding = try known.binding(named: type.entityName)
            bindings[binding.entity.id] = binding
        }
        self.bindings = bindings
        var links: [PropertyID: LinkSides] = [:]
        for entity in catalog.schema.entities {
            for side in entity.relationships {
                links[side.id] = LinkSides(
                    source: entity.id, forward: side.id, destination: side.destination, backward: side.inverse)
            }
        }
        self.links = links
    }

    func transaction(of entry: HistoryEntry) throws -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            id: Int64(clamping: entry.save), timestamp: Date(timeIntervalSinceReferenceDate: entry.time),
            changes: try changes(of: entry), token: DefaultHistoryToken(store: storeID, save: entry.save),
            storeIdentifier: storeID, author: entry.author,
            rewrittenEntityNames: entry.rewritten.compactMap { names[$0] })
    }

    private func changes(of entry: HistoryEntry) throws -> [HistoryChange] {
        var linked = linkedRows(of: entry)
        var rows = entry.rows
        for position in rows.indices {
            let row = rows[position]
            guard let more = linked.removeValue(forKey: Row(row.entity, rowID: row.rowID)), row.kind == .update else {
                continue
            }
            rows[position].changed += more.sorted()
        }
        rows += linked.sorted { $0.key < $1.key }.map { row, changed in
            HistoryEntry.Row(kind: .update, entity: row.entity, rowID: row.rowID, changed: changed.sorted())
        }
        var changes: [HistoryChange] = []
        changes.reserveCapacity(rows.count)
        for row in rows {
            guard let binding = bindings[row.entity] else { continue }
            changes.append(
                try change(row, of: binding.model.type, binding: binding, number: Int64(changes.count), in: entry.save))
        }
        return changes
    }

    private struct Row: Hashable, Comparable {
        let entity: EntityID
        let rowID: RowID

        init(_ entity: EntityID, rowID: RowID) { (self.entity, self.rowID) = (entity, rowID) }

        static func < (left: Row, right: Row) -> Bool { (left.entity, left.rowID) < (right.entity, right.rowID) }
    }

    /// By row: the relationships whose links changed.
    private func linkedRows(of entry: HistoryEntry) -> [Row: Set<PropertyID>] {
        var rows: [Row: Set<PropertyID>] = [:]
        for link in entry.links {
            guard let sides = links[link.relationship] else { continue }
            rows[Row(sides.source, rowID: link.source), default: []].insert(sides.forward)
            guard let backward = sides.backward else { continue }
            rows[Row(sides.destination, rowID: link.destination), default: []].insert(backward)
        }
        return rows
    }

    private func change<T: PersistentModel>(
        _ row: HistoryEntry.Row, of type: T.Type, binding: EntityBinding, number: Int64, in save: UInt64
    ) throws -> HistoryChange {
        let (transaction, identifier) = (
            Int64(clamping: save), PersistentIdentifier(binding.origin, row: row.rowID)
        )
        switch row.kind {
        case .insert:
            return .insert(
                DefaultHistoryInsert<T>(
                    changeIdentifier: number, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier))
        case .update:
            return .update(
                DefaultHistoryUpdate<T>(
                    changeIdentifier: number, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier,
                    updatedAttributes: binding.ordinals(of: Set(row.changed)).compactMap { ordinal in
                        // A `KeyPath` of a model's property is `Sendable`; its type-erased form does not say so.
                        (binding.model.keyPath(ordinal) as? PartialKeyPath<T>).map {
                            unsafeBitCast($0, to: (any PartialKeyPath<T> & Sendable).self)
                        }
                    }))
        case .delete:
            return .delete(
                DefaultHistoryDelete<T>(
                    changeIdentifier: number, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier,
                    tombstone: HistoryTombstone(try binding.preservedValues(of: row), of: binding.model)))
        }
    }
}

extension EntityBinding {
    /// What the history keeps of a deleted row for the model's preserved attributes, by ordinal.
    fileprivate func preservedValues(of row: HistoryEntry.Row) throws -> [(ordinal: Int, value: Value)] {
        guard !row.previous.isEmpty else { return [] }
        var values: [(ordinal: Int, value: Value)] = []
        for (ordinal, property) in model.properties.enumerated() where property.isPreserved {
            guard let id = position(ordinal).map({ entity.properties[$0].id }),
                let field = row.previous.first(where: { $0.property == id })
            else { continue }
            let value = try field.bytes.withUnsafeBytes { try CompositeCodec.decode($0.bytes) }
            if !value.isNull { values.append((ordinal, value)) }
        }
        return values
    }
}
