import Foundation
import LoamStorage

extension ModelContext {
    /// The saves that a descriptor asks for, as the store's history keeps them: of all contexts and processes. Where
    /// the container has several stores, a save is a transaction of each that it concerned, and they come store by
    /// store. Where the predicate demands tokens above, below or at some, only the stores are asked that these are of:
    /// see ``HistoryDescriptor``.
    ///
    /// Unsaved changes are not among them, nor what was done to models that the container does not know. ``ModelConfiguration/historyRetention`` says
    /// how much the history keeps: by itself 7 days and 64 MiB, and nothing in memory.
    ///
    /// Cost: reads and decodes the saves after the token that the predicate demands, or all of them, about 1 MiB at a
    /// time. The predicate is evaluated on each, and once more where it holds. With a ``HistoryDescriptor/fetchLimit``
    /// and no order it stops there; with both, at most twice as many are held as are wanted.
    ///
    /// - Throws: ``SwiftDataError/historyTokenExpired`` where saves after a token that the predicate demands are not
    ///   kept any more, or all that it demands are of other stores;
    ///   ``SwiftDataError/invalidTransactionFetchRequest`` for a container none of whose stores keeps a history,
    ///   and for transactions of another type than ``DefaultHistoryTransaction``; and what keeps the store from being read.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        do {
            try throwKeptError()
            guard descriptor.sortBy.isEmpty else {
                var first = FirstTransactions(descriptor.limit, by: descriptor.sortBy)
                try forEachTransaction(matching: descriptor) { transaction in
                    first.add(transaction)
                    return true
                }
                return first.take()
            }
            var found: [T] = []
            try forEachTransaction(matching: descriptor) { transaction in
                found.append(transaction)
                return descriptor.limit.map { found.count < $0 } ?? true
            }
            return found
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Takes out of the history the saves that a descriptor asks for, which frees their room in the store.
    ///
    /// The first saves go as such. Of one that others stand before a mark of a few bytes stays, which tells processes
    /// that follow the store to read anew. Models are not touched.
    ///
    /// Cost: that of ``fetchHistory(_:)``, and a write transaction for about each 8 MiB that goes.
    ///
    /// - Throws: what ``fetchHistory(_:)`` throws, and ``SwiftDataError/storage`` where the container was opened with
    ///   `allowsSave: false` or the store cannot be written; what was taken out by then stays out.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        let saves = try saves(matching: descriptor)
        let concerned = stores.map(\.containerStore).filter { stores.count == 1 || saves[$0.id] != nil }
        if let store = concerned.first(where: { !$0.configuration.allowsSave }) {
            throw SwiftDataError(readOnly: store.configuration, of: ownContainer)
        }
        for (index, store) in concerned.enumerated() {
            do {
                try store.store.deleteHistory(of: saves[store.id] ?? [])
            } catch {
                throw SwiftDataError(
                    error, in: store, of: ownContainer, done: Array(concerned[..<index]), word: "rid of its history")
            }
        }
    }

    /// The numbers of the saves that a descriptor asks for, by store. What a transaction changed is not held longer than
    /// it takes to look at it, unless an order and a limit together ask for it.
    private func saves<T: HistoryTransaction>(
        matching descriptor: HistoryDescriptor<T>
    ) throws -> [String: [UInt64]] {
        var saves: [String: [UInt64]] = [:]
        func note(_ transaction: T) {
            guard let transaction = transaction as? DefaultHistoryTransaction,
                let number = UInt64(exactly: transaction.id)
            else { return }
            saves[transaction.storeIdentifier, default: []].append(number)
        }
        do {
            try throwKeptError()
            // Without a limit the order decides nothing.
            guard let limit = descriptor.limit, !descriptor.sortBy.isEmpty else {
                var count = 0
                try forEachTransaction(matching: descriptor) { transaction in
                    note(transaction)
                    count += 1
                    return descriptor.limit.map { count < $0 } ?? true
                }
                return saves
            }
            var first = FirstTransactions(limit, by: descriptor.sortBy)
            let isLight = descriptor.ordersWithoutChanges
            try forEachTransaction(matching: descriptor) { transaction in
                let light = (transaction as? DefaultHistoryTransaction)?.withoutChanges as? T
                first.add(isLight ? light ?? transaction : transaction)
                return true
            }
            first.take().forEach(note)
        } catch {
            throw SwiftDataError(error)
        }
        return saves
    }

    /// Calls the closure with each transaction that holds the predicate, in the order of the saves, until it returns
    /// false. It runs outside of any transaction of the store.
    private func forEachTransaction<T: HistoryTransaction>(
        matching descriptor: HistoryDescriptor<T>, _ body: (T) throws -> Bool
    ) throws {
        let keepers = stores.filter(\.containerStore.keepsHistory)
        guard !keepers.isEmpty else {
            throw SwiftDataError.withoutHistory()
        }
        guard T.self == DefaultHistoryTransaction.self else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                detail: "The store's transactions are of type DefaultHistoryTransaction, not \(T.self).")
        }
        let bounds = keepers.map { descriptor.bound(in: $0.containerStore.id) }
        guard bounds.contains(where: { $0 != .none }) else {
            throw SwiftDataError(
                .historyTokenExpired,
                detail:
                    "The predicate's token is of no store of the container, or its tokens are of different ones. Read "
                    + "the models anew, and go on from the last transaction.")
        }
        for (keeper, bound) in zip(keepers, bounds) {
            let isWhole =
                switch bound {
                case .none: true
                case .above(let number): try forEachTransaction(of: keeper, after: number, matching: descriptor, body)
                case .all: try forEachTransaction(of: keeper, after: nil, matching: descriptor, body)
                }
            guard isWhole else { return }
        }
    }

    /// Goes through one store. False where the closure returned false.
    private func forEachTransaction<T: HistoryTransaction>(
        of keeper: StoreContext, after token: UInt64?, matching descriptor: HistoryDescriptor<T>,
        _ body: (T) throws -> Bool
    ) throws -> Bool {
        let (store, bindings) = (keeper.store, keeper.bindings)
        var last = token
        while true {
            let batch = try store.read { try HistoryReader.batch(in: $0, after: last ?? 0) }
            try require(batch, after: last, token: token)
            guard let end = batch.entries.last?.save else { return true }
            let reading = try HistoryDecoding(store.knownCatalog, of: keeper.containerStore, bindings: bindings)
            for entry in batch.entries where !entry.isEmptied {
                let read = try reading.transaction(of: entry)
                guard try descriptor.predicate.map(read.holds) ?? true, let transaction = read as? T else { continue }
                guard try body(transaction) else { return false }
            }
            last = end
        }
    }

    /// Throws where saves were asked for that are gone: a reader that goes on from a token must not miss any.
    ///
    /// - Parameter last: the save up to which was read, or the token's.
    private func require(_ batch: HistoryBatch, after last: UInt64?, token: UInt64?) throws {
        guard let last else { return }
        let isBeyond = last > batch.lastSave
        guard isBeyond || batch.firstKept.map({ $0 > last + 1 }) ?? (last < batch.lastSave) else { return }
        let what =
            isBeyond
            ? "The token is of a save that the store does not have, as where an older copy of its file was put back."
            : token == last
                ? "Saves after the token are not kept any more." : "The history was trimmed while it was read."
        throw SwiftDataError(
            .historyTokenExpired, detail: what + " Read the models anew, and go on from the last transaction.")
    }
}

extension SwiftDataError {
    /// Thrown where no store of a container keeps a history.
    static func withoutHistory() -> SwiftDataError {
        SwiftDataError(
            .invalidTransactionFetchRequest,
            detail: "No store of the container keeps a history: without a ModelConfiguration.historyRetention, as in "
                + "memory by itself, follow ModelContext.didSave.")
    }
}
