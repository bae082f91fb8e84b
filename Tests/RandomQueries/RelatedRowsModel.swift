import Foundation
package import LoamQuery
package import LoamStorage

/// All rows and links in memory: the meaning of predicates over relationships.
package final class RelatedRowsModel: RelatedRows {
    package var rows: [EntityID: [RowID: PlainRow]] = [:]
    /// Both sides of each pair, by the relationships that are kept as links.
    package var links: [PropertyID: [RowID: [RowID]]] = [:]
    package let schema: Schema

    package init(_ schema: Schema) { self.schema = schema }

    package func value(of expression: TypedExpression, at rowID: RowID, of entity: Entity) throws -> Value? {
        try rows[entity.id]?[rowID].map { try expression.value(in: $0, self) }
    }

    package func holds(_ predicate: TypedPredicate, at rowID: RowID, of entity: Entity) throws -> Bool? {
        try rows[entity.id]?[rowID].map { try predicate.holds(rowID: rowID, values: $0.values, related: self) }
    }

    package func run(
        _ program: FilterProgram, at rowID: RowID, of entity: Entity, _ call: FilterCall
    ) throws -> Bool? {
        try rows[entity.id]?[rowID].map { try program.run($0, related: self, call: call) }
    }

    package func contains(_ rowID: RowID, of entity: Entity) -> Bool { rows[entity.id]?[rowID] != nil }

    package func forEachRelated(of rowID: RowID, _ hop: RelationHop, _ body: (RowID) throws -> Bool) throws {
        for member in members(of: rowID, hop) where contains(member, of: hop.destination) {
            guard try body(member) else { return }
        }
    }

    package func relatedCount(of rowID: RowID, _ hop: RelationHop) -> Int {
        members(of: rowID, hop).count { contains($0, of: hop.destination) }
    }

    private func members(of rowID: RowID, _ hop: RelationHop) -> [RowID] {
        if let reference = hop.reference {
            guard case .uint(let target)? = rows[hop.source.id]?[rowID]?.value(of: reference) else { return [] }
            return [target]
        }
        if let reference = hop.inverseReference {
            return (rows[hop.destination.id] ?? [:]).values.filter { $0.value(of: reference) == .uint(rowID) }
                .map(\.rowID)
        }
        return links[hop.relationship.id]?[rowID] ?? []
    }

    // MARK: Changes

    /// Links two rows, from the side of `relationship`; the other side follows.
    package func link(_ relationship: Relationship, _ source: RowID, _ destination: RowID) {
        if links[relationship.id]?[source]?.contains(destination) != true {
            links[relationship.id, default: [:]][source, default: []].append(destination)
        }
        if let inverse = relationship.inverse, links[inverse]?[destination]?.contains(source) != true {
            links[inverse, default: [:]][destination, default: []].append(source)
        }
    }

    package func unlink(_ relationship: Relationship, _ source: RowID, _ destination: RowID) {
        links[relationship.id]?[source]?.removeAll { $0 == destination }
        if let inverse = relationship.inverse { links[inverse]?[destination]?.removeAll { $0 == source } }
    }

    /// Deletes a row as the rule *nullify* does.
    package func delete(_ rowID: RowID, of entity: Entity) {
        rows[entity.id]?[rowID] = nil
        for other in schema.entities {
            for relationship in other.relationships where relationship.destination == entity.id {
                guard let property = relationship.referenceProperty,
                    let position = other.properties.firstIndex(where: { $0.id == property })
                else { continue }
                for row in (rows[other.id] ?? [:]).values where row.values[position] == .uint(rowID) {
                    var values = row.values
                    values[position] = .null
                    rows[other.id]?[row.rowID] = PlainRow(rowID: row.rowID, values: values)
                }
            }
        }
        for id in links.keys {
            for source in (links[id] ?? [:]).keys { links[id]?[source]?.removeAll { $0 == rowID } }
        }
    }

    package func scan(_ entity: Entity) -> FullScan {
        let all = (rows[entity.id] ?? [:]).values.sorted { $0.rowID < $1.rowID }
        return FullScan(
            entity: entity, rows: all.map { ($0.rowID, $0.values) }, schema: schema, related: self)
    }
}
