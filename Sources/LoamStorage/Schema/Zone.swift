import Foundation
import Synchronization

/// The offsets of a time zone through all times, for functions of dates.
///
/// Foundation is asked for them once in a process; after that a look-up takes some nanoseconds and no lock. Zones with
/// the same offsets are equal, whatever their names.
package struct Zone: Hashable, @unchecked Sendable {
    /// A time from which on an offset holds.
    private struct Change: Hashable {
        /// Seconds since 2001; the least number there is in the first.
        let start: Int
        /// Seconds that the zone's clocks are ahead of UTC.
        let offset: Int
    }

    /// How many changes there are and the bits of their hash, as the start and the offset of the first element, and then
    /// the changes. Never written again, and never freed: a zone is copied as one word.
    private let table: UnsafePointer<Change>

    private var count: Int { table.pointee.start }
    private var changes: UnsafePointer<Change> { table + 1 }

    /// - Parameter identifier: as `TimeZone` takes it: `Europe/Berlin`.
    /// - Returns: nil where Foundation knows no such zone.
    package init?(_ identifier: String) {
        guard let zone = Self.known.withLock({ $0.zone(identifier) }) else { return nil }
        self = zone
    }

    /// The identifier of the zone that is meant where none is named.
    package static let utc = "UTC"

    /// A hash of all offsets: another one where a newer table of time zones differs. It is kept with the table.
    package var version: String { "zone " + String(UInt(bitPattern: table.pointee.offset), radix: 16) }

    private static func hash(_ changes: [Change]) -> UInt64 {
        // FNV-1a, of 64 bits.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for change in changes {
            for part in [change.start, change.offset] {
                withUnsafeBytes(of: Int64(part).littleEndian) { bytes in
                    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                }
            }
        }
        return hash
    }
}

// MARK: - Asking Foundation

extension Zone {
    private struct Known {
        private var zones: [String: Zone] = [:]
        private var contents: [[Change]: Zone] = [:]

        mutating func zone(_ identifier: String) -> Zone? {
            if let zone = zones[identifier] { return zone }
            // Foundation reads no further than to a zero.
            guard identifier.utf8.count <= 64, identifier.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
                let zone = TimeZone(identifier: identifier)
            else { return nil }
            let changes = Zone.changes(of: zone)
            let kept = contents[changes] ?? Zone(keeping: changes)
            contents[changes] = kept
            zones[identifier] = kept
            return kept
        }
    }

    private static let known = Mutex(Known())

    private init(keeping changes: [Change]) {
        let memory = UnsafeMutablePointer<Change>.allocate(capacity: changes.count + 1)
        let hash = UInt(truncatingIfNeeded: Self.hash(changes))
        memory.initialize(to: Change(start: changes.count, offset: Int(bitPattern: hash)))
        (memory + 1).initialize(from: changes, count: changes.count)
        table = UnsafePointer(memory)
    }

    private static func changes(of zone: TimeZone) -> [Change] {
        var date = Date(timeIntervalSinceReferenceDate: Double(CivilDate.days(year: 1, month: 1, day: 1) * daySeconds))
        var changes = [Change(start: .min, offset: zone.secondsFromGMT(for: date))]
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date,
            next.seconds < Double(tableEnd)
        {
            let offset = zone.secondsFromGMT(for: next)
            let start = Int(next.seconds.rounded(.down))
            if offset != changes.last?.offset { changes.append(Change(start: start, offset: offset)) }
            date = next
        }
        return changes
    }

    private static let daySeconds = 86_400
    /// The calendar, and with it the rule of every zone, comes again after 400 years, which are whole weeks.
    private static let period = 146_097 * daySeconds
    /// Later times are looked up some periods earlier. No zone has a list of changes that goes on till 2101.
    private static let foldedFrom = CivilDate.days(year: 2501, month: 1, day: 1) * daySeconds
    /// A year more than is looked up, for days that begin before it and end in it.
    private static let tableEnd = CivilDate.days(year: 2502, month: 1, day: 1) * daySeconds
}

// MARK: - Parts of a date

/// What a function takes of a date in a time zone.
package enum CalendarPart: Hashable, Sendable {
    case year, month, day
    case startOfMonth, startOfDay

    package enum Result: Hashable, Sendable {
        case number(Int64)
        /// Seconds since 2001.
        case seconds(Double)
    }
}

extension Zone {
    /// A part of a date, in the Gregorian calendar.
    ///
    /// - Parameter seconds: since 2001.
    /// - Returns: nil for dates that are not finite, or 10^15 seconds away: these have no text either.
    package func part(_ part: CalendarPart, of seconds: Double) -> CalendarPart.Result? {
        guard seconds.magnitude < 1e15 else { return nil }
        var moment = Int(seconds.rounded(.down))
        let periods = moment < Self.foldedFrom ? 0 : (moment - Self.foldedFrom) / Self.period + 1
        moment -= periods * Self.period
        let local = moment + changes[number(at: moment)].offset
        let days = (local >= 0 ? local : local - Self.daySeconds + 1) / Self.daySeconds
        let date = CivilDate(daysSince2001: days)
        switch part {
        case .year: return .number(Int64(date.year + 400 * periods))
        case .month: return .number(Int64(date.month))
        case .day: return .number(Int64(date.day))
        case .startOfMonth:
            let first = CivilDate.days(year: date.year, month: date.month, day: 1)
            return .seconds(Double(start(ofDay: first) + periods * Self.period))
        case .startOfDay: return .seconds(Double(start(ofDay: days) + periods * Self.period))
        }
    }

    /// The first moment of a day: the first at which the zone's clocks have reached it. They may begin it later than at
    /// midnight, or leave it out.
    private func start(ofDay day: Int) -> Int {
        let midnight = day * Self.daySeconds
        var number = number(at: midnight - Self.daySeconds)
        while true {
            let change = changes[number]
            let end = number + 1 < count ? changes[number + 1].start : .max
            let moment = max(change.start, midnight - change.offset)
            if moment < end { return moment }
            number += 1
        }
    }

    /// The number of the last change at or before a time.
    private func number(at moment: Int) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].start <= moment { low = middle } else { high = middle }
        }
        return low
    }
}
