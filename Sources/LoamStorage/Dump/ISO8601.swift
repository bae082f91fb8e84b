package import Foundation

/// Dates as text: ISO 8601, proleptic Gregorian calendar, always exact.
///
/// `2013-01-01T10:00:00Z`, with a fraction only when there is one. A year outside 0000 to 9999 is written with a sign
/// and at least six digits. Reading also takes a date alone, a space for the `T`, a time without seconds, and an
/// offset (`+02:00`, `+0200`, `+02`); a time without a zone is UTC. Text of a date reads back as the same date, bit by
/// bit.
package enum ISO8601 {
    /// The text of a date in UTC; nil for dates that have none: not finite, minus zero, further than 10^15 seconds
    /// from 2001 or closer to it than 10^-20 seconds.
    package static func text(of date: Date) -> String? {
        var bytes: [UInt8] = []
        return append(date, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Appends the text of a date; false, with nothing appended, where ``text(of:)`` is nil.
    package static func append(_ date: Date, to bytes: inout [UInt8]) -> Bool {
        let seconds = date.seconds
        guard let time = split(seconds) else { return false }
        let (day, second) = time.whole.quotientAndRemainder(dividingBy: 86_400)
        let days = second < 0 ? day - 1 : day
        let inDay = second < 0 ? second + 86_400 : second
        let civil = CivilDate(daysSince2001: days)
        appendYear(civil.year, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendTwo(civil.month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendTwo(civil.day, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendTwo(inDay / 3_600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwo(inDay / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwo(inDay % 60, to: &bytes)
        if !time.fraction.isEmpty {
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: time.fraction)
        }
        bytes.append(UInt8(ascii: "Z"))
        return true
    }

    /// The date that a text names, or nil when it is not such a text.
    package static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { seconds($0).map { Date(timeIntervalSinceReferenceDate: $0) } }
    }

    /// Seconds since 2001 of the date that these bytes name, or nil.
    package static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var scanner = ISO8601Scanner(bytes: bytes)
        return scanner.date()
    }

    // MARK: Digits

    /// Whole seconds, rounded down, and the digits of the fraction above them: those of the shortest decimal that
    /// reads back as the number.
    private static func split(_ seconds: Double) -> (whole: Int, fraction: [UInt8])? {
        guard seconds.magnitude < 1e15, seconds != 0 || seconds.sign == .plus else { return nil }
        if let whole = Int(exactly: seconds) { return (whole, []) }
        guard seconds.magnitude > 1e-20 else { return nil }
        var fraction = fractionDigits(of: seconds.magnitude)
        let whole = Int(seconds.magnitude)
        guard seconds < 0 else { return (whole, fraction) }
        // The fraction above the whole second below is the complement to one; its last digit is never 0.
        for position in fraction.indices {
            let nines = 9 - (fraction[position] - 0x30)
            fraction[position] = 0x30 + nines + (position == fraction.count - 1 ? 1 : 0)
        }
        return (-whole - 1, fraction)
    }

    /// The digits behind the point of a positive number's shortest decimal, exponent resolved.
    private static func fractionDigits(of number: Double) -> [UInt8] {
        let text = Array(number.description.utf8)
        let mark = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
        let exponent = mark < text.count ? Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0 : 0
        let mantissa = text[..<mark]
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mark
        let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        let start = point + exponent
        var fraction = start < 0 ? [UInt8](repeating: 0x30, count: -start) + digits : Array(digits.dropFirst(start))
        while fraction.last == 0x30 { fraction.removeLast() }
        return fraction
    }

    private static func appendTwo(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(0x30 + number / 10))
        bytes.append(UInt8(0x30 + number % 10))
    }

    private static func appendYear(_ year: Int, to bytes: inout [UInt8]) {
        if (0...9_999).contains(year) {
            appendTwo(year / 100, to: &bytes)
            appendTwo(year % 100, to: &bytes)
        } else {
            let digits = String(year.magnitude)
            bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
            bytes.append(contentsOf: repeatElement(0x30, count: max(0, 6 - digits.count)))
            bytes.append(contentsOf: digits.utf8)
        }
    }
}
