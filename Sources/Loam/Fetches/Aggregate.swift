import LoamQuery
import LoamStorage

/// What is computed of many models: their number, or the sum, average, least or greatest value of a property.
///
/// ```swift
/// let (count, people, oldest) = try context.fetch(.count, .sum(\City.population), .minimum(\.founded))
/// ```
///
/// A property that is nil has no value: it is not counted, added or compared. The sum of no values is 0; the average,
/// the least and the greatest of none are nil. In a model's own order nothing is less than nil and nothing greater than
/// NaN: so is it here.
///
/// | function | of | gives |
/// |---|---|---|
/// | `count` | models | `Int` |
/// | `count(of:)` | models in which an optional property has a value | `Int` |
/// | `sum(_:)` | signed integers | `Int`; throws ``SwiftDataError/aggregateOverflow`` where it does not fit |
/// | | unsigned integers | `UInt`, likewise |
/// | | `Float` and `Double` | `Double`, added up in the order of identifiers |
/// | | `Decimal` | `Decimal`, exact and rounded once to its 38 digits |
/// | `average(_:)` | integers, `Float`, `Double` | `Double?`, the sum divided by the number of values; never overflows |
/// | | `Decimal` | `Decimal?` |
/// | `minimum(_:)`, `maximum(_:)` | attributes with an order | an optional of the property's type |
public struct Aggregate<T: PersistentModel, Value>: @unchecked Sendable {
    let function: AggregateFunction
    let keyPath: PartialKeyPath<T>?

    init(_ function: AggregateFunction, _ keyPath: PartialKeyPath<T>? = nil) {
        self.function = function
        self.keyPath = keyPath
    }
}

extension Aggregate where Value == Int {
    /// The number of models.
    public static var count: Aggregate { Aggregate(.count) }

    /// The number of models in which a property has a value.
    public static func count<Member>(of keyPath: KeyPath<T, Member?>) -> Aggregate { Aggregate(.count, keyPath) }
}

extension Aggregate {
    /// The sum of a property's values; 0 of none.
    public static func sum<Number: SummableAttribute>(_ keyPath: KeyPath<T, Number>) -> Aggregate
    where Value == Number.Sum {
        Aggregate(.sum, keyPath)
    }

    /// The sum of the values that a property has; 0 of none.
    public static func sum<Number: SummableAttribute>(_ keyPath: KeyPath<T, Number?>) -> Aggregate
    where Value == Number.Sum {
        Aggregate(.sum, keyPath)
    }

    /// The average of a property's values; nil of none.
    public static func average<Number: SummableAttribute>(_ keyPath: KeyPath<T, Number>) -> Aggregate
    where Value == Number.Average? {
        Aggregate(.average, keyPath)
    }

    /// The average of the values that a property has; nil of none.
    public static func average<Number: SummableAttribute>(_ keyPath: KeyPath<T, Number?>) -> Aggregate
    where Value == Number.Average? {
        Aggregate(.average, keyPath)
    }

    /// The first of a property's values in the order in which models are sorted by it; nil of none. Of equal ones that
    /// of the model with the least identifier.
    public static func minimum<Member: Comparable>(_ keyPath: KeyPath<T, Member>) -> Aggregate
    where Value == Member? {
        Aggregate(.minimum, keyPath)
    }

    /// The first of the values that a property has, in the order in which models are sorted by it; nil of none.
    public static func minimum<Member: Comparable>(_ keyPath: KeyPath<T, Member?>) -> Aggregate
    where Value == Member? {
        Aggregate(.minimum, keyPath)
    }

    /// The last of a property's values in the order in which models are sorted by it; nil of none. Of equal ones that
    /// of the model with the greatest identifier.
    public static func maximum<Member: Comparable>(_ keyPath: KeyPath<T, Member>) -> Aggregate
    where Value == Member? {
        Aggregate(.maximum, keyPath)
    }

    /// The last of the values that a property has, in the order in which models are sorted by it; nil of none.
    public static func maximum<Member: Comparable>(_ keyPath: KeyPath<T, Member?>) -> Aggregate
    where Value == Member? {
        Aggregate(.maximum, keyPath)
    }
}
