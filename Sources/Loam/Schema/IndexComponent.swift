public import Foundation
import LoamStorage

extension Schema {
    /// What one part of an index's key is made of: a property, or a function of one.
    ///
    /// ```swift
    /// #Index<Photo>([.startOfDay(\.taken, in: "Europe/Berlin"), .value(\.rating).descending], [.length(\.caption)])
    /// ```
    ///
    /// An index over a function answers conditions on that function: `$0.caption.count < 80` in a predicate, or
    /// `length(caption) < 80` in a format. It is kept up by every save, as one over properties is. Rows whose property
    /// is nil have nil for the function.
    public struct IndexComponent<T: PersistentModel>: @unchecked Sendable {
        /// The property. Key paths are immutable.
        public let keyPath: PartialKeyPath<T>
        private let function: IndexFunction?
        private let form: StringForm
        private var direction: SortDirection = .ascending

        private init(_ keyPath: PartialKeyPath<T>, _ function: Function? = nil, timeZone: String? = nil) {
            self.keyPath = keyPath
            self.function = function.map { IndexFunction($0, timeZone: timeZone) }
            form = .exact
        }

        private init(_ keyPath: PartialKeyPath<T>, form: StringForm) {
            (self.keyPath, self.form, function) = (keyPath, form, nil)
        }

        /// The same, the greatest value first. For sorting by several properties in different directions.
        public var descending: Self {
            var component = self
            component.direction = .descending
            return component
        }

        /// - Parameter name: gives the name of a property by its key path.
        func definition(_ name: (AnyKeyPath) -> String) -> IndexDefinition.Component {
            IndexDefinition.Component(names: [name(keyPath)], function: function, direction: direction, form: form)
        }
    }
}

extension Schema.IndexComponent {
    /// The property itself.
    public static func value(_ keyPath: PartialKeyPath<T>) -> Self { Self(keyPath) }

    /// A string without case and diacritics, for `[cd]` comparisons and `localizedStandardStarts(with:)`.
    public static func folded(_ keyPath: KeyPath<T, some _IndexedText>) -> Self {
        Self(keyPath, form: .caseAndDiacriticFolded)
    }

    /// A string in small letters, as `lowercased()` makes it.
    public static func lowercased(_ keyPath: KeyPath<T, some _IndexedText>) -> Self { Self(keyPath, .lowercase) }

    /// A string in capital letters, as `uppercased()` makes it.
    public static func uppercased(_ keyPath: KeyPath<T, some _IndexedText>) -> Self { Self(keyPath, .uppercase) }

    /// The number of a string's characters, as `count` has it.
    public static func length(_ keyPath: KeyPath<T, some _IndexedText>) -> Self { Self(keyPath, .length) }

    /// The whole number at or below a number.
    public static func floor(_ keyPath: KeyPath<T, some _IndexedFraction>) -> Self { Self(keyPath, .floor) }

    /// The whole number at or above a number.
    public static func ceil(_ keyPath: KeyPath<T, some _IndexedFraction>) -> Self { Self(keyPath, .ceiling) }

    /// The nearest whole number, from the middle away from zero, as `rounded()` has it.
    public static func rounded(_ keyPath: KeyPath<T, some _IndexedFraction>) -> Self { Self(keyPath, .round) }
}

/// Parts of dates, in the Gregorian calendar, which is taken to hold before 1582 too. Each takes the identifier of a time
/// zone, as `TimeZone` has it; one that the system does not know is an error where the index is to be made.
///
/// Such an index notes the offsets of its zone. A process for which the zone has other ones, after a new law of time,
/// does not read it and marks it stale with its first save, until it is rebuilt.
extension Schema.IndexComponent {
    /// The first moment of a date's day, as `Calendar.startOfDay(for:)` has it: dates in the order of their days.
    public static func startOfDay(
        _ keyPath: KeyPath<T, some _IndexedDate>, in timeZone: String = "UTC"
    ) -> Self {
        Self(keyPath, .startOfDay, timeZone: timeZone)
    }

    /// The first moment of a date's month: dates in the order of their months.
    public static func startOfMonth(
        _ keyPath: KeyPath<T, some _IndexedDate>, in timeZone: String = "UTC"
    ) -> Self {
        Self(keyPath, .startOfMonth, timeZone: timeZone)
    }

    /// The year of a date.
    public static func year(_ keyPath: KeyPath<T, some _IndexedDate>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .year, timeZone: timeZone)
    }

    /// The month of a date, from 1 to 12, whatever the year.
    public static func month(_ keyPath: KeyPath<T, some _IndexedDate>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .month, timeZone: timeZone)
    }

    /// The day of a date in its month, from 1 to 31.
    public static func day(_ keyPath: KeyPath<T, some _IndexedDate>, in timeZone: String = "UTC") -> Self {
        Self(keyPath, .day, timeZone: timeZone)
    }
}

/// A property with a string, or with nil. No other types conform.
public protocol _IndexedText {}

/// A property with a number that may have a fraction, or with nil. No other types conform.
public protocol _IndexedFraction {}

/// A property with a date, or with nil. No other types conform.
public protocol _IndexedDate {}

extension String: _IndexedText {}
extension Float: _IndexedFraction {}
extension Double: _IndexedFraction {}
extension Decimal: _IndexedFraction {}
extension Date: _IndexedDate {}
extension Optional: _IndexedText where Wrapped: _IndexedText {}
extension Optional: _IndexedFraction where Wrapped: _IndexedFraction {}
extension Optional: _IndexedDate where Wrapped: _IndexedDate {}
