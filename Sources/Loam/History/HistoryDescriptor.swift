public import Foundation

/// Which transactions of the history are fetched, and in which order.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
/// let news = try context.fetchHistory(descriptor)
/// ```
///
/// The predicate is evaluated on each transaction. Where it demands a token above one, as here, only what comes after
/// that is read; anything else reads the whole history. `#Predicate` is Foundation's here: import it.
///
/// A token is compared by the positions of the stores that it is of. Of a transaction of another store, it says
/// nothing: that is neither above, nor below, nor at the token, and nor does the negation of such a comparison hold. So
/// a predicate with tokens of several stores, with `||` between, goes on in each store from its own, and stores that
/// none of its tokens is of are not read. Where one is joined with the negation of another, and both are of other
/// stores, they are taken to go the same way.
public struct HistoryDescriptor<T: HistoryTransaction> {
    /// What transactions must hold; nil for all.
    public var predicate: Predicate<T>?
    /// How many transactions are fetched at most; 0 for no bound.
    public var fetchLimit: UInt64 = 0
    /// The order; without one, that of the saves.
    public var sortBy: [SortDescriptor<T>] = []

    /// Describes transactions in the order of the saves.
    public init(predicate: Predicate<T>? = nil) { self.predicate = predicate }

    /// Describes transactions in an order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
