import Foundation

/// A text that is read as a number, as Swift's initializers read it.
struct NumberText {
    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    var double: Double? { withText({ strtod($0, nil) }) { Double($0) } }
    var float: Float? { withText({ strtof($0, nil) }) { Float($0) } }

    /// An integer of up to 64 bits of either kind, and a few more.
    var integer: Int128? {
        var bytes = text[...]
        let isNegative = bytes.first == 0x2D
        if isNegative || bytes.first == 0x2B { bytes.removeFirst() }
        guard !bytes.isEmpty else { return nil }
        var number: Int128 = 0
        for byte in bytes {
            guard byte &- 0x30 < 10, number < 1 << 65 else { return nil }
            number = number * 10 + Int128(byte - 0x30)
        }
        return isNegative ? -number : number
    }

    /// A decimal of up to 38 digits, well within the range of exponents; nil for any other text.
    var decimal: DecimalParts? {
        guard let parts = DigitText(text), let mantissa = parts.mantissa(text) else { return nil }
        // What is larger is no decimal.
        guard mantissa == 0 || DecimalParts.digitCount(mantissa) + parts.exponentOfLast < 100 else { return nil }
        return DecimalParts.usual(text.first == 0x2D, exponent: parts.exponentOfLast, mantissa: mantissa)
    }

    /// Reads a number with a fraction: a string of up to 15 bytes takes no memory, and a longer one is read by C where it
    /// is plain digits, a point and an exponent.
    private func withText<Number>(_ readC: (UnsafePointer<CChar>) -> Number, _ read: (String) -> Number?) -> Number? {
        guard mayBeNumber else { return nil }
        guard text.count > 15, text.count <= 512, let parts = DigitText(text) else {
            return read(String(decoding: text, as: UTF8.self))
        }
        return withUnsafeTemporaryAllocation(byteCount: text.count + 16, alignment: 1) { room in
            parts.write(text, to: room)
            return room.bindMemory(to: CChar.self).baseAddress.map { readC($0) }
        }
    }

    /// Whether it begins as a number, and goes on with letters of one: no others are copied.
    private var mayBeNumber: Bool {
        let digits = text.first == 0x2D || text.first == 0x2B ? text.dropFirst() : text[...]
        guard let first = digits.first else { return false }
        // Infinity and NaN.
        if first | 0x20 == 0x69 || first | 0x20 == 0x6E { return true }
        return first &- 0x30 < 10 || first == 0x2E
    }
}

/// A number in decimal digits, taken apart: a sign, digits, a point and more digits, an exponent.
private struct DigitText {
    /// The places of the point, or of the end of the digits, and of that end.
    private let point, end: Int
    private let exponent: Int

    /// Nil for a text in any other form.
    init?(_ text: UnsafeRawBufferPointer) {
        var place = text.first == 0x2D || text.first == 0x2B ? 1 : 0
        guard Self.skipDigits(of: text, &place) else { return nil }
        point = place
        if place < text.count, text[place] == 0x2E {
            place += 1
            guard Self.skipDigits(of: text, &place) else { return nil }
        }
        end = place
        var exponent = 0
        if place < text.count {
            guard text[place] | 0x20 == 0x65 else { return nil }
            place += 1
            let isNegative = place < text.count && text[place] == 0x2D
            if isNegative || place < text.count && text[place] == 0x2B { place += 1 }
            let start = place
            guard Self.skipDigits(of: text, &place), place - start <= 5 else { return nil }
            for digit in text[start..<place] { exponent = exponent * 10 + Int(digit - 0x30) }
            if isNegative { exponent.negate() }
        }
        guard place == text.count else { return nil }
        self.exponent = exponent
    }

    private static func skipDigits(of text: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        let start = place
        while place < text.count, text[place] &- 0x30 < 10 { place += 1 }
        return place > start
    }

    /// The exponent of the last digit.
    var exponentOfLast: Int { exponent - max(0, end - point - 1) }

    /// All digits as a number; nil for one of more than 38 digits.
    func mantissa(_ text: UnsafeRawBufferPointer) -> UInt128? {
        var mantissa: UInt128 = 0
        for index in 0..<end where text[index] &- 0x30 < 10 {
            guard mantissa < DecimalParts.powersOfTen[37] else { return nil }
            mantissa = mantissa * 10 + UInt128(text[index] - 0x30)
        }
        return mantissa
    }

    /// Writes the number without a point, which is another one in some locales, and with a zero byte at its end.
    ///
    /// - Parameter room: 16 bytes more than the text has.
    func write(_ text: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) {
        var place = 0
        for index in 0..<end where index != point {
            room[place] = text[index]
            place += 1
        }
        let exponent = exponentOfLast
        room[place] = 0x65
        room[place + 1] = exponent < 0 ? 0x2D : 0x2B
        var rest = exponent.magnitude
        for digit in stride(from: place + 7, to: place + 1, by: -1) {
            room[digit] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
        room[place + 8] = 0
    }
}
