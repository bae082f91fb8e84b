public import Foundation
import LoamStorage

// Parts of dates, as a calendar has them.

extension PredicateExpressions {
    /// The components of a date that a predicate can ask for.
    public enum _DateComponent: String, Codable, Hashable, Sendable {
        case year, month, day
        case startOfDay

        var function: Function {
            switch self {
            case .year: .year
            case .month: .month
            case .day: .day
            case .startOfDay: .startOfDay
            }
        }
    }

    /// What the macro writes for `calendar.component(.year, from: date)`.
    public static func build_component<Root>(
        _ calendar: Value<Calendar>, _ component: _DateComponent, from date: Root
    ) -> _PartOfDate<Root, Int> where Root.Output == Date {
        _PartOfDate(component, of: date, calendar: calendar.value)
    }

    /// What the macro writes for `calendar.startOfDay(for: date)`.
    public static func build_startOfDay<Root>(
        _ calendar: Value<Calendar>, for date: Root
    ) -> _PartOfDate<Root, Date> where Root.Output == Date {
        _PartOfDate(.startOfDay, of: date, calendar: calendar.value)
    }

    /// A part of a date in the time zone of a calendar, which is the Gregorian one or that of ISO 8601. Before 1582 it
    /// is that of ISO 8601 for both.
    public struct _PartOfDate<Root: PredicateExpression, Output: Codable & Sendable>: PredicateExpression
    where Root.Output == Date {
        let part: _DateComponent
        let calendar: Calendar
        /// The expression whose value is the date.
        public let date: Root

        init(_ part: _DateComponent, of date: Root, calendar: Calendar) {
            (self.part, self.date, self.calendar) = (part, date, calendar)
        }

        var isSupported: Bool { calendar.identifier == .gregorian || calendar.identifier == .iso8601 }

        static var refusal: String { "a calendar other than the Gregorian one and that of ISO 8601" }

        /// Computes the part, in memory, as a fetch does.
        ///
        /// - Throws: ``SwiftDataError/unsupportedPredicate`` for another calendar, `DecodingError` for a date that has no
        ///   such part, as an infinite one, and what the argument throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            guard isSupported else {
                throw SwiftDataError(.unsupportedPredicate, detail: "A predicate cannot ask \(Self.refusal).")
            }
            let function = TypedFunction(
                IndexFunction(part.function, timeZone: calendar.timeZone.identifier), of: .date)
            let value = function?.result(of: .date(try date.evaluate(bindings))) ?? .null
            return try ValueDecoder.decode(Output.self, from: value)
        }
    }
}

extension PredicateExpressions._PartOfDate: Sendable where Root: Sendable {}
extension PredicateExpressions._PartOfDate: Codable where Root: Codable {}
extension PredicateExpressions._PartOfDate: StandardPredicateExpression where Root: StandardPredicateExpression {}
