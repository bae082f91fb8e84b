import Foundation
import LoamQuery
import LoamStorage

/// Which groups of a grouped fetch are wanted: comparisons of aggregates, joined by `&&`, `||` and `!`.
///
/// ```swift
/// having: .count > 10 && .sum(\.population) >= 1_000_000
/// ```
///
/// As in a predicate, nil equals only nil, and every ordered comparison with nil is false.
public struct GroupCondition<T: PersistentModel> {
    let node: Node

    indirect enum Node {
        case comparison(AggregateFunction, PartialKeyPath<T>?, ComparisonOperator, Any)
        case and(Node, Node)
        case or(Node, Node)
        case not(Node)
    }

    init<Value>(_ aggregate: Aggregate<T, Value>, _ comparison: ComparisonOperator, _ value: Any) {
        node = .comparison(aggregate.function, aggregate.keyPath, comparison, value)
    }

    private init(_ node: Node) { self.node = node }

    /// Whether both hold.
    public static func && (left: GroupCondition, right: GroupCondition) -> GroupCondition {
        GroupCondition(.and(left.node, right.node))
    }

    /// Whether at least one holds.
    public static func || (left: GroupCondition, right: GroupCondition) -> GroupCondition {
        GroupCondition(.or(left.node, right.node))
    }

    /// Whether the condition does not hold.
    public static prefix func ! (condition: GroupCondition) -> GroupCondition { GroupCondition(.not(condition.node)) }
}

extension GroupCondition.Node {
    func lowered(in model: ModelType) throws -> QueryPredicate {
        switch self {
        case .comparison(let function, let keyPath, let comparison, let value):
            let aggregate = try GroupAggregate(function, keyPath, in: model)
            do {
                let constant = try ConstantValue.value(of: value)
                return .comparison(.keyPath([aggregate.name]), comparison, .constant(constant), .none)
            } catch let unsupported as Unsupported {
                throw SwiftDataError(.unsupportedPredicate, detail: "Not supported in a fetch: \(unsupported.part).")
            }
        case .and(let left, let right): return .and([try left.lowered(in: model), try right.lowered(in: model)])
        case .or(let left, let right): return .or([try left.lowered(in: model), try right.lowered(in: model)])
        case .not(let node): return .not(try node.lowered(in: model))
        }
    }
}

extension GroupAggregate {
    init<T>(_ function: AggregateFunction, _ keyPath: PartialKeyPath<T>?, in model: ModelType) throws {
        if let keyPath, function == .minimum || function == .maximum { try CaseOrder.check(aggregated: keyPath) }
        // Whether there is a value can be asked of a value without an order, too.
        if function == .count, let keyPath, let stored = model.storedPath(of: keyPath) {
            self.init(function, of: stored.path)
        } else {
            self.init(function, of: try keyPath.map { try model.groupedPath(of: $0, for: "an aggregate") })
        }
    }
}

extension Aggregate {
    /// Whether the aggregate is that value.
    public static func == (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Equatable {
        GroupCondition(left, .equal, right)
    }

    /// Whether the aggregate is another value.
    public static func != (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Equatable {
        GroupCondition(left, .notEqual, right)
    }

    /// Whether the aggregate is less than a value.
    public static func < (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Comparable {
        GroupCondition(left, .less, right)
    }

    /// Whether the aggregate is less than a value; false where it is nil.
    public static func < <Wrapped: Comparable>(
        left: Aggregate, right: Wrapped
    ) -> GroupCondition<T> where Value == Wrapped? {
        GroupCondition(left, .less, right)
    }

    /// Whether the aggregate is at most a value.
    public static func <= (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Comparable {
        GroupCondition(left, .lessOrEqual, right)
    }

    /// Whether the aggregate is at most a value; false where it is nil.
    public static func <= <Wrapped: Comparable>(
        left: Aggregate, right: Wrapped
    ) -> GroupCondition<T> where Value == Wrapped? {
        GroupCondition(left, .lessOrEqual, right)
    }

    /// Whether the aggregate is greater than a value.
    public static func > (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Comparable {
        GroupCondition(left, .greater, right)
    }

    /// Whether the aggregate is greater than a value; false where it is nil.
    public static func > <Wrapped: Comparable>(
        left: Aggregate, right: Wrapped
    ) -> GroupCondition<T> where Value == Wrapped? {
        GroupCondition(left, .greater, right)
    }

    /// Whether the aggregate is at least a value.
    public static func >= (left: Aggregate, right: Value) -> GroupCondition<T> where Value: Comparable {
        GroupCondition(left, .greaterOrEqual, right)
    }

    /// Whether the aggregate is at least a value; false where it is nil.
    public static func >= <Wrapped: Comparable>(
        left: Aggregate, right: Wrapped
    ) -> GroupCondition<T> where Value == Wrapped? {
        GroupCondition(left, .greaterOrEqual, right)
    }
}
