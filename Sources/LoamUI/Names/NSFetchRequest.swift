public import Foundation
public import Loam
import Synchronization

/// What to fetch, under Core Data's name: kept, changed in place, and given to `@FetchRequest`.
///
/// ```swift
/// let request = NSFetchRequest<Item>(entityName: "Item")
/// request.sortDescriptors = [.init(keyPath: \Item.timestamp, ascending: true)]
/// ```
///
/// What a wrapper was given it has read when it was made; later changes of the request do not reach it.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `settings` | its mutex | whoever has the request | the request goes |
public final class NSFetchRequest<ResultType>: Sendable {
    /// The entity's name.
    public let entityName: String?
    private let settings: Mutex<FetchSettings>

    /// A request for all models of an entity, without an order.
    public init(entityName: String) {
        self.entityName = entityName
        settings = Mutex(FetchSettings(entityName))
    }

    /// A request for all models of the type of its results.
    public convenience init() where ResultType: PersistentModel {
        self.init(entityName: Schema.entityName(for: ResultType.self))
    }

    /// What the request says by now.
    var present: FetchSettings { settings.withLock { $0 } }

    /// The condition; nil for all models.
    public var predicate: NSPredicate? {
        get { present.configuration.nsPredicate }
        set {
            nonisolated(unsafe) let newValue = newValue
            settings.withLock { $0.configuration.nsPredicate = newValue }
        }
    }

    /// The order; nil for that of the identifiers.
    public var sortDescriptors: [NSSortDescriptor]? {
        get { present.configuration.nsSortDescriptors }
        set {
            nonisolated(unsafe) let newValue = newValue
            settings.withLock { $0.configuration.nsSortDescriptors = newValue ?? [] }
        }
    }

    /// The most models; 0 for no limit. It holds whatever is inserted later.
    public var fetchLimit: Int {
        get { present.limit }
        set { settings.withLock { $0.limit = newValue } }
    }

    /// How many models to pass over first.
    public var fetchOffset: Int {
        get { present.offset }
        set { settings.withLock { $0.offset = newValue } }
    }

    /// Without effect: results make a model when it is asked for.
    public var fetchBatchSize: Int {
        get { present.batchSize }
        set { settings.withLock { $0.batchSize = newValue } }
    }

    /// Whether unsaved changes of the context are part of the result.
    public var includesPendingChanges: Bool {
        get { present.includesPendingChanges }
        set { settings.withLock { $0.includesPendingChanges = newValue } }
    }

    /// Without effect: records are read whole, when a model is asked for.
    public var returnsObjectsAsFaults: Bool {
        get { present.returnsObjectsAsFaults }
        set { settings.withLock { $0.returnsObjectsAsFaults = newValue } }
    }

    /// The properties whose values are in results that are dictionaries; nil for all attributes. A name that the model does
    /// not have is an error of the fetch.
    public var propertiesToFetch: [String]? {
        get { present.propertiesToFetch }
        set { settings.withLock { $0.propertiesToFetch = newValue } }
    }

    /// What the results are; nil where their type alone says it. One that is not what the type says is an error of the
    /// fetch.
    public var resultType: NSFetchRequestResultType? {
        get { present.resultType }
        set { settings.withLock { $0.resultType = newValue } }
    }

    /// Without effect on a live result, whose models read what they lead to when that is asked for.
    public var relationshipKeyPathsForPrefetching: [String]? {
        get { present.prefetched }
        set { settings.withLock { $0.prefetched = newValue } }
    }
}

/// What the results of a fetch request are, under Core Data's name.
public enum NSFetchRequestResultType: Hashable, Sendable {
    /// Models.
    case managedObjectResultType
    /// Identifiers of models.
    case managedObjectIDResultType
    /// Values of models by the names of their properties.
    case dictionaryResultType
}

/// What a fetch request says. Its predicate and sort descriptors never change, so that any thread may have them.
struct FetchSettings: @unchecked Sendable {
    var entityName: String?
    var configuration = FetchConfiguration()
    var limit = 0
    var offset = 0
    var batchSize = 0
    var includesPendingChanges = true
    var returnsObjectsAsFaults = true
    var prefetched: [String]?
    var propertiesToFetch: [String]?
    var resultType: NSFetchRequestResultType?

    init(
        _ entityName: String? = nil, _ predicate: NSPredicate? = nil, _ sortDescriptors: [NSSortDescriptor] = []
    ) {
        self.entityName = entityName
        configuration = FetchConfiguration(nsPredicate: predicate, nsSortDescriptors: sortDescriptors)
    }

    /// The descriptor of a model's rows.
    ///
    /// - Throws: ``SwiftDataError`` for another entity, and for a predicate or a sort descriptor that cannot be run.
    func descriptor<Model: PersistentModel>(over model: Model.Type) throws(SwiftDataError) -> FetchDescriptor<Model> {
        if let entityName, entityName != Schema.entityName(for: model) {
            throw SwiftDataError(
                .unknownSchema, detail: "The request is for \(entityName), its results are of type \(model).")
        }
        var descriptor = FetchDescriptor<Model>(predicate: try configuration.nsPredicate?.predicate(over: model))
        for sort in configuration.nsSortDescriptors { descriptor.sortBy.append(try sort.descriptor(over: model)) }
        descriptor.fetchLimit = limit == 0 ? nil : limit
        descriptor.fetchOffset = offset == 0 ? nil : offset
        descriptor.includePendingChanges = includesPendingChanges
        return descriptor
    }

    func given<Model: PersistentModel>(over model: Model.Type) -> Result<FetchDescriptor<Model>, SwiftDataError> {
        do throws(SwiftDataError) {
            return .success(try descriptor(over: model))
        } catch {
            return .failure(error)
        }
    }
}

/// What can be set in place of a fetch request.
struct FetchConfiguration {
    var nsPredicate: NSPredicate?
    var nsSortDescriptors: [NSSortDescriptor] = []
}

extension EnvironmentValues {
    /// The context of the environment, under Core Data's name: ``modelContext``.
    public var managedObjectContext: ModelContext {
        get { modelContext }
        set { modelContext = newValue }
    }
}
