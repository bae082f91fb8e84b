import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// The parts of dates are those of Foundation's calendar.
@Suite struct ZoneTests {
    /// Zones whose clocks were changed at midnight, by a day, by half an hour, or never.
    private static let zones = [
        "UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Asia/Kathmandu", "Pacific/Apia",
        "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "Asia/Beirut", "GMT+0130",
    ]

    private func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    private func number(_ part: CalendarPart, of date: Date, in zone: Zone) -> Int? {
        guard case .number(let number) = zone.part(part, of: date.seconds) else { return nil }
        return Int(number)
    }

    private func start(_ part: CalendarPart, of date: Date, in zone: Zone) -> Date? {
        guard case .seconds(let seconds) = zone.part(part, of: date.seconds) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    @Test(arguments: zones)
    func partsAreThoseOfACalendar(name: String) throws {
        let (zone, calendar) = (try #require(Zone(name)), try calendar(name))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<1_500 {
            // From 1900 to 2100 most of the time, now and then far beyond.
            let years = Double.random(in: 0..<1, using: &random) < 0.9 ? -101.0...99.0 : -400.0...4_000.0
            let date = Date(timeIntervalSinceReferenceDate: .random(in: years, using: &random) * 31_556_952)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(number(.year, of: date, in: zone) == parts.year, "\(date.seconds)")
            #expect(number(.month, of: date, in: zone) == parts.month, "\(date.seconds)")
            #expect(number(.day, of: date, in: zone) == parts.day, "\(date.seconds)")
        }
    }

    @Test(arguments: zones)
    func daysAndMonthsBeginWhereTheyDoInACalendar(name: String) throws {
        let (zone, calendar) = (try #require(Zone(name)), try calendar(name))
        var random = SeededGenerator(seed: 8)
        for _ in 0..<1_500 {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: -31.0...99, using: &random) * 31_556_952)
            #expect(start(.startOfDay, of: date, in: zone) == calendar.startOfDay(for: date), "\(date.seconds)")
            let month = calendar.dateInterval(of: .month, for: date)?.start
            #expect(start(.startOfMonth, of: date, in: zone) == month, "\(date.seconds)")
        }
    }

    /// Every moment around each change of the clocks: one day has one beginning, and it lies in the day.
    @Test(arguments: zones)
    func aDayHasOneBeginning(name: String) throws {
        let zone = try #require(Zone(name))
        let own = try #require(TimeZone(identifier: name))
        var date = Date(timeIntervalSinceReferenceDate: -31.0 * 31_556_952)
        for _ in 0..<100 {
            guard let change = own.nextDaylightSavingTimeTransition(after: date) else { return }
            var starts: [String: Date] = [:]
            for step in -150...150 {
                let moment = change.addingTimeInterval(Double(step) * 599)
                let start = try #require(self.start(.startOfDay, of: moment, in: zone))
                let day = [CalendarPart.year, .month, .day].map { "\(number($0, of: moment, in: zone) ?? 0)" }.joined()
                let first = [CalendarPart.year, .month, .day].map { "\(number($0, of: start, in: zone) ?? 0)" }.joined()
                #expect(day == first && start <= moment, "\(moment.seconds)")
                #expect(starts[day] ?? start == start, "\(moment.seconds)")
                starts[day] = start
            }
            date = change
        }
    }

    @Test func whatHasNoPartsGivesNil() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        for seconds in [Double.nan, .infinity, -.infinity, 1e15, -1e300] {
            for part in [CalendarPart.year, .month, .day, .startOfDay, .startOfMonth] {
                #expect(zone.part(part, of: seconds) == nil)
            }
        }
        #expect(zone.part(.year, of: 9e14) == .number(28_521_865))
        #expect(zone.part(.day, of: -0.5) == .number(1) && zone.part(.day, of: -3_600.5) == .number(31))
    }

    @Test func zonesWithTheSameOffsetsAreTheSame() throws {
        #expect(Zone("UTC") == Zone("GMT") && Zone("Europe/Berlin") != Zone("UTC"))
        #expect(try #require(Zone("UTC")).version != #require(Zone("Europe/Berlin")).version)
        for name in ["", "Mars/Olympus", "europe/berlin", "UTC\u{0}x", String(repeating: "x", count: 5_000)] {
            #expect(Zone(name) == nil, "\(name.prefix(20).debugDescription)")
        }
    }
}
