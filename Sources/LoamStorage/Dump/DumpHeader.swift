import Foundation
import LMDB

/// The first line of a dump: its format, and the entities whose rows follow, in that order.
///
/// Everything is named, nothing numbered, so that a dump does not depend on the ids of the store it came from. It is
/// one JSON object: `{"loam":"dump","format":2,"entities":[...]}`. Format 1 has other words for indexes; see
/// ``IndexDefinition``.
package struct DumpHeader: Hashable, Sendable {
    /// The format that is written. It and all older ones are read.
    package static let format = 2

    package var entities: [DumpEntity]

    package init(entities: [DumpEntity]) {
        self.entities = entities
    }

    /// The number of rows of all entities. A header that was read never announces more than there are row ids.
    package var rowCount: Int { entities.reduce(0) { $0 + $1.rows } }
}

/// An entity of a dump: its definition, and how many rows follow.
package struct DumpEntity: Hashable, Sendable, Codable {
    package var name: String
    package var rows: Int
    /// The highest row id; 0 without rows.
    package var lastRow: RowID
    /// The attributes, then the properties in which ``relationships`` keep references and positions.
    package var properties: [DumpProperty]
    /// The indexes, without those of relationships, which are made with the relationships.
    package var indexes: [IndexDefinition]
    /// The relationships; nil where there are none.
    package var relationships: [DumpRelationship]?
    /// The version of the models that delete rules, bounds and what may be nil are from; nil where it is not known.
    package var rules: SchemaVersion?
}

package struct DumpProperty: Hashable, Sendable, Codable {
    package var name: String
    package var type: ValueType
    package var optional: Bool
    /// What new rows get from programs whose models lack it, as the JSON text of a ``DumpValue``; nil without one.
    package var initial: String?
    /// Names that older models know it by; nil without any, and where a relationship has them.
    package var formerNames: [String]?
    /// Whether the history keeps its value when a row is deleted; nil where it does not.
    package var preserved: Bool?
}

extension DumpEntity {
    /// The definition of a stored entity, by name. An index that replaces another and is still being built is left out.
    ///
    /// - Parameters:
    ///   - relationships: those that are dumped; what others keep in the rows is left out.
    ///   - links: the number of links of each.
    ///   - initialValues: what new rows get for properties that their writer does not know, where that is not nil.
    package init(
        _ entity: Entity, rows: Int, lastRow: RowID, relationships: [Relationship] = [], in schema: Schema = Schema(),
        links: [PropertyID: Int] = [:], initialValues: [PropertyID: Value] = [:], rules: SchemaVersion? = nil
    ) {
        self.name = entity.name
        self.rows = rows
        self.lastRow = lastRow
        self.rules = rules
        let dumped = relationships.compactMap { DumpRelationship($0, in: schema, links: links[$0.id]) }
        self.relationships = dumped.isEmpty ? nil : dumped
        let kept = Self.positions(of: entity, relationships).map { entity.properties[$0] }
        properties = kept.map { DumpProperty($0, initialValue: initialValues[$0.id]) }
        let keptIDs = Set(kept.map(\.id))
        indexes = entity.indexes.filter { index in
            index.state != .building && index.kind != .reference && keptIDs.isSuperset(of: index.properties)
        }.map(\.definition)
    }
}

extension DumpProperty {
    fileprivate init(_ property: Property, initialValue: Value?) {
        self.init(name: property.name, type: property.type, optional: property.isOptional)
        guard property.role == .attribute else { return }
        preserved = property.isPreserved ? true : nil
        initial = initialValue.map { value in
            var text: [UInt8] = []
            DumpValue.append(value, as: property.type, to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        formerNames = property.formerNames.isEmpty ? nil : property.formerNames
    }

    /// The value of ``initial``; nil where it is no value of the type.
    fileprivate var initialValue: Value? {
        guard let initial else { return .null }
        return (try? JSONParser.parse(Array(initial.utf8))).flatMap { DumpValue.value($0, as: type) }
    }
}

extension DumpHeader {
    /// The most bytes of a header: as many as a catalog may have.
    static let longestLine = WriteTransaction.maximumValueSize

    /// The most bytes of the line of a row or a link. They are few where every property has a fixed width or is a
    /// decimal.
    var longestRow: Int {
        let properties = entities.flatMap(\.properties)
        guard properties.allSatisfy({ $0.type.fixedWidth != nil || $0.type == .decimal }) else { return 1 << 30 }
        let most = entities.map(\.properties.count).max() ?? 0
        // A name of 255 bytes, each perhaps written as an escape, and a number; and as much again in spaces.
        return (1 << 20) + most * (4 << 10)
    }

    private struct Version: Codable {
        var loam: String
        var format: Int
    }

    private struct Body: Codable {
        var entities: [DumpEntity]
    }

    /// The line's bytes, without its end.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(#"{"loam":"dump","format":\#(Self.format),"entities":"#.utf8)
            + JSONText.escaped(Array(try encoder.encode(entities))) + Array("}".utf8)
    }

    /// Reads the first line of a dump; throws when it is none, or one of a newer format.
    init(line: [UInt8]) throws {
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: Data(line)), version.loam == "dump" else {
            throw StorageError(.invalidDump(line: 1, "it is not the header of a dump"))
        }
        guard version.format <= Self.format else {
            throw StorageError(.newerDump(format: version.format, supported: Self.format))
        }
        do {
            entities = try decoder.decode(Body.self, from: Data(line)).entities
        } catch {
            throw StorageError(.invalidDump(line: 1, "the header does not describe entities"))
        }
        try validate()
    }

    /// The highest row id that is read. A damaged dump with higher ones would use up the store's row ids.
    private static let highestRow: RowID = 1 << 62

    private func validate() throws {
        func require(_ condition: Bool, why: String) throws {
            guard condition else { throw StorageError(.invalidDump(line: 1, why)) }
        }
        try require(Set(entities.map(\.name)).count == entities.count, why: "two entities have one name")
        var idsLeft = Self.highestRow
        for entity in entities {
            let names = Set(entity.properties.map(\.name))
            try require(entity.rows >= 0, why: "a number of rows is negative")
            try require(entity.lastRow <= Self.highestRow, why: "a row id is too high to leave any for new rows")
            let rows = UInt64(entity.rows)
            try require(rows <= min(entity.lastRow, idsLeft), why: "an entity has more rows than row ids")
            idsLeft -= rows
            try require(names.count == entity.properties.count, why: "two properties of one entity have one name")
            let former = entity.properties.map(\.formerNames) + (entity.relationships ?? []).map(\.formerNames)
            for name in former.compactMap(\.self).joined() {
                let isName = (try? CatalogDocument.validateName(name)) != nil
                try require(isName, why: "a former name is empty, too long, or has characters that no name has")
            }
            try require(
                entity.properties.allSatisfy { $0.initialValue != nil },
                why: "the initial value of a property is not of its type")
            try require(
                entity.properties.suffix(entity.keptProperties.count) == entity.keptProperties[...],
                why: "a relationship's properties are not the last ones of its entity")
            for relationship in entity.relationships ?? [] {
                try require(
                    entities.contains { $0.name == relationship.destination },
                    why: "a relationship leads to an entity that is not in the dump")
                try require((relationship.links ?? 0) >= 0, why: "a number of links is negative")
            }
            for index in entity.indexes {
                try require(
                    names.isSuperset(of: index.properties),
                    why: "an index uses a property that its entity does not have")
            }
        }
    }
}

extension DumpEntity {
    /// The definition that makes an entity like this one.
    var definition: EntityDefinition {
        let planned = (relationships ?? []).map(\.planned)
        var definition = EntityDefinition(
            name,
            properties: properties.dropLast(keptProperties.count).map {
                PropertyDefinition(
                    $0.name, type: $0.type, isOptional: $0.optional, initialValue: $0.initialValue ?? .null,
                    formerNames: $0.formerNames ?? [], isPreserved: $0.preserved ?? false)
            },
            relationships: planned.map(\.definition),
            indexes: indexes)
        definition.planned = planned
        definition.rulesVersion = rules
        return definition
    }
}
