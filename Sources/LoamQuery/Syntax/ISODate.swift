package import Foundation
import LoamStorage

/// Dates as ISO 8601 text in the proleptic Gregorian calendar, in UTC unless an offset is written.
package enum ISODate {
    /// Reads `2026-03-01`, `2026-03-01T12:30`, `2026-03-01T12:30:05.25Z`, `2026-03-01 12:30:05+01:00`.
    ///
    /// Nil when the text is anything else, or names a day or time that does not exist. Cost: one pass.
    package static func parse(_ text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2), (1...12).contains(month),
            (1...daysInMonth(month, year: year)).contains(day)
        else { return nil }
        let midnight = (daysFromReference(year: year, month: month, day: day)) * 86400
        if reader.isAtEnd { return Date(timeIntervalSinceReferenceDate: Double(midnight)) }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let (seconds, fraction) = time(&reader),
            let offset = offset(&reader), reader.isAtEnd
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(midnight + seconds - offset) + fraction)
    }

    /// The text of `date`, with as many digits of the second as it takes to read the same date again; nil outside of
    /// the years 0 to 9999 and where 17 digits do not suffice.
    package static func text(of date: Date) -> String? {
        let seconds = date.seconds
        guard abs(seconds) < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let day = Int((whole / 86400).rounded(.down))
        let second = Int(whole) - day * 86400
        let (year, month, dayOfMonth) = civil(daysFromReference: day)
        guard (0...9999).contains(year) else { return nil }
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        let start = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock)"
        let fraction = seconds - whole
        if fraction == 0 { return start + "Z" }
        for digits in [3, 6, 9, 12, 17] {
            let text = start + String(format: "%.\(digits)f", fraction).dropFirst() + "Z"
            if parse(text)?.seconds == seconds { return text }
        }
        return nil
    }

    private static func time(_ reader: inout Reader) -> (seconds: Int, fraction: Double)? {
        guard let hour = reader.number(digits: 2), hour < 24, reader.skip(":"), let minute = reader.number(digits: 2),
            minute < 60
        else { return nil }
        let start = hour * 3600 + minute * 60
        guard reader.skip(":") else { return (start, 0) }
        guard let second = reader.number(digits: 2), second < 60 else { return nil }
        guard reader.skip(".") || reader.skip(",") else { return (start + second, 0) }
        guard let fraction = reader.fraction() else { return nil }
        return (start + second, fraction)
    }

    /// Seconds to subtract; no offset is UTC.
    private static func offset(_ reader: inout Reader) -> Int? {
        if reader.isAtEnd || reader.skip("Z") || reader.skip("z") { return 0 }
        let sign = reader.skip("+") ? 1 : (reader.skip("-") ? -1 : 0)
        guard sign != 0, let hour = reader.number(digits: 2), hour < 24 else { return nil }
        if reader.isAtEnd { return sign * hour * 3600 }
        _ = reader.skip(":")
        guard let minute = reader.number(digits: 2), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days from 2001-01-01, by counting years from March, so that the leap day is a year's last.
    private static func daysFromReference(year: Int, month: Int, day: Int) -> Int {
        let fromMarch = (month + 9) % 12
        let year = month <= 2 ? year - 1 : year
        let era = floorDivide(year, 400)
        let yearOfEra = year - era * 400
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * fromMarch + 2) / 5 + day - 1
        return era * 146_097 + dayOfEra - referenceDay
    }

    private static func civil(daysFromReference days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + referenceDay
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }

    /// Days from 0000-03-01 to 2001-01-01.
    private static let referenceDay = 730_791

    private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Reads ASCII digits and signs.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ sign: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
            position += 1
            return true
        }

        mutating func number(digits: Int) -> Int? {
            guard position + digits <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<position + digits] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            position += digits
            return value
        }

        mutating func fraction() -> Double? {
            let start = position
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
            guard position > start else { return nil }
            return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
        }
    }
}
