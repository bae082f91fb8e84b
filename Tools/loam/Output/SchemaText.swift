import Foundation
import LoamStorage

/// A schema for people, and as JSON.
enum SchemaText {
    /// One block per entity: its properties, an optional one with `?` behind its type, then its indexes.
    static func text(_ schema: Schema, _ style: Style) -> String {
        guard !schema.entities.isEmpty else { return "The store has no entities.\n" }
        return schema.entities.map { text($0, style) }.joined(separator: "\n")
    }

    private static func text(_ entity: Entity, _ style: Style) -> String {
        var lines = [style.bold(Printable.escaped(entity.name))]
        let names = entity.properties.map { Printable.escaped($0.name) }
        let width = names.map(Printable.width).max() ?? 0
        for (name, property) in zip(names, entity.properties) {
            let space = String(repeating: " ", count: width - Printable.width(of: name))
            lines.append(
                "  \(name)\(space)  \(Printable.escaped(property.type.description))\(property.isOptional ? "?" : "")")
        }
        for index in entity.indexes {
            lines.append("  \(style.dim("index")) \(Printable.escaped(text(index, of: entity)))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An index by name and by what it is: `name: a, b descending, fold; unique`.
    static func text(_ index: Index, of entity: Entity) -> String {
        let components = index.components.map { component in
            let words = [
                entity.keyPath(component), form(component.form),
                component.direction == .descending ? "descending" : nil,
            ]
            return words.compactMap { $0 }.joined(separator: " ")
        }
        let included = index.included.compactMap { entity.property(withID: $0)?.name }.joined(separator: ", ")
        let traits = [
            index.isUnique ? "unique" : nil, index.isSectioned ? "sectioned" : nil,
            included.isEmpty ? nil : "includes \(included)", index.state == .ready ? nil : index.state.rawValue,
        ].compactMap { $0 }
        return "\(index.name): " + ([components.joined(separator: ", ")] + traits).joined(separator: "; ")
    }

    private static func form(_ form: StringForm) -> String? {
        switch form {
        case .exact: nil
        case .caseFolded: "without case"
        case .caseAndDiacriticFolded: "without case and diacritics"
        case .diacriticFolded: "without diacritics"
        case .localizedStandard: "in localized order"
        }
    }

    static func json(_ schema: Schema) throws -> String {
        struct EntityJSON: Encodable {
            var name: String
            var id: EntityID
            var properties: [PropertyJSON]
            var indexes: [IndexJSON]
        }
        struct PropertyJSON: Encodable {
            var name: String
            var id: PropertyID
            var type: ValueType
            var optional: Bool
        }
        let entities = schema.entities.map { entity in
            EntityJSON(
                name: entity.name, id: entity.id,
                properties: entity.properties.map {
                    PropertyJSON(name: $0.name, id: $0.id, type: $0.type, optional: $0.isOptional)
                },
                indexes: entity.indexes.map { IndexJSON($0, of: entity) })
        }
        return try JSONOutput.text(["entities": entities])
    }
}

/// An index in JSON output.
struct IndexJSON: Encodable {
    struct Component: Encodable {
        var key: String
        var direction: SortDirection
        var form: StringForm
    }

    var entity: String
    var name: String
    var id: IndexID
    var components: [Component]
    var unique: Bool
    var sectioned: Bool
    var included: [String]
    var state: IndexState

    init(_ index: Index, of entity: Entity) {
        self.entity = entity.name
        name = index.name
        id = index.id
        components = index.components.map { Component(key: entity.keyPath($0), direction: $0.direction, form: $0.form) }
        unique = index.isUnique
        sectioned = index.isSectioned
        included = index.included.compactMap { entity.property(withID: $0)?.name }
        state = index.state
    }
}

/// JSON for programs: indented, with sorted names.
enum JSONOutput {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}
