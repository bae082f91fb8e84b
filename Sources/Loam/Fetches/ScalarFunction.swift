public import Foundation
import LoamStorage
import Synchronization

/// A function of a property, for orders, sections, groups and fetches of its results.
///
/// It stands in a key path of the model, in the words that `#Index` has for it:
///
/// ```swift
/// FetchDescriptor(sortBy: [SortDescriptor(\Photo[.startOfDay(\.taken, in: "Europe/Berlin")], order: .reverse)])
/// ResultsObserver(sectionBy: \Photo[.length(\.title)], modelContext: context)
/// try context.fetch(groupedBy: \Photo[.year(\.taken)], aggregates: .count)
/// ```
///
/// An index over the same function, `#Index<Photo>([.startOfDay(\.taken, in: "Europe/Berlin")])`, serves such an order
/// and has the sizes of such sections; without one the key of each row is made when rows are sorted. Where the property
/// is nil there is no result: nil, which comes first.
public struct ScalarFunction<T: PersistentModel, Value>: Hashable, @unchecked Sendable {
    /// The property. Key paths are immutable.
    let keyPath: PartialKeyPath<T>
    let function: IndexFunction

    fileprivate init(_ keyPath: PartialKeyPath<T>, _ function: Function, timeZone: String? = nil) {
        self.keyPath = keyPath
        self.function = IndexFunction(function, timeZone: timeZone)
        FunctionPaths.note(\T[self], of: keyPath, function: self.function)
    }

    /// The function's result for a model.
    fileprivate func result(for model: T) -> Value {
        let argument = Self.stored(model[keyPath: keyPath])
        let type = argument.scalarType ?? .string
        let result = TypedFunction(function, of: type)?.result(of: argument) ?? .null
        return Self.value(result) ?? CodableStorage.fallback(Value.self, model: T.self, ordinal: -1)
    }

    private static func stored(_ value: Any) -> LoamStorage.Value {
        switch value {
        case let text as String: .string(text)
        case let date as Date: .date(date)
        case let number as Double: .double(number)
        case let number as Float: .float(number)
        case let number as Decimal: .decimal(number)
        default: .null
        }
    }

    /// A result as the type has it: the store's fractions are of more kinds than a function's argument. Nil for a value of
    /// another type.
    static func value(_ result: LoamStorage.Value) -> Value? {
        switch result {
        case .int(let number): Int(number) as? Value
        case .string(let text): text as? Value
        case .date(let date): date as? Value
        case .double(let number): number as? Value ?? Float(number) as? Value
        case .float(let number): number as? Value ?? Double(number) as? Value
        case .decimal(let number): number as? Value
        default: Int?.none as? Value
        }
    }
}

extension PersistentModel {
    /// The result of a function of one of the model's properties: what sort descriptors and sections name by its key path.
    public subscript<Value>(_ function: ScalarFunction<Self, Value>) -> Value { function.result(for: self) }
}

extension ScalarFunction where Value: _IndexedText {
    /// A string in small letters, as `lowercased()` makes it.
    public static func lowercased(_ keyPath: KeyPath<T, Value>) -> Self { Self(keyPath, .lowercase) }

    /// A string in capital letters, as `uppercased()` makes it.
    public static func uppercased(_ keyPath: KeyPath<T, Value>) -> Self { Self(keyPath, .uppercase) }
}

extension ScalarFunction where Value: _IndexedFraction {
    /// The whole number at or below a number.
    public static func floor(_ keyPath: KeyPath<T, Value>) -> Self { Self(keyPath, .floor) }

    /// The whole number at or above a number.
    public static func ceil(_ keyPath: KeyPath<T, Value>) -> Self { Self(keyPath, .ceiling) }

    /// The nearest whole number, from the middle away from zero, as `rounded()` has it.
    public static func rounded(_ keyPath: KeyPath<T, Value>) -> Self { Self(keyPath, .round) }
}

/// Parts of dates, in the Gregorian calendar, which is taken to hold before 1582 too. Each takes the identifier of a time
/// zone, as `TimeZone` has it; a fetch by one that the system does not know throws.
extension ScalarFunction where Value: _IndexedDate {
    /// The first moment of a date's day, as `Calendar.startOfDay(for:)` has it.
    public static func startOfDay(_ keyPath: KeyPath<T, Value>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .startOfDay, timeZone: timeZone)
    }

    /// The first moment of a date's month.
    public static func startOfMonth(_ keyPath: KeyPath<T, Value>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .startOfMonth, timeZone: timeZone)
    }
}

extension ScalarFunction where Value == Int {
    /// The number of a string's characters, as `count` has it.
    public static func length(_ keyPath: KeyPath<T, String>) -> Self { Self(keyPath, .length) }

    /// The year of a date.
    public static func year(_ keyPath: KeyPath<T, Date>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .year, timeZone: timeZone)
    }

    /// The month of a date, from 1 to 12, whatever the year.
    public static func month(_ keyPath: KeyPath<T, Date>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .month, timeZone: timeZone)
    }

    /// The day of a date in its month, from 1 to 31.
    public static func day(_ keyPath: KeyPath<T, Date>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .day, timeZone: timeZone)
    }
}

extension ScalarFunction where Value == Int? {
    /// The number of a string's characters, as `count` has it; nil of nil.
    public static func length(_ keyPath: KeyPath<T, String?>) -> Self { Self(keyPath, .length) }

    /// The year of a date; nil of nil.
    public static func year(_ keyPath: KeyPath<T, Date?>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .year, timeZone: timeZone)
    }

    /// The month of a date, from 1 to 12, whatever the year; nil of nil.
    public static func month(_ keyPath: KeyPath<T, Date?>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .month, timeZone: timeZone)
    }

    /// The day of a date in its month, from 1 to 31; nil of nil.
    public static func day(_ keyPath: KeyPath<T, Date?>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .day, timeZone: timeZone)
    }
}

/// The key paths with a function that the process has made: a key path does not tell its parts. As many as a program
/// writes down, times its time zones.
enum FunctionPaths {
    /// Key paths are immutable.
    private struct Parts: @unchecked Sendable {
        var known: [AnyKeyPath: (keyPath: AnyKeyPath, function: IndexFunction)] = [:]
    }

    private static let parts = Mutex(Parts())

    /// Remembers what a key path is made of.
    fileprivate static func note(_ path: AnyKeyPath, of keyPath: AnyKeyPath, function: IndexFunction) {
        nonisolated(unsafe) let (path, keyPath) = (path, keyPath)
        parts.withLock { parts in
            if parts.known[path] == nil { parts.known[path] = (keyPath, function) }
        }
    }

    /// The parts of a key path that was noted.
    static func parts(of path: AnyKeyPath) -> (keyPath: AnyKeyPath, function: IndexFunction)? {
        nonisolated(unsafe) let path = path
        nonisolated(unsafe) let found = parts.withLock { parts in
            nonisolated(unsafe) let found = parts.known[path]
            return found
        }
        return found
    }
}
