import Foundation

/// Which configuration of a container takes which of its models.
///
/// A configuration with a schema takes the models that the schema lists, and those that their relationships lead to.
/// One without a schema takes the models that no other takes. Every model is taken by one configuration, so that it has
/// one store, and no relationship leads from a model of one to a model of another.
///
/// A function from values to values: nothing is opened.
struct ModelAssignment {
    private let schema: Schema
    private let configurations: [ModelConfiguration]
    /// By model, the index of the configuration that takes it.
    private var takers: [ObjectIdentifier: Int] = [:]

    /// The models of each configuration, in the order of the configurations.
    ///
    /// - Throws: ``SwiftDataError`` that names the model, the relationship or the configurations that do not fit.
    static func schemas(of configurations: [ModelConfiguration], from schema: Schema) throws -> [Schema] {
        if configurations.count == 1, configurations[0].schema == nil { return [schema] }
        var assignment = ModelAssignment(schema: schema, configurations: configurations)
        try assignment.requireDifferentStores()
        try assignment.assign()
        return configurations.indices.map(assignment.schema)
    }

    private init(schema: Schema, configurations: [ModelConfiguration]) {
        self.schema = schema
        self.configurations = configurations
    }

    private func schema(at index: Int) -> Schema {
        if configurations.count == 1 { return schema }
        return Schema(
            schema.types.filter { takers[ObjectIdentifier($0)] == index }.map(\.type), version: schema.version)
    }

    // MARK: Stores

    private func requireDifferentStores() throws {
        var known: [StoreLocation: ModelConfiguration] = [:]
        for configuration in configurations {
            guard let location = StoreLocation(configuration) else { continue }
            if let other = known.updateValue(configuration, forKey: location) {
                throw SwiftDataError(sameStore: other, configuration)
            }
        }
    }

    /// Where a store is, as far as that can be told without opening it.
    private enum StoreLocation: Hashable {
        case file(String)
        case memory(String)

        /// Nil for one in memory without a name, which is a store of its own.
        init?(_ configuration: ModelConfiguration) {
            guard configuration.isStoredInMemoryOnly else {
                // The file may not be there yet, and then no link that leads to its folder is followed with it.
                let url = configuration.url.standardizedFileURL
                let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
                self = .file(folder.appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath().path)
                return
            }
            guard configuration.isNamed else { return nil }
            self = .memory(configuration.name)
        }
    }

    // MARK: Models

    private mutating func assign() throws {
        let listed = try configurations.map { try listedModels(of: $0) }
        for (index, models) in listed.enumerated() { for model in models { try take(model, for: index) } }
        for (index, models) in listed.enumerated() { try takeReached(from: models, for: index) }
        let rest = schema.types.filter { takers[ObjectIdentifier($0)] == nil }
        guard let taker = try takerOfRest() else {
            guard let model = rest.first else { return }
            throw SwiftDataError(
                .loadIssueModelContainer,
                detail:
                    "No configuration of the container takes \(model.entityName). Add it to the schema of one, or give one "
                    + "no schema: that one takes the models that no other takes.")
        }
        for model in rest { try take(model, for: taker) }
        try takeReached(from: rest, for: taker)
    }

    private func listedModels(of configuration: ModelConfiguration) throws -> [ModelType] {
        let models = configuration.schema?.listed ?? []
        for model in models where !schema.types.contains(where: { $0 === model }) {
            throw SwiftDataError(
                .configurationSchemaNotFoundInContainerSchema,
                detail:
                    "The configuration \(configuration.name) is for \(model.entityName), which is not among the models of the "
                    + "container.")
        }
        return models
    }

    private mutating func take(_ model: ModelType, for index: Int) throws {
        guard let other = takers.updateValue(index, forKey: ObjectIdentifier(model)) else { return }
        throw SwiftDataError(
            .duplicateConfiguration,
            detail: "Both configurations \(configurations[other].name) and \(configurations[index].name) are for "
                + "\(model.entityName), and a model is kept in one store. Leave it out of one.")
    }

    /// Takes what relationships lead to, as long as nobody has it.
    private mutating func takeReached(from models: [ModelType], for index: Int) throws {
        var waiting = models
        while let model = waiting.popLast() {
            for property in model.properties {
                guard let type = property.destination else { continue }
                let destination = ModelType.of(type)
                let taker = takers[ObjectIdentifier(destination)] ?? index
                guard taker == index else {
                    throw leadsAcross(model, property: property, destination: destination, from: index, to: taker)
                }
                if takers.updateValue(index, forKey: ObjectIdentifier(destination)) == nil {
                    waiting.append(destination)
                }
            }
        }
    }

    private func leadsAcross(
        _ model: ModelType, property: ModelProperty, destination: ModelType, from index: Int, to other: Int
    ) -> SwiftDataError {
        SwiftDataError(
            .loadIssueModelContainer,
            detail: "\(model.entityName).\(property.name) leads to \(destination.entityName), which the configuration "
                + "\(configurations[other].name) keeps, while \(configurations[index].name) keeps \(model.entityName). A "
                + "relationship cannot lead to another store: keep both models in one, or keep a "
                + "PersistentIdentifier in an attribute.")
    }

    /// The configuration without a schema.
    private func takerOfRest() throws -> Int? {
        let rest = configurations.indices.filter { configurations[$0].schema == nil }
        guard rest.count < 2 else {
            throw SwiftDataError(
                .duplicateConfiguration,
                detail:
                    "Both configurations \(configurations[rest[0]].name) and \(configurations[rest[1]].name) have no "
                    + "schema, and would take the same models. Say in the schema of one which models it is for.")
        }
        return rest.first
    }
}

extension SwiftDataError {
    init(sameStore one: ModelConfiguration, _ other: ModelConfiguration) {
        let what =
            one.isStoredInMemoryOnly
            ? "Two configurations in memory have the name \(one.name), under which they share a store. Give each a name of "
                + "its own, or none."
            : "The configurations \(one.name) and \(other.name) have the same file, \(other.url.path). Give each its own."
        self.init(.duplicateConfiguration, detail: what)
    }
}
