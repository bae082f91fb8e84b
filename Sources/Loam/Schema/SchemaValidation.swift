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
            for property in type.properties {
                if let transformer = property.transformer {
                    try validate(property, of: type.entityName, transformer: transformer)
                }
            }
            for property in type.properties where !property.hasFallback {
                throw error(
                    "\(type.entityName).\(property.name) has type \(property.valueType), whose init(from:) refuses every "
                        + "empty value, so that there would be nothing to read once a row is gone. Give the property a "
                        + "default value, or make it optional.")
            }
            for index in type.indexes {
                if case .unknown(let kind) = index.kind {
                    let names = index.properties.joined(separator: ", ")
                    throw error(
                        "The index of \(type.entityName) over \(names) is of kind \(kind), which is not yet supported. "
                            + "Use .binary.")
                }
                for name in index.properties where !type.properties.contains(where: { $0.name == name }) {
                    throw error("An index of \(type.entityName) names \(name), which is no stored property of it.")
                }
            }
        }
    }

    /// Throws where a transformer cannot store an attribute, naming both.
    private static func validate(
        _ property: ModelProperty, of entity: String, transformer: AttributeTransformer
    ) throws {
        let name = "\(entity).\(property.name)"
        if RelationshipTarget(property.valueType) != nil {
            throw error(
                "\(name) leads to models, which no transformer stores. Make it a relationship: take .transformable away."
            )
        }
        if let fault = transformer.fault {
            throw error("\(name) is transformed by \(transformer.name), and \(fault).")
        }
        if property.losesDefault {
            throw error("\(name) has a default value of which \(transformer.name) makes no data.")
        }
        guard property.hasFallback else {
            throw error(
                "\(name) is transformed and has a type without an empty value, so that there would be nothing to read "
                    + "once a row is gone. Give the property a default value, or make it optional.")
        }
    }

    /// Throws where the store keeps an attribute as another type than the model's, naming it and the versions that met.
    ///
    /// - Parameters:
    ///   - type: the model's, of the attribute of this name.
    ///   - rules: the version of the models that the store's rules are from, where there is one.
    ///   - version: of the models.
    static func requireType(
        of stored: Property, declared type: ValueType, named name: String, entity: String, rules: SchemaVersion?,
        version: SchemaVersion
    ) throws {
        guard stored.type != type else { return }
        let types = "\(entity).\(name) is stored as \(stored.type) and the model has \(type)"
        let versions =
            "The store's models are of version \(rules?.description ?? "unknown"), and these are of version \(version)."
        throw error(
            type.widens(to: stored.type)
                ? "\(types), which cannot hold every value of it. \(versions) Update this program, or give the new "
                    + "property another name."
                : "\(types). \(versions) Give the new property another name, or move the values over in a store of "
                    + "the new type.")
    }

    static func error(_ text: String) -> SwiftDataError { SwiftDataError(.loadIssueModelContainer, detail: text) }
}

/// Which relationships are each other's inverse: those that say so, and those of which there is exactly one candidate.
///
/// A relationship has one inverse. Where several name the same one, it belongs to the one that it names itself, or else
/// to the first; the others lead one way.
struct RelationshipPairs: Sendable {
    private struct Side: Hashable {
        let entity: String
        let name: String
    }

    private var inverses: [Side: Side] = [:]
    /// Sides that name an inverse, whether they have it or another one does.
    private var declared: [Side: Side] = [:]
    private let types: [ModelType]

    init(_ types: [ModelType]) throws {
        self.types = types
        try pairDeclared()
        pairInferred()
    }

    private mutating func pairDeclared() throws {
        var order: [Side] = []
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
                let side = Side(entity: type.entityName, name: property.name)
                declared[side] = Side(entity: other.entityName, name: name)
                order.append(side)
            }
        }
        for side in order where declared[side].flatMap({ declared[$0] }) == side { pair(side) }
        for side in order where declared[side].flatMap({ declared[$0] }) == nil { pair(side) }
    }

    /// Makes a side and the one that it names each other's inverse, where neither has one.
    private mutating func pair(_ side: Side) {
        guard let other = declared[side], inverses[side] == nil, inverses[other] == nil else { return }
        inverses[side] = other
        inverses[other] = side
    }

    private mutating func pairInferred() {
        for type in types {
            for property in type.properties {
                guard let relationship = property.relationship else { continue }
                let side = Side(entity: type.entityName, name: property.name)
                guard inverses[side] == nil, declared[side] == nil else { continue }
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
        }.filter { inverses[$0] == nil && declared[$0] == nil }
    }

    /// The name of the other side, where there is one.
    func inverse(of name: String, in entity: String) -> String? { inverses[Side(entity: entity, name: name)]?.name }

    func definitions(of type: ModelType) -> [RelationshipDefinition] {
        type.properties.compactMap { property in
            guard let relationship = property.relationship else { return nil }
            return RelationshipDefinition(
                property.name, to: relationship.destination,
                isToMany: !relationship.isToOneRelationship, isOptional: relationship.isOptional,
                deleteRule: relationship.deleteRule.storage,
                inverse: inverse(of: property.name, in: type.entityName),
                minimumCount: relationship.minimumModelCount ?? 0, maximumCount: relationship.maximumModelCount ?? 0,
                formerNames: property.formerNames)
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
