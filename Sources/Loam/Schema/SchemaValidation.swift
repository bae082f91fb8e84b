import Foundation
import LoamStorage

/// Checks what can be wrong with the models of a schema, so that the error names the property.
enum SchemaValidation {
    static func validate(_ schema: Schema) throws {
        let names = schema.types.map(\.entityName)
        if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
            throw error("Two models are named \(twice).")
        }
        for type in schema.types {
            for property in type.properties where property.destination == nil && property.storage == nil {
                throw error(
                    "\(type.entityName).\(property.name) has type \(property.valueType), which is neither Codable nor a "
                        + "model. Make it Codable, or mark the property @Transient.")
            }
            for property in type.properties where !property.hasFallback {
                throw error(
                    "\(type.entityName).\(property.name) has type \(property.valueType), whose init(from:) refuses every "
                        + "empty value, so that there would be nothing to read once a row is gone. Give the property a "
                        + "default value, or make it optional.")
            }
            for index in type.indexes {
                for name in index.names where !type.properties.contains(where: { $0.name == name }) {
                    throw error("An index of \(type.entityName) names \(name), which is no stored property of it.")
                }
            }
            _ = try RelationshipPairs(schema).definitions(of: type)
        }
    }

    static func error(_ text: String) -> SwiftDataError { SwiftDataError(.loadIssueModelContainer, text) }
}

/// Which relationships are each other's inverse: those that say so, and those of which there is exactly one candidate.
struct RelationshipPairs {
    private struct Side: Hashable {
        let entity: String
        let name: String
    }

    private var inverses: [Side: Side] = [:]
    private let types: [ModelType]

    init(_ schema: Schema) throws {
        types = schema.types
        try pairDeclared()
        pairInferred()
    }

    private mutating func pairDeclared() throws {
        for type in types {
            for property in type.properties {
                guard let relationship = property.relationship, let keyPath = relationship.inverseKeyPath else {
                    continue
                }
                guard let other = types.first(where: { $0.entityName == relationship.destination }),
                    let name = other.name(of: keyPath)
                else {
                    throw SchemaValidation.error(
                        "The inverse of \(type.entityName).\(property.name) is no property of "
                            + "\(relationship.destination).")
                }
                try pair(
                    Side(entity: type.entityName, name: property.name), Side(entity: other.entityName, name: name))
            }
        }
    }

    private mutating func pair(_ left: Side, _ right: Side) throws {
        for (side, other) in [(left, right), (right, left)] {
            if let known = inverses[side], known != other {
                throw SchemaValidation.error(
                    "\(side.entity).\(side.name) is named as inverse by two relationships: \(known.entity).\(known.name) "
                        + "and \(other.entity).\(other.name).")
            }
            inverses[side] = other
        }
    }

    private mutating func pairInferred() {
        for type in types {
            for property in type.properties {
                guard let relationship = property.relationship else { continue }
                let side = Side(entity: type.entityName, name: property.name)
                guard inverses[side] == nil else { continue }
                let forward = candidates(from: type.entityName, to: relationship.destination)
                let backward = candidates(from: relationship.destination, to: type.entityName).filter { $0 != side }
                // Within one entity a lone relationship has no other side.
                guard forward.filter({ $0 != side }).count == (type.entityName == relationship.destination ? 1 : 0),
                    backward.count == 1
                else { continue }
                inverses[side] = backward[0]
                inverses[backward[0]] = side
            }
        }
    }

    /// Relationships between two entities that have no inverse yet.
    private func candidates(from: String, to: String) -> [Side] {
        types.filter { $0.entityName == from }.flatMap { type in
            type.properties.filter { $0.relationship?.destination == to }
                .map { Side(entity: from, name: $0.name) }
        }.filter { inverses[$0] == nil }
    }

    func definitions(of type: ModelType) throws -> [RelationshipDefinition] {
        type.properties.compactMap { property in
            guard let relationship = property.relationship else { return nil }
            return RelationshipDefinition(
                property.name, to: relationship.destination,
                isToMany: !relationship.isToOneRelationship, isOptional: relationship.isOptional,
                deleteRule: relationship.deleteRule.storage,
                inverse: inverses[Side(entity: type.entityName, name: property.name)]?.name,
                minimumCount: relationship.minimumModelCount ?? 0, maximumCount: relationship.maximumModelCount ?? 0)
        }
    }
}

extension Schema.Relationship.DeleteRule {
    var storage: LoamStorage.DeleteRule {
        switch self {
        case .noAction: .noAction
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }
}
