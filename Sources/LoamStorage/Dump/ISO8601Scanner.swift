/// Reads one ISO 8601 date from bytes, strictly.
struct ISO8601Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Seconds since 2001, or nil when the bytes are no date or anything follows it.
    mutating func date() -> Double? {
        guard bytes.count >= 10, let days = day() else { return nil }
        var whole = days * 86_400
        guard position < bytes.count else { return Double(whole) }
        guard take("T") || take("t") || take(" "), let seconds = time() else { return nil }
        whole += seconds
        let fraction = fractionRange()
        guard let fraction, let offset = zone(), position == bytes.count else { return nil }
        return combine(whole - offset, fraction: fraction)
    }

    private mutating func day() -> Int? {
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        let start = position
        guard let year = number(sign == 0 ? 4...4 : 6...9), start < position, take("-"),
            let month = number(2...2), (1...12).contains(month), take("-"),
            let day = number(2...2), day >= 1
        else { return nil }
        let signed = sign < 0 ? -year : year
        let days = CivilDate.days(year: signed, month: month, day: day)
        // The calendar wraps a day that the month does not have into the next one.
        return CivilDate(daysSince2001: days).month == month ? days : nil
    }

    private mutating func time() -> Int? {
        guard let hour = number(2...2), hour <= 24, take(":"), let minute = number(2...2), minute < 60 else {
            return nil
        }
        var second = 0
        if take(":") {
            guard let number = number(2...2), number < 60 else { return nil }
            second = number
        }
        guard hour < 24 || minute + second == 0 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// The digits behind a point; an empty range without one; nil when no digit follows it.
    private mutating func fractionRange() -> Range<Int>? {
        guard take(".") || take(",") else { return position..<position }
        let start = position
        while let byte = peek(), isDigit(byte) { position += 1 }
        return start < position ? start..<position : nil
    }

    /// Reads a time zone: the seconds east of UTC, 0 at the end of the text; nil where there is something else.
    private mutating func zone() -> Int? {
        if position == bytes.count || take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2...2), hours < 24 else { return nil }
        if position == bytes.count { return sign * hours * 3_600 }
        _ = take(":")
        guard let minutes = number(2...2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    /// The double nearest to the whole seconds plus the decimal fraction, rounded once.
    private func combine(_ whole: Int, fraction: Range<Int>) -> Double? {
        guard !fraction.isEmpty, bytes[fraction].contains(where: { $0 != 0x30 }) else { return Double(whole) }
        guard fraction.count <= 400 else { return nil }
        guard whole < 0 else { return Double("\(whole)." + String(decoding: bytes[fraction], as: UTF8.self)) }
        // whole + fraction = -((-whole - 1) + (1 - fraction))
        var digits = Array(bytes[fraction])
        while digits.last == 0x30 { digits.removeLast() }
        for position in digits.indices {
            let nines = 9 - (digits[position] - 0x30)
            digits[position] = 0x30 + nines + (position == digits.count - 1 ? 1 : 0)
        }
        return Double("-\(-whole - 1)." + String(decoding: digits, as: UTF8.self))
    }

    private mutating func number(_ width: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while count < width.upperBound, let byte = peek(), isDigit(byte) {
            value = value * 10 + Int(byte - 0x30)
            count += 1
            position += 1
        }
        return width.contains(count) ? value : nil
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }
}
