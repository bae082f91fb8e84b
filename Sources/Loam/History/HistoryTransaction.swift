public import Foundation

/// One save, as the history keeps it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    /// Names the transaction's place among the others.
    associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
    /// Names the transaction.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// What the context that saved said in ``ModelContext/author``.
    var author: String? { get }
    /// What was inserted, updated and deleted.
    var changes: [HistoryChange] { get }
    /// The store that was saved to.
    var storeIdentifier: String { get }
    /// When it was saved.
    var timestamp: Date { get }
    /// The transaction's place among the others.
    var token: TokenType { get }
    /// The transaction's number.
    var transactionIdentifier: TransactionIdentifier { get }
}

/// One save, as a store's history keeps it.
///
/// SwiftData's `bundleIdentifier` and `processIdentifier` are not there: a store does not keep who wrote to it, but for
/// the ``author``. An entry of the history has no room for more, as those who read this format take what they do not know
/// for damage.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// Names the transaction's place among the others.
    public typealias TokenType = DefaultHistoryToken
    /// Names the transaction.
    public typealias TransactionIdentifier = Int64

    /// The number of the save.
    public let id: Int64
    /// When it was saved, by the clock of the machine that saved.
    public let timestamp: Date
    /// What was inserted, updated and deleted of the models that the container knows. Relationships that are kept apart
    /// from the records count as updates of the models on both sides.
    public private(set) var changes: [HistoryChange]
    /// The transaction's place among the others.
    public private(set) var token: DefaultHistoryToken
    /// The identifier of the store.
    public let storeIdentifier: String
    /// What the context that saved said in ``ModelContext/author``.
    public let author: String?
    /// The models of which more changed than ``changes`` lists: whoever follows them reads them anew. A bulk load, an
    /// ``ModelContainer/erase()`` and a save of more than 65,536 rows list nothing else of them but the deletions that
    /// preserve values, which an ``ModelContainer/erase()`` does not.
    public let rewrittenEntityNames: [String]

    /// The number of the save.
    public var transactionIdentifier: Int64 { id }

    init(
        id: Int64, timestamp: Date, changes: [HistoryChange], token: DefaultHistoryToken, storeIdentifier: String,
        author: String?, rewrittenEntityNames: [String]
    ) {
        self.id = id
        self.timestamp = timestamp
        self.changes = changes
        self.token = token
        self.storeIdentifier = storeIdentifier
        self.author = author
        self.rewrittenEntityNames = rewrittenEntityNames
    }

    /// Whether a predicate holds. Compared with a token of other stores, the transaction is neither above nor below nor
    /// at that: what holds has to hold whichever of that is assumed, so that no negation turns it round.
    func holds<T: HistoryTransaction>(_ predicate: Predicate<T>) throws -> Bool {
        var asked = self
        for answer in [false, true] {
            asked.token = token.answering(answer)
            guard let asked = asked as? T, try predicate.evaluate(asked) else { return false }
        }
        return true
    }

    /// The transaction without its changes, which may take far more memory than all else.
    var withoutChanges: DefaultHistoryTransaction {
        var light = self
        light.changes = []
        return light
    }

    /// Whether both are the same save of the same store.
    public static func == (left: DefaultHistoryTransaction, right: DefaultHistoryTransaction) -> Bool {
        left.id == right.id && left.storeIdentifier == right.storeIdentifier
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(storeIdentifier)
    }
}
