/// What a save did to one model.
///
/// ```swift
/// for change in transaction.changes {
///     switch change {
///     case .insert(let insert as DefaultHistoryInsert<Trip>): show(insert.changedPersistentIdentifier)
///     case .delete(let delete as DefaultHistoryDelete<Trip>): forget(delete.tombstone[\.code] as? String)
///     default: break
///     }
/// }
/// ```
public enum HistoryChange: Sendable {
    /// The model was stored.
    case insert(any HistoryInsert)
    /// Some of its properties changed.
    case update(any HistoryUpdate)
    /// The model was deleted.
    case delete(any HistoryDelete)

    /// The identifier of the model.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// A model that a save has stored.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// Names the change within its transaction.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// Names the transaction.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// Names the change within its transaction.
    var changeIdentifier: ChangeIdentifier { get }
    /// The transaction's number.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A model that a save has changed.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// Names the change within its transaction.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// Names the transaction.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// A property that was changed.
    typealias PropertyUpdate = any PartialKeyPath<Model> & Sendable
    /// Names the change within its transaction.
    var changeIdentifier: ChangeIdentifier { get }
    /// The transaction's number.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that were changed.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// A model that a save has deleted.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// Names the change within its transaction.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// Names the transaction.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// Names the change within its transaction.
    var changeIdentifier: ChangeIdentifier { get }
    /// The transaction's number.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier that the model had.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// What is kept of the model.
    var tombstone: HistoryTombstone<Model> { get }
}

/// A model that a save has stored.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
    /// Counts the changes of the transaction.
    public let changeIdentifier: Int64
    /// The number of the save.
    public let transactionIdentifier: Int64
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
}

/// A model that a save has changed.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
    /// Counts the changes of the transaction.
    public let changeIdentifier: Int64
    /// The number of the save.
    public let transactionIdentifier: Int64
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The attributes and relationships that were changed, as far as the model has them.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

    /// Whether the property is among those that were changed.
    public func containsAttribute(_ keyPath: any PartialKeyPath<Model> & Sendable) -> Bool {
        updatedAttributes.contains { ($0 as PartialKeyPath<Model>) == (keyPath as PartialKeyPath<Model>) }
    }

    /// Whether both are the same change.
    public static func == (left: DefaultHistoryUpdate, right: DefaultHistoryUpdate) -> Bool {
        left.changeIdentifier == right.changeIdentifier && left.transactionIdentifier == right.transactionIdentifier
            && left.changedPersistentIdentifier == right.changedPersistentIdentifier
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changedPersistentIdentifier)
        hasher.combine(transactionIdentifier)
    }
}

/// A model that a save has deleted.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
    /// Counts the changes of the transaction.
    public let changeIdentifier: Int64
    /// The number of the save.
    public let transactionIdentifier: Int64
    /// The identifier that the model had.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values of the attributes that are marked `.preserveValueOnDeletion`.
    public let tombstone: HistoryTombstone<Model>

    /// Whether both are the same change.
    public static func == (left: DefaultHistoryDelete, right: DefaultHistoryDelete) -> Bool {
        left.changeIdentifier == right.changeIdentifier && left.transactionIdentifier == right.transactionIdentifier
            && left.changedPersistentIdentifier == right.changedPersistentIdentifier
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changedPersistentIdentifier)
        hasher.combine(transactionIdentifier)
    }
}
