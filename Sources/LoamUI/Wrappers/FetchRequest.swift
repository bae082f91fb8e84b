public import Foundation
public import Loam

/// The models that a fetch request finds, in a property of a view, kept current: Core Data's form of ``Query``.
///
/// ```swift
/// @FetchRequest(sortDescriptors: [SortDescriptor(\.name)], predicate: NSPredicate(format: "visited == true"))
/// private var countries: FetchedResults<Country>
/// ```
///
/// It fetches with the environment's context when its view is mounted and follows until the view is removed. Predicate and
/// sort descriptors can be set from anywhere on the main actor, on the results or through `$countries`; several settings
/// in one turn are one fetch. They stay until the view is made anew with a request that asks for something else. A limit
/// of the request holds whatever changes.
///
/// What cannot be fetched, as a format that cannot be read, shows in ``fetchError``, with the last good results kept.
///
/// The results may be something else than models, by a request that names the entity: `FetchedResults<PersistentIdentifier>`
/// has their identifiers, O(n) at the first reading of a result, for which no record is read;
/// `FetchedResults<[String: Any]>` and `FetchedResults<NSDictionary>` have their values by the names of the properties
/// (``NSFetchRequest/propertiesToFetch``), read when a position is asked for. A value that is nil is not in them.
@propertyWrapper @MainActor
public struct FetchRequest<Result> {
    private var property: LiveProperty<FetchRequestCore<Result>>

    // In the type itself, where the compiler looks for it for `@FetchRequest var cities: FetchedResults<City>`.
    /// All models, in the order of their identifiers.
    public init() where Result: PersistentModel { self.init(GivenFetch(FetchSettings(), transaction: nil)) }

    init(_ given: GivenFetch<Result>) { property = LiveProperty(given) }

    var core: FetchRequestCore<Result> { property.request }

    /// The results. O(1); one is made when it is asked for.
    public var wrappedValue: FetchedResults<Result> { core.value }

    /// What can be set: `$items.nsPredicate`, `$items.sortDescriptors`, `$items.nsSortDescriptors`.
    public var projectedValue: Binding<Configuration> { property.settings }

    /// Why the results are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.fetchError }

    /// What of a request can be set in place.
    public struct Configuration {
        var base: FetchConfiguration

        /// The order.
        public var nsSortDescriptors: [NSSortDescriptor] {
            get { base.nsSortDescriptors }
            set { base.nsSortDescriptors = newValue }
        }

        /// The condition; nil for all models.
        public var nsPredicate: NSPredicate? {
            get { base.nsPredicate }
            set { base.nsPredicate = newValue }
        }
    }
}

extension FetchRequest.Configuration where Result: PersistentModel {
    /// The order. Descriptors that are about no attribute of the model are left out when it is read.
    public var sortDescriptors: [SortDescriptor<Result>] {
        get { base.sortDescriptors() }
        set { base.nsSortDescriptors = newValue.map { NSSortDescriptor($0) } }
    }
}

extension FetchConfiguration {
    func sortDescriptors<Model: PersistentModel>() -> [SortDescriptor<Model>] {
        nsSortDescriptors.compactMap { try? $0.descriptor(over: Model.self) }
    }
}

extension FetchRequest: ObservedProperty {}

extension FetchRequest where Result: PersistentModel {
    /// The models of an entity.
    @_disfavoredOverload
    public init(
        entity: NSEntityDescription, sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
        animation: Animation? = nil
    ) {
        let settings = FetchSettings(entity.name, predicate, sortDescriptors)
        self.init(GivenFetch(settings, transaction: Transaction(ofWrapper: animation)))
    }

    /// What a request fetches, as it is now.
    public init(fetchRequest: NSFetchRequest<Result>, animation: Animation? = nil) {
        self.init(GivenFetch(fetchRequest, transaction: Transaction(ofWrapper: animation)))
    }

    /// What a request fetches, as it is now, with a transaction of its changes.
    public init(fetchRequest: NSFetchRequest<Result>, transaction: Transaction) {
        self.init(GivenFetch(fetchRequest, transaction: transaction))
    }

    /// The models of the results' type, in Core Data's order.
    @_disfavoredOverload
    public init(sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil, animation: Animation? = nil) {
        let settings = FetchSettings(nil, predicate, sortDescriptors)
        self.init(GivenFetch(settings, transaction: Transaction(ofWrapper: animation)))
    }

    /// The models of the results' type.
    public init(
        sortDescriptors: [SortDescriptor<Result>], predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        self.init(
            sortDescriptors: sortDescriptors.map { NSSortDescriptor($0) }, predicate: predicate, animation: animation)
    }
}

extension Transaction {
    /// What a wrapper shows its changes with by itself.
    init?(ofWrapper animation: Animation?) {
        guard let animation else { return nil }
        self.init(animation: animation)
    }
}
