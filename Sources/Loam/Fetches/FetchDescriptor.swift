public import Foundation

/// What to fetch: a predicate, an order, and how much of it.
///
/// ```swift
/// var descriptor = FetchDescriptor<City>(
///     predicate: #Predicate { $0.population > 1_000_000 }, sortBy: [SortDescriptor(\.name)])
/// descriptor.fetchLimit = 20
/// let cities = try context.fetch(descriptor)
/// ```
///
/// Models that are equal in all sort keys come in the order of their identifiers, against it when the last key is
/// descending. The identifiers that one process gives out ascend in the order in which models were inserted.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
    /// The condition that models have to meet; nil for all models.
    public var predicate: Predicate<T>?
    /// The descriptors that the models are sorted by. Each later one orders the models that are equal by those before.
    public var sortBy: [SortDescriptor<T>]
    /// The most models to fetch, after ``fetchOffset``; nil for no limit. A fetch throws where it is negative.
    public var fetchLimit: Int?
    /// How many models to pass over first. A fetch throws where it is negative.
    public var fetchOffset: Int?
    /// Whether the context's unsaved changes are part of the result, a live one or not.
    public var includePendingChanges = true
    /// A hint for stores that read property by property; this one reads whole records, and the properties are there
    /// anyway.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// Relationships whose models' records are read with the result, in one go. They are kept as long as the result's
    /// models, and not used any more once the context has saved or taken in what others saved.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// Makes a descriptor for all models that match, in this order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
