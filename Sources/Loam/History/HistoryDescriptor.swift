public import Foundation

/// Which transactions of the history are fetched, and in which order.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
/// let news = try context.fetchHistory(descriptor)
/// ```
///
/// The predicate is evaluated on each transaction. Where all of it demands a token above one, as here, only what comes
/// after that is read; anything else reads the whole history. Where all of it demands a token above, below or at one,
/// only the stores are read that this token is of. `#Predicate` is Foundation's here: import it.
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

extension HistoryDescriptor {
    /// The highest token that every transaction of the result has to be above; nil where the predicate demands none.
    var lowestToken: DefaultHistoryToken? {
        (predicate?.expression as? any TokenBound)?.lowestToken
    }

    /// The tokens that every transaction of the result has to be above or below of, or at: only those of a store that
    /// all of them name can be.
    var boundingTokens: [DefaultHistoryToken] {
        (predicate?.expression as? any TokenBound)?.boundingTokens ?? []
    }
}

/// Nodes of predicates that demand a token above or below one.
private protocol TokenBound {
    var lowestToken: DefaultHistoryToken? { get }
    var boundingTokens: [DefaultHistoryToken] { get }
}

extension PredicateExpressions.Conjunction: TokenBound {
    var lowestToken: DefaultHistoryToken? {
        [(lhs as? any TokenBound)?.lowestToken, (rhs as? any TokenBound)?.lowestToken].compactMap(\.self).max()
    }

    var boundingTokens: [DefaultHistoryToken] {
        ((lhs as? any TokenBound)?.boundingTokens ?? []) + ((rhs as? any TokenBound)?.boundingTokens ?? [])
    }
}

extension PredicateExpressions.Comparison: TokenBound {
    var lowestToken: DefaultHistoryToken? {
        if op == .greaterThan, isToken(lhs) { return constant(rhs) }
        if op == .lessThan, isToken(rhs) { return constant(lhs) }
        return nil
    }

    var boundingTokens: [DefaultHistoryToken] {
        let token = isToken(lhs) ? constant(rhs) : isToken(rhs) ? constant(lhs) : nil
        return token.map { [$0] } ?? []
    }

    private func isToken(_ side: Any) -> Bool {
        typealias Row = PredicateExpressions.Variable<DefaultHistoryTransaction>
        let path = side as? PredicateExpressions.KeyPath<Row, DefaultHistoryToken>
        return path?.keyPath == \DefaultHistoryTransaction.token
    }

    private func constant(_ side: Any) -> DefaultHistoryToken? {
        (side as? PredicateExpressions.Value<DefaultHistoryToken>)?.value
    }
}
