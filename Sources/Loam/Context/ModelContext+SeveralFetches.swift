import LoamQuery
import LoamStorage

extension ModelContext {
    /// The models of several descriptors, all from one state of the store: `([A], [B], …)`.
    ///
    /// ```swift
    /// let (open, done) = try context.fetch(FetchDescriptor(predicate: isOpen), FetchDescriptor(predicate: isDone))
    /// ```
    ///
    /// Between two calls of ``fetch(_:)`` somebody else may save, so that a model is in both results or in none; here
    /// it is where the state of the moment has it. Where the models are in several stores, there is one state of each.
    /// Each result is what ``fetch(_:)`` gives, the context's unsaved changes included, and costs as much. The state is
    /// kept until the rows of all are found.
    ///
    /// - Throws: as ``fetch(_:)``; then there is no result at all.
    public func fetch<First: PersistentModel, Second: PersistentModel, each Other: PersistentModel>(
        _ first: FetchDescriptor<First>, _ second: FetchDescriptor<Second>, _ others: repeat FetchDescriptor<each Other>
    ) throws -> ([First], [Second], repeat [each Other]) {
        try throwKeptError()
        receiveChanges()
        do {
            let requests = RowRequests(in: self)
            let one = try requests.add(first)
            let two = try requests.add(second)
            let rest = (repeat try requests.add(each others))
            try requests.read()
            return (
                try requests.objects(of: one), try requests.objects(of: two),
                repeat try requests.objects(of: each rest)
            )
        } catch {
            throw SwiftDataError(error)
        }
    }
}

/// Rows that are to be found in one state of each store.
private final class RowRequests {
    private struct Request {
        let query: Query
        let overlay: Overlay?
        let store: StoreContext
        var rows: [FetchedRow] = []
    }

    /// A request with the models that its rows become.
    struct Added<T: PersistentModel> {
        fileprivate let number: Int
        fileprivate let prefetching: [PartialKeyPath<T>]
    }

    private let context: ModelContext
    private var requests: [Request] = []

    init(in context: ModelContext) { self.context = context }

    func add<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Added<T> {
        let store = try context.store(of: T.self)
        requests.append(
            Request(
                query: try descriptor.query(in: store.containerStore.id),
                overlay: descriptor.includePendingChanges ? try store.overlay() : nil, store: store))
        return Added(number: requests.count - 1, prefetching: descriptor.relationshipKeyPathsForPrefetching)
    }

    /// Finds the rows of all. Runs no code of the user's.
    func read() throws {
        for store in context.stores {
            let mine = requests.indices.filter { requests[$0].store === store }
            guard !mine.isEmpty else { continue }
            try store.store.read { snapshot in
                for number in mine {
                    requests[number].rows = try StoreContext.rows(
                        of: requests[number].query, overlay: requests[number].overlay, in: snapshot)
                }
            }
        }
    }

    func objects<T: PersistentModel>(of added: Added<T>) throws -> [T] {
        var rows = requests[added.number].rows
        requests[added.number].rows = []
        return try requests[added.number].store.objects(of: &rows, prefetching: added.prefetching)
    }
}
