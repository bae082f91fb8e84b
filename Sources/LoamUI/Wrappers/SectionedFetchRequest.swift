public import Foundation
public import Loam

/// The models that a fetch request finds, in sections by a property, stored or computed: Core Data's form.
///
/// ```swift
/// @SectionedFetchRequest<String, Quake>(
///     sectionIdentifier: \.day, sortDescriptors: [SortDescriptor(\.time, order: .reverse)])
/// private var quakes: SectionedFetchResults<String, Quake>
/// ```
///
/// As ``FetchRequest``; but each identifier is one section, however the models are sorted, and sections come in the order
/// of their first models. The property is read once for each model, O(n) at opening, and again when what it has read
/// changes; after a change of the result the models are grouped anew, O(n). ``Query`` with `sectionBy:` has sections of
/// stored properties without that cost.
@propertyWrapper @MainActor
public struct SectionedFetchRequest<SectionIdentifier: Hashable, Result: PersistentModel> {
    private let given: GivenFetch<Result>
    private let sectionIdentifier: KeyPath<Result, SectionIdentifier>
    @State var core: FetchRequestCore<Result>
    @State var groups: SectionGroups<SectionIdentifier, Result>
    @State var givenIdentifier: KeyPath<Result, SectionIdentifier>
    @Environment(\.modelContext) var context
    @Environment(\.modelContextError) var contextError

    init(
        _ settings: FetchSettings, sectionIdentifier: KeyPath<Result, SectionIdentifier>, transaction: Transaction?
    ) {
        let given = GivenFetch<Result>(settings, transaction: transaction)
        (self.given, self.sectionIdentifier) = (given, sectionIdentifier)
        _core = State(wrappedValue: FetchRequestCore(given))
        _groups = State(wrappedValue: SectionGroups(sectionIdentifier))
        _givenIdentifier = State(wrappedValue: sectionIdentifier)
    }

    /// The sections.
    public var wrappedValue: SectionedFetchResults<SectionIdentifier, Result> {
        SectionedFetchResults(core, groups: groups)
    }

    /// What can be set: `$items.sectionIdentifier`, `$items.nsPredicate`, `$items.sortDescriptors`.
    public var projectedValue: Binding<Configuration> {
        let (core, groups) = (core, groups)
        return Binding(
            get: { Configuration(base: core.configuration, sectionIdentifier: groups.property) },
            set: {
                if groups.property != $0.sectionIdentifier { groups.property = $0.sectionIdentifier }
                core.configuration = $0.base
            })
    }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.request.fetchError }

    /// What of a request can be set in place.
    public struct Configuration {
        var base: FetchConfiguration
        /// The property that sections have in common.
        public var sectionIdentifier: KeyPath<Result, SectionIdentifier>

        init(base: FetchConfiguration, sectionIdentifier: KeyPath<Result, SectionIdentifier>) {
            (self.base, self.sectionIdentifier) = (base, sectionIdentifier)
        }

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

extension SectionedFetchRequest: ObservedProperty {
    /// Asks for what the request was made with, in the environment's context: where both are as they were, nothing happens.
    public mutating func update() {
        if let contextError {
            core.request.stop(because: contextError)
        } else {
            core.update(to: given, in: context)
        }
        if givenIdentifier != sectionIdentifier {
            givenIdentifier = sectionIdentifier
            groups.property = sectionIdentifier
        }
    }
}

extension SectionedFetchRequest {
    /// The models of an entity.
    @_disfavoredOverload
    public init(
        entity: NSEntityDescription, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        let configuration = FetchConfiguration(nsPredicate: predicate, nsSortDescriptors: sortDescriptors)
        self.init(
            FetchSettings(entityName: entity.name, configuration: configuration),
            sectionIdentifier: sectionIdentifier, transaction: animation.map { Transaction(animation: $0) })
    }

    /// What a request fetches, as it is now.
    public init(
        fetchRequest: NSFetchRequest<Result>, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        animation: Animation? = nil
    ) {
        self.init(
            fetchRequest.present, sectionIdentifier: sectionIdentifier,
            transaction: animation.map { Transaction(animation: $0) })
    }

    /// What a request fetches, as it is now, with a transaction of its changes.
    public init(
        fetchRequest: NSFetchRequest<Result>, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        transaction: Transaction
    ) {
        self.init(fetchRequest.present, sectionIdentifier: sectionIdentifier, transaction: transaction)
    }

    /// The models of the results' type, in Core Data's order.
    @_disfavoredOverload
    public init(
        sectionIdentifier: KeyPath<Result, SectionIdentifier>, sortDescriptors: [NSSortDescriptor],
        predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        let configuration = FetchConfiguration(nsPredicate: predicate, nsSortDescriptors: sortDescriptors)
        self.init(
            FetchSettings(configuration: configuration), sectionIdentifier: sectionIdentifier,
            transaction: animation.map { Transaction(animation: $0) })
    }

    /// The models of the results' type.
    public init(
        sectionIdentifier: KeyPath<Result, SectionIdentifier>, sortDescriptors: [SortDescriptor<Result>],
        predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        self.init(
            sectionIdentifier: sectionIdentifier, sortDescriptors: sortDescriptors.map { NSSortDescriptor($0) },
            predicate: predicate, animation: animation)
    }
}
