import LoamQuery

/// What a fetch asks of a store, to be compared: of two predicates nothing else tells whether they are the same.
///
/// Making one costs a walk over the predicate's nodes and its captured values; no store is read. What cannot be fetched is
/// the same as what cannot be fetched for the same reason.
package struct LoweredFetch: Equatable {
    private let query: Query?
    private let failure: String?
    private let includesPendingChanges: Bool
    private let sectionBy: AnyKeyPath?

    /// - Parameter context: whose store is asked. A captured model stands for its row there, so a model that was saved
    ///   meanwhile makes another fetch.
    package init<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>, sectionBy: PartialKeyPath<Model>?, in context: ModelContext
    ) {
        var (query, failure): (Query?, String?)
        do {
            // Where the context has no store for the model, all stores are meant, and the fetch says what is wrong.
            let store = (try? context.store(of: Model.self))?.containerStore.id
            query = try descriptor.query(in: store)
        } catch {
            failure = "\(error)"
        }
        (self.query, self.failure) = (query, failure)
        includesPendingChanges = descriptor.includePendingChanges
        self.sectionBy = sectionBy
    }
}
