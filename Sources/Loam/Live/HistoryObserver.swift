import LoamStorage
public import Observation
import Synchronization

/// Counts the saves that concern somebody, as they are made by any context of the process.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Trip.self], authors: ["widget"], modelContainer: container)
/// for await _ in Observations({ observer.eventCounter }) {
///     let news = try context.fetchHistory(descriptor)
/// }
/// ```
///
/// It tells that there is something; ``ModelContext/fetchHistory(_:)`` tells what. On Linux saves of other processes are
/// counted as they are made, while the file is written to at most once a second; elsewhere with the next save of this
/// one, or by ``refresh()``. The history is read behind each commit that may count, on a
/// queue of the observer's own: O(bytes of the saves since the last one). Whoever saves waits for none of it.
///
/// The observer counts until it is let go.
public final class HistoryObserver: Observable, Sendable {
    private struct Counts {
        /// Saves that were found.
        var found = 0
        /// Those of them that ``eventCounter`` shows.
        var shown = 0
    }

    /// Whose saves are counted.
    public let modelContainer: ModelContainer
    /// The models of which a save must have inserted, changed or deleted one; all, where the list is empty.
    public let observedModels: [any PersistentModel.Type]
    /// The authors of which a save must have one (``ModelContext/author``); any or none, where there are none here.
    public let authors: Set<String>

    private let registrar = ObservationRegistrar()
    private let counts = Mutex(Counts())
    private let followers: [HistoryFollower]

    /// Counts the saves from now on, or those after tokens.
    ///
    /// - Parameters:
    ///   - historyTokens: for stores, by their identifier, the last save that is not to be counted. Of a store that is
    ///     not among them, saves from now on are counted.
    ///   - observedModels: the models that a save must concern; all, where the list is empty.
    ///   - authors: the authors that a save must have one of; any or none, where the set is empty.
    ///   - modelContainer: whose saves are counted.
    ///   - isolation: where ``eventCounter`` changes by itself, the caller's if nothing is said; without one, on any
    ///     thread. ``refresh()`` changes it where that is called.
    /// - Throws: ``SwiftDataError/historyTokenExpired`` where saves after a token are not kept any more, or none of the
    ///   tokens is of a store of the container; ``SwiftDataError/invalidTransactionFetchRequest`` where no store
    ///   keeps a history, or not that of an observed model, and for tokens of another type than
    ///   ``DefaultHistoryToken``;
    ///   ``SwiftDataError/unknownSchema`` for a model that is not in the container's schema; and what keeps a store
    ///   from being read.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        do {
            try self.init(historyTokens, of: observedModels, by: authors, in: modelContainer, on: isolation)
        } catch {
            throw SwiftDataError(error)
        }
    }

    private init(
        _ tokens: [String: any HistoryToken]?, of models: [any PersistentModel.Type], by authors: Set<String>,
        in container: ModelContainer, on isolation: (any Actor)?
    ) throws {
        (modelContainer, observedModels, self.authors) = (container, models, authors)
        followers = try HistoryFollower.all(of: container, after: tokens, models: models, authors: authors)
        let route = DeliveryRoute(isolation: isolation, target: self)
        let hasIsolation = isolation != nil
        for follower in followers {
            counts.withLock { $0.found += follower.takeFound() }
        }
        counts.withLock { $0.shown = $0.found }
        for follower in followers {
            follower.start(
                .init(
                    add: { [weak self] count in self?.counts.withLock { $0.found += count } },
                    notify: { [weak self] in
                        guard let self else { return }
                        if hasIsolation { route.notify() } else { takeDeliveries() }
                    }))
        }
    }

    /// How many saves were counted. Those that the history has lost before they were looked at count as one, whatever
    /// was in them, and so does what cannot be read: ``ModelContext/fetchHistory(_:)`` then says what is wrong.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return counts.withLock(\.shown)
    }

    /// Counts, at once, everything that was saved before the call, by other processes too. ``eventCounter`` changes
    /// before it returns, on the thread of the caller: call it where the observer was made.
    public func refresh() {
        for follower in followers { follower.look() }
        takeDeliveries()
    }
}

extension HistoryObserver: DeliveryTarget {
    /// Shows what was found.
    func takeDeliveries() {
        guard counts.withLock({ $0.shown != $0.found }) else { return }
        registrar.withMutation(of: self, keyPath: \.eventCounter) { counts.withLock { $0.shown = $0.found } }
    }
}
