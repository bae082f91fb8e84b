import Foundation
import LoamStorage

/// The parts that `loam schema STORE drop NAME` takes away, looked at before they are dropped.
struct SchemaDrop {
    let change: SchemaChange
    /// The parts that are dropped, with counts, as one sentence.
    let summary: String

    /// - Parameter name: an entity; or `ENTITY.NAME` with a property, a relationship or an index of it.
    init(_ name: String, in snapshot: Snapshot) throws {
        if let entity = snapshot.schema.entity(named: name) {
            self = try .entity(entity, snapshot)
            return
        }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let entity = try snapshot.schema.requireEntity(parts.first ?? "")
        let member = parts.count > 1 ? parts[1] : ""
        if let relationship = entity.relationships.first(where: { $0.name == member }) {
            self = try .relationship(relationship, of: entity, snapshot)
        } else if let position = entity.properties.firstIndex(where: { $0.name == member && $0.role == .attribute }) {
            self = try .property(position, of: entity, snapshot)
        } else if let index = entity.indexes.first(where: { $0.name == member }) {
            self = .index(index, of: entity)
        } else {
            let known = entity.properties.filter { $0.role == .attribute }.map(\.name)
            throw ArgumentError(
                .unknownProperty(
                    member, entity: entity.name,
                    known: known + entity.relationships.map(\.name)
                        + entity.indexes.filter { $0.kind == .unique }.map(\.name)))
        }
    }

    private init(_ change: SchemaChange, _ summary: String) {
        self.change = change
        self.summary = summary
    }

    private static func entity(_ entity: Entity, _ snapshot: Snapshot) throws -> SchemaDrop {
        let leading = snapshot.schema.entities.flatMap { other in
            other.relationships.filter { $0.destination == entity.id }.map { "\(other.name).\($0.name)" }
        }
        return SchemaDrop(
            .removeEntity(entity.name),
            "Entity \(entity.name) goes, with \(count(try snapshot.count(of: entity), "row")), "
                + "\(count(entity.indexes.count, "index", "indexes"))"
                + (leading.isEmpty ? "" : " and the relationships that lead to it: " + leading.joined(separator: ", "))
                + ".")
    }

    private static func property(_ position: Int, of entity: Entity, _ snapshot: Snapshot) throws -> SchemaDrop {
        let property = entity.properties[position]
        let values = try rows(of: entity, in: snapshot) { try !$0.isNull(position) }
        let indexes = entity.indexes.filter { $0.properties.contains(property.id) }
        return SchemaDrop(
            .removeProperty(property.name, from: entity.name),
            "\(entity.name).\(property.name) goes, with its value in \(count(values, "row"))"
                + (indexes.isEmpty
                    ? "" : " and the indexes that use it: \(indexes.map(\.name).joined(separator: ", "))")
                + ".")
    }

    private static func relationship(
        _ relationship: Relationship, of entity: Entity, _ snapshot: Snapshot
    ) throws -> SchemaDrop {
        var related = 0
        var ids: [RowID] = []
        try snapshot.scanRows(of: entity) { row in
            ids.append(row.rowID)
            return true
        }
        for id in ids { related += try snapshot.relatedCount(of: id, relationship, in: entity) }
        let other = relationship.inverse.flatMap(snapshot.schema.relationship(withID:))
        return SchemaDrop(
            .removeRelationship(relationship.name, from: entity.name),
            "\(entity.name).\(relationship.name) goes, with \(count(related, "related row"))"
                + (other.map {
                    $0.relationship.id == relationship.id
                        ? "" : " and its inverse \($0.entity.name).\($0.relationship.name)"
                } ?? "")
                + ".")
    }

    private static func index(_ index: Index, of entity: Entity) -> SchemaDrop {
        SchemaDrop(
            .dropIndex(index.name, from: entity.name),
            index.kind == .unique
                ? "The constraint \(index.name) of \(entity.name) goes: rows may then have the same values."
                : "The index \(index.name) of \(entity.name) goes.")
    }

    private static func rows(
        of entity: Entity, in snapshot: Snapshot, where isCounted: (borrowing StoredRow) throws -> Bool
    ) throws -> Int {
        var number = 0
        try snapshot.scanRows(of: entity) { row in
            if try isCounted(row) { number += 1 }
            return true
        }
        return number
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(Grouped.text(number)) " + (number == 1 ? one : many ?? one + "s")
    }
}
