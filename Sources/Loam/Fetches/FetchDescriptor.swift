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
/// Models that are equal in all sort keys come in the order of their insertion into the store, against it when the last
/// key is descending.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
    /// Which models; nil for all.
    public var predicate: Predicate<T>?
    /// By what; the first descriptor leads.
    public var sortBy: [SortDescriptor<T>]
    /// The most models to fetch, after ``fetchOffset``.
    public var fetchLimit: Int?
    /// How many models to pass over first.
    public var fetchOffset: Int?
    /// Whether the context's unsaved changes are part of the result.
    public var includePendingChanges = true
    /// A hint for stores that read property by property; this one reads whole records, and the properties are there anyway.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// Relationships whose models are read with the result, in one go, and kept as long as the result's models.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// Makes a descriptor for all models that match, in this order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
