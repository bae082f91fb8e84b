import Foundation
import LoamStorage

/// Writes a schema for people, and as JSON.
enum SchemaText {
    /// One block per entity: its attributes, an optional one with `?` behind its type, its relationships, its indexes.
    static func text(_ schema: Schema, _ style: Style) -> String {
        guard !schema.entities.isEmpty else { return "The store has no entities.\n" }
        return schema.entities.map { text($0, in: schema, style) }.joined(separator: "\n")
    }

    private static func text(_ entity: Entity, in schema: Schema, _ style: Style) -> String {
        var lines = [style.bold(Printable.escaped(entity.name))]
        let attributes = entity.properties.filter { $0.role == .attribute }.map {
            ($0.name, $0.type.description + ($0.isOptional ? "?" : ""))
        }
        let fields = attributes + entity.relationships.map { ($0.name, text($0, in: schema)) }
        let names = fields.map { Printable.escaped($0.0) }
        let width = names.map(Printable.width).max() ?? 0
        for (name, field) in zip(names, fields) {
            let space = String(repeating: " ", count: width - Printable.width(of: name))
            lines.append("  \(name)\(space)  \(Printable.escaped(field.1))")
        }
        for index in entity.indexes {
            lines.append("  \(style.dim("index")) \(Printable.escaped(text(index)))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A relationship by where it leads and what it does: `[City] inverse country, delete cascade`.
    static func text(_ relationship: Relationship, in schema: Schema) -> String {
        let destination = schema.entity(withID: relationship.destination)
        let name = destination?.name ?? ""
        let inverse = relationship.inverse.flatMap { destination?.relationship(withID: $0)?.name }
        let limits = [
            relationship.minimumCount > 0 ? "at least \(relationship.minimumCount)" : nil,
            relationship.maximumCount > 0 ? "at most \(relationship.maximumCount)" : nil,
        ]
        let traits =
            [inverse.map { "inverse \($0)" }]
            + [relationship.deleteRule == .nullify ? nil : "delete \(relationship.deleteRule.words)"] + limits
        let type = relationship.isToMany ? "[\(name)]" : relationship.isOptional ? "\(name)?" : name
        return ([type] + [traits.compactMap { $0 }.joined(separator: ", ")]).filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// An index by name and by what it is: `name: a, b descending, fold; unique`.
    static func text(_ index: Index) -> String {
        let definition = index.definition
        let components = definition.components.map { component in
            let words = [
                component.written, form(component.form),
                component.direction == .descending ? "descending" : nil,
            ]
            return words.compactMap { $0 }.joined(separator: " ")
        }
        let included = definition.included.joined(separator: ", ")
        let traits = [
            [.ordered, .reference].contains(index.kind) ? nil : index.kind.name,
            index.isSectioned ? "sectioned" : nil, included.isEmpty ? nil : "includes \(included)",
            index.currentState == .ready ? nil : index.currentState.rawValue,
        ].compactMap { $0 }
        return "\(index.name): " + ([components.joined(separator: ", ")] + traits).joined(separator: "; ")
    }

    private static func form(_ form: StringForm) -> String? {
        switch form {
        case .exact: nil
        case .caseFolded: "without case"
        case .caseAndDiacriticFolded: "without case and diacritics"
        case .diacriticFolded: "without diacritics"
        case .localizedStandard, .localized: "in localized order"
        }
    }

    static func json(_ schema: Schema) throws -> String {
        struct EntityJSON: Encodable {
            var name: String
            var id: EntityID
            var properties: [PropertyJSON]
            var relationships: [RelationshipJSON]
            var indexes: [IndexJSON]
        }
        struct PropertyJSON: Encodable {
            var name: String
            var id: PropertyID
            var type: ValueType
            var optional: Bool
        }
        struct RelationshipJSON: Encodable {
            var name: String
            var id: PropertyID
            var destination: String
            var toMany: Bool
            var optional: Bool
            var deleteRule: DeleteRule
            var inverse: String?
            var minimum: Int
            var maximum: Int
        }
        let entities = schema.entities.map { entity in
            EntityJSON(
                name: entity.name, id: entity.id,
                properties: entity.properties.filter { $0.role == .attribute }.map {
                    PropertyJSON(name: $0.name, id: $0.id, type: $0.type, optional: $0.isOptional)
                },
                relationships: entity.relationships.map { relationship in
                    let destination = schema.entity(withID: relationship.destination)
                    return RelationshipJSON(
                        name: relationship.name, id: relationship.id, destination: destination?.name ?? "",
                        toMany: relationship.isToMany, optional: relationship.isOptional,
                        deleteRule: relationship.deleteRule,
                        inverse: relationship.inverse.flatMap { destination?.relationship(withID: $0)?.name },
                        minimum: relationship.minimumCount, maximum: relationship.maximumCount)
                },
                indexes: entity.indexes.map { IndexJSON($0, of: entity) })
        }
        return try JSONOutput.text(["entities": entities])
    }
}

extension DeleteRule {
    fileprivate var words: String { self == .noAction ? "no action" : rawValue }
}

/// An index in JSON output: its definition as dumps have it, with its entity, id and state.
struct IndexJSON: Encodable {
    private enum Key: String, CodingKey {
        case entity, id, state
    }

    private let index: Index
    private let entity: String

    init(_ index: Index, of entity: Entity) {
        self.index = index
        self.entity = entity.name
    }

    func encode(to encoder: any Encoder) throws {
        try index.definition.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(entity, forKey: .entity)
        try values.encode(index.id, forKey: .id)
        try values.encode(index.currentState, forKey: .state)
    }
}

/// JSON for programs: indented, with sorted names, and without a character that steers a terminal.
enum JSONOutput {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: JSONText.escaped(Array(try encoder.encode(value))), as: UTF8.self) + "\n"
    }
}
