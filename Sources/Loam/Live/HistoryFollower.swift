import Dispatch
import LoamStorage
import Synchronization

/// Reads the history of a store behind commits, this process's and others', and counts what somebody wants to know of.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex, while the history is read | the queue; whoever looks at once | the observer goes |
/// | `watch` | its mutex | `start(_:)` | the observer goes |
final class HistoryFollower: Sendable {
    private struct State {
        /// The last save that was looked at.
        var last: UInt64
        /// Saves that were found and are not told.
        var found = 0
        /// Whether the history could not be read the last time: that counts once, until it can be.
        var isUnreadable = false
        var listener: Listener?
    }

    /// Who is told of saves that were found.
    struct Listener: Sendable {
        /// Is called with their number, under the follower's mutex: whoever looks after that finds them counted.
        let add: @Sendable (Int) -> Void
        /// Is called after that, under no mutex.
        let notify: @Sendable () -> Void
    }

    private let store: Store
    private let reader: ChangeReader
    /// The entities that a save must concern; nil for all.
    private let entities: Set<EntityID>?
    private let authors: Set<String>
    private let state: Mutex<State>
    /// Tells of saves of other processes; nil before the start.
    private let watch = Mutex<FileWatch?>(nil)
    private let queue = DispatchQueue(label: "loam.history", qos: .utility)

    /// One for each store that keeps a history and has one of the models.
    static func all(
        of container: ModelContainer, after tokens: [String: any HistoryToken]?, models: [any PersistentModel.Type],
        authors: Set<String>
    ) throws -> [HistoryFollower] {
        let keepers = container.stores.filter(\.keepsHistory)
        guard !keepers.isEmpty else { throw SwiftDataError.withoutHistory() }
        if let tokens, !tokens.isEmpty, !keepers.contains(where: { tokens[$0.id] != nil }) {
            throw SwiftDataError(
                .historyTokenExpired,
                detail: "The tokens are of no store of the container. Read the models anew, and go on without tokens.")
        }
        let types = models.map { ModelType.of($0) }
        for type in types where !keepers.contains(where: { $0.schema.types.contains { $0 === type } }) {
            let isKnown = container.stores.contains { $0.schema.types.contains { $0 === type } }
            throw isKnown ? SwiftDataError.withoutHistory() : SwiftDataError(unknownModel: type.entityName)
        }
        return try keepers.compactMap { keeper in
            let own = types.filter { type in keeper.schema.types.contains { $0 === type } }
            guard models.isEmpty || !own.isEmpty else { return nil }
            return try HistoryFollower(keeper, after: tokens?[keeper.id], models: own, authors: authors)
        }
    }

    private init(
        _ keeper: ContainerStore, after token: (any HistoryToken)?, models: [ModelType], authors: Set<String>
    ) throws {
        store = keeper.store
        self.authors = authors
        let catalog = try store.catalog()
        entities = models.isEmpty ? nil : Set(try models.map { try keeper.binding(for: $0, in: catalog).entity.id })
        var last = try store.read { try $0.lastSave() }
        reader = store.changes.reader(after: last)
        if let entities { reader.follow(entities) }
        if let token { last = try Self.number(of: token, in: keeper, before: last) }
        state = Mutex(State(last: last))
        if token != nil { look() }
    }

    /// The save that a token is of, which the history goes on from.
    private static func number(
        of token: any HistoryToken, in keeper: ContainerStore, before last: UInt64
    ) throws -> UInt64 {
        guard let token = token as? DefaultHistoryToken else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                detail: "The store's tokens are of type DefaultHistoryToken, not \(type(of: token)).")
        }
        let firstKept = try keeper.store.read { try HistoryReader.batch(in: $0, after: last).firstKept }
        guard let number = token.save(in: keeper.id), number <= last,
            number == last || firstKept.map({ $0 <= number + 1 }) ?? false
        else {
            throw SwiftDataError(
                .historyTokenExpired,
                detail: "The saves after the token are not kept any more, or it is of another store. Read the models "
                    + "anew, and go on without tokens.")
        }
        return number
    }

    /// Begins to look behind each commit.
    ///
    /// - Parameter listener: is told on a thread of the follower's, and on that of who looks at once.
    func start(_ listener: Listener) {
        state.withLock { $0.listener = listener }
        let queue = queue
        reader.onArrival { [weak self, queue] in
            // Let go on the queue, if this should be the last reference: not in the reader's own wake-up.
            queue.async { [weak self] in self?.look() }
        }
        if !store.options.isInMemory {
            let watch = FileWatch(path: store.path) { [weak self, queue] in
                queue.async { [weak self] in self?.look() }
            }
            self.watch.withLock { $0 = watch }
        }
        // What was saved since the follower was made woke nobody.
        queue.async { [weak self] in self?.look() }
    }

    func takeFound() -> Int {
        state.withLock { state in
            defer { state.found = 0 }
            return state.found
        }
    }

    /// Looks at what was saved since the last time.
    func look() {
        // What changed is read from the history: what waits for the reader is not needed.
        _ = reader.take()
        let told = state.withLock { state -> Listener? in
            do {
                try count(&state)
                state.isUnreadable = false
            } catch {
                if !state.isUnreadable { state.found += 1 }
                state.isUnreadable = true
            }
            guard let listener = state.listener, state.found > 0 else { return nil }
            listener.add(state.found)
            state.found = 0
            return listener
        }
        told?.notify()
    }

    private func count(_ state: inout State) throws {
        while true {
            let last = state.last
            let batch = try store.read { try HistoryReader.batch(in: $0, after: last) }
            if batch.lastSave > last, batch.firstKept.map({ $0 > last + 1 }) ?? true { state.found += 1 }
            guard let end = batch.entries.last?.save else {
                state.last = max(last, batch.lastSave)
                return
            }
            let schema = store.knownCatalog.schema
            state.found += batch.entries.count { isWanted($0, schema) }
            state.last = end
        }
    }

    private func isWanted(_ entry: HistoryEntry, _ schema: LoamStorage.Schema) -> Bool {
        guard !entry.isEmptied, authors.isEmpty || entry.author.map(authors.contains) ?? false else { return false }
        guard let entities else { return true }
        return entry.rewritten.contains(where: entities.contains)
            || entry.rows.contains { entities.contains($0.entity) }
            || entry.links.contains { link in
                guard let side = schema.relationship(withID: link.relationship) else { return false }
                return entities.contains(side.entity.id) || entities.contains(side.relationship.destination)
            }
    }
}
