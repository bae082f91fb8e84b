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
    private var property: LiveProperty<SectionedFetchRequestCore<SectionIdentifier, Result>>

    private init(
        _ settings: FetchSettings, sectionIdentifier: KeyPath<Result, SectionIdentifier>, transaction: Transaction?
    ) {
        let fetch = GivenFetch<Result>(settings, transaction: transaction)
        property = LiveProperty(GivenSectionedFetch(fetch, sectionIdentifier: sectionIdentifier))
    }

    var groups: SectionGroups<SectionIdentifier, Result> { property.request.groups }

    /// The sections.
    public var wrappedValue: SectionedFetchResults<SectionIdentifier, Result> { property.request.value }

    /// What can be set: `$items.sectionIdentifier`, `$items.nsPredicate`, `$items.sortDescriptors`.
    public var projectedValue: Binding<Configuration> { property.settings }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { property.request.fetchError }

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

extension SectionedFetchRequest: ObservedProperty {}

extension SectionedFetchRequest {
    /// The models of an entity.
    @_disfavoredOverload
    public init(
        entity: NSEntityDescription, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil, animation: Animation? = nil
    ) {
        self.init(
            FetchSettings(entity.name, predicate, sortDescriptors), sectionIdentifier: sectionIdentifier,
            transaction: Transaction(ofWrapper: animation))
    }

    /// What a request fetches, as it is now.
    public init(
        fetchRequest: NSFetchRequest<Result>, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        animation: Animation? = nil
    ) {
        self.init(
            fetchRequest.present, sectionIdentifier: sectionIdentifier,
            transaction: Transaction(ofWrapper: animation))
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
        self.init(
            FetchSettings(nil, predicate, sortDescriptors), sectionIdentifier: sectionIdentifier,
            transaction: Transaction(ofWrapper: animation))
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
