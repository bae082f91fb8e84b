import LoamQuery
import LoamStorage

/// One key of the order of groups: something that they are grouped by, or an aggregate.
///
/// ```swift
/// sortBy: [.descending(.sum(\.population)), .ascending(\.country)]
/// ```
public struct GroupOrder<T: PersistentModel>: @unchecked Sendable {
    let function: AggregateFunction?
    let keyPath: PartialKeyPath<T>?
    let direction: SortDirection

    private init(_ function: AggregateFunction?, _ keyPath: PartialKeyPath<T>?, _ direction: SortDirection) {
        (self.function, self.keyPath, self.direction) = (function, keyPath, direction)
    }

    /// By a key of the groups, the least first.
    public static func ascending<Key: Comparable>(_ key: KeyPath<T, Key>) -> GroupOrder {
        GroupOrder(nil, key, .ascending)
    }

    /// By a key of the groups that may be nil, nil first.
    public static func ascending<Key: Comparable>(_ key: KeyPath<T, Key?>) -> GroupOrder {
        GroupOrder(nil, key, .ascending)
    }

    /// By an aggregate, the least first; nil comes before every value.
    public static func ascending<Value>(_ aggregate: Aggregate<T, Value>) -> GroupOrder {
        GroupOrder(aggregate.function, aggregate.keyPath, .ascending)
    }

    /// By a key of the groups, the greatest first.
    public static func descending<Key: Comparable>(_ key: KeyPath<T, Key>) -> GroupOrder {
        GroupOrder(nil, key, .descending)
    }

    /// By a key of the groups that may be nil, nil last.
    public static func descending<Key: Comparable>(_ key: KeyPath<T, Key?>) -> GroupOrder {
        GroupOrder(nil, key, .descending)
    }

    /// By an aggregate, the greatest first; nil comes behind every value.
    public static func descending<Value>(_ aggregate: Aggregate<T, Value>) -> GroupOrder {
        GroupOrder(aggregate.function, aggregate.keyPath, .descending)
    }

    func lowered(in model: ModelType, keys: [String]) throws -> SortKey {
        if let function {
            return SortKey(try GroupAggregate(function, keyPath, in: model).name, direction: direction)
        }
        guard let keyPath else { throw SwiftDataError(.unsupportedSortDescriptor) }
        try CaseOrder.check(keyPath)
        let path = try model.groupedPath(of: keyPath, for: "an order of groups")
        guard keys.contains(path) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail:
                    "Groups cannot be sorted by \(model.entityName).\(path), which they are not grouped by. Group by it "
                    + "too, or sort by an aggregate of it, as .minimum(\\.\(path)).")
        }
        return SortKey(path, direction: direction)
    }
}
