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
@propertyWrapper @MainActor
public struct FetchRequest<Result: PersistentModel> {
    private let given: GivenFetch<Result>
    @State var core: FetchRequestCore<Result>
    @Environment(\.modelContext) var context
    @Environment(\.modelContextError) var contextError

    // In the type itself, where the compiler looks for it for `@FetchRequest var cities: FetchedResults<City>`.
    /// All models, in the order of their identifiers.
    public init() { self.init(FetchSettings(), transaction: nil) }

    init(_ settings: FetchSettings, transaction: Transaction?) {
        let given = GivenFetch<Result>(settings, transaction: transaction)
        self.given = given
        _core = State(wrappedValue: FetchRequestCore(given))
    }

    /// The models. O(1); a model is made when it is asked for.
    public var wrappedValue: FetchedResults<Result> { FetchedResults(core) }

    /// What can be set: `$items.nsPredicate`, `$items.sortDescriptors`, `$items.nsSortDescriptors`.
    public var projectedValue: Binding<Configuration> {
        let core = core
        return Binding(get: { Configuration(base: core.configuration) }, set: { core.configuration = $0.base })
    }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.request.fetchError }

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

        /// The order. Descriptors that are about no attribute of the model are left out when it is read.
        public var sortDescriptors: [SortDescriptor<Result>] {
            get { base.sortDescriptors() }
            set { base.nsSortDescriptors = newValue.map { NSSortDescriptor($0) } }
        }
    }
}

extension FetchConfiguration {
    func sortDescriptors<Model: PersistentModel>() -> [SortDescriptor<Model>] {
        nsSortDescriptors.compactMap { try? $0.descriptor(over: Model.self) }
    }
}

extension FetchRequest: ObservedProperty {
    /// Asks for what the request was made with, in the environment's context: where both are as they were, nothing happens.
    public mutating func update() {
        if let contextError {
            core.request.stop(because: contextError)
        } else {
            core.update(to: given, in: context)
        }
    }
}

extension FetchRequest {
    /// The models of an entity.
    @_disfavoredOverload
    public init(
        entity: NSEntityDescription, sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
        animation: Animation? = nil
    ) {
        let configuration = FetchConfiguration(nsPredicate: predicate, nsSortDescriptors: sortDescriptors)
        self.init(
            FetchSettings(entityName: entity.name, configuration: configuration),
            transaction: animation.map { Transaction(animation: $0) })
    }

    /// What a request fetches, as it is now.
    public init(fetchRequest: NSFetchRequest<Result>, animation: Animation? = nil) {
        self.init(fetchRequest.present, transaction: animation.map { Transaction(animation: $0) })
    }

    /// What a request fetches, as it is now, with a transaction of its changes.
    public init(fetchRequest: NSFetchRequest<Result>, transaction: Transaction) {
        self.init(fetchRequest.present, transaction: transaction)
    }

    /// The models of the results' type, in Core Data's order.
    @_disfavoredOverload
    public init(sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil, animation: Animation? = nil) {
        let configuration = FetchConfiguration(nsPredicate: predicate, nsSortDescriptors: sortDescriptors)
        self.init(
            FetchSettings(configuration: configuration), transaction: animation.map { Transaction(animation: $0) })
    }

    /// The models of the results' type.
    public init(
        sortDescriptors: [SortDescriptor<Result>], predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        self.init(
            sortDescriptors: sortDescriptors.map { NSSortDescriptor($0) }, predicate: predicate, animation: animation)
    }
}
