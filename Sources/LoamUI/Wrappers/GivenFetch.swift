public import Foundation
public import Loam

/// What a `@FetchRequest` was made with: what a request said when this was made, and what its results are.
public final class GivenFetch<Result>: Sendable {
    /// The fetch in a context; nil without a context where the model follows from that.
    typealias MakeSource = @MainActor @Sendable (GivenFetch, ModelContext?) throws -> (any FetchSource<Result>)?
    /// A result by its model, with the properties that the request names.
    typealias Make = @MainActor @Sendable (any PersistentModel, [FetchedProperty]) -> Result

    let settings: FetchSettings
    let transaction: Transaction?
    let resultType: NSFetchRequestResultType
    let source: MakeSource
    /// Whether the model is found in a context, by the name of its entity.
    var isOfContext: Bool { resultType != .managedObjectResultType }

    init(
        _ settings: FetchSettings, transaction: Transaction?, resultType: NSFetchRequestResultType,
        source: @escaping MakeSource
    ) {
        (self.settings, self.transaction, self.source) = (settings, transaction, source)
        self.resultType = resultType
    }

    private convenience init(valuesOf settings: FetchSettings, transaction: Transaction?, make: @escaping Make) {
        self.init(settings, transaction: transaction, resultType: .dictionaryResultType) { given, context in
            try context.map { try given.source(over: try given.model(in: $0), make) }
        }
    }

    /// The model of the entity that the request names.
    private func model(in context: ModelContext) throws(SwiftDataError) -> any PersistentModel.Type {
        let entities = context.container.schema.entities
        if let entity = entities.first(where: { $0.name == settings.entityName }) { return entity.model }
        throw SwiftDataError(
            .unknownSchema, detail: "The context has no entity \(settings.entityName ?? "without a name").")
    }

    @MainActor private func source<Model: PersistentModel>(
        over model: Model.Type, _ make: @escaping Make
    ) throws -> any FetchSource<Result> {
        let properties = try FetchedProperty.all(named: settings.propertiesToFetch, of: model)
        return ModelFetchSource<Model, Result>(self, .model { make($0, properties) })
    }
}

extension GivenFetch where Result: PersistentModel {
    convenience init(_ settings: FetchSettings, transaction: Transaction?) {
        self.init(settings, transaction: transaction, resultType: .managedObjectResultType) { given, _ in
            ModelFetchSource<Result, Result>(given, .model { $0 })
        }
    }

    /// The models that a request fetches, as it is now, with a transaction of their changes. O(1).
    public convenience init(_ request: NSFetchRequest<Result>, transaction: Transaction? = nil) {
        self.init(request.present, transaction: transaction)
    }
}

extension GivenFetch where Result == PersistentIdentifier {
    convenience init(_ settings: FetchSettings, transaction: Transaction?) {
        self.init(settings, transaction: transaction, resultType: .managedObjectIDResultType) { given, context in
            try context.map { given.identifiers(over: try given.model(in: $0)) }
        }
    }

    @MainActor private func identifiers<Model: PersistentModel>(over model: Model.Type) -> any FetchSource<Result> {
        ModelFetchSource<Model, Result>(self, .identifier { $0 })
    }

    /// The identifiers of the models that a request fetches, as it is now, with a transaction of their changes. O(1).
    public convenience init(_ request: NSFetchRequest<Result>, transaction: Transaction? = nil) {
        self.init(request.present, transaction: transaction)
    }
}

extension GivenFetch where Result == [String: Any] {
    convenience init(_ settings: FetchSettings, transaction: Transaction?) {
        self.init(valuesOf: settings, transaction: transaction) { FetchedProperty.values(of: $1, in: $0) }
    }

    /// The values of the models that a request fetches, as it is now, with a transaction of their changes. O(1).
    public convenience init(_ request: NSFetchRequest<Result>, transaction: Transaction? = nil) {
        self.init(request.present, transaction: transaction)
    }
}

extension GivenFetch where Result == NSDictionary {
    convenience init(_ settings: FetchSettings, transaction: Transaction?) {
        self.init(valuesOf: settings, transaction: transaction) {
            NSDictionary(dictionary: FetchedProperty.values(of: $1, in: $0))
        }
    }

    /// The values of the models that a request fetches, as it is now, with a transaction of their changes. O(1).
    public convenience init(_ request: NSFetchRequest<Result>, transaction: Transaction? = nil) {
        self.init(request.present, transaction: transaction)
    }
}
