/// What the bytes of a field spell, without making a string. Every function is strict and takes the whole field.
enum FieldText {
    /// A decimal integer as people and programs write it: digits with an optional minus, no leading zeros, so that
    /// the text of the value is the text of the field. (`007` is a code, not a number.)
    static func isPlainInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let digits = bytes.first == UInt8(ascii: "-") ? UnsafeBufferPointer(rebasing: bytes.dropFirst()) : bytes
        guard let first = digits.first, digits.allSatisfy(isDigit) else { return false }
        return first != 0x30 || (digits.count == 1 && digits.count == bytes.count)
    }

    /// An integer with an optional sign, leading zeros allowed; nil when it is none or exceeds 64 bits.
    static func integer<I: FixedWidthInteger>(_ bytes: UnsafeBufferPointer<UInt8>, as type: I.Type = I.self) -> I? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative || bytes.first == UInt8(ascii: "+") ? 1 : 0
        guard bytes.count > start else { return nil }
        var value: I = 0
        for byte in bytes[start...] {
            guard isDigit(byte), let digit = I(exactly: byte - 0x30) else { return nil }
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if first || second { return nil }
            value = sum
        }
        return value
    }

    /// A decimal number with a point or an exponent, or without: `1`, `-2.5`, `.5`, `1e-7`; `NaN`, `Infinity` and
    /// `-Infinity` as this library writes them. Nil for a number that is too large, or too near zero, to be rounded to
    /// one of the type.
    static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let shape = NumberShape(bytes) else { return word(bytes) }
        return shape.exactDouble ?? rounded(bytes, isZero: shape.isZero)
    }

    /// The number rounded once, from the text, to a float.
    static func float(_ bytes: UnsafeBufferPointer<UInt8>) -> Float? {
        guard let shape = NumberShape(bytes) else { return word(bytes).map { Float($0) } }
        return rounded(bytes, isZero: shape.isZero)
    }

    private static func rounded<F: BinaryFloatingPoint & LosslessStringConvertible>(
        _ bytes: UnsafeBufferPointer<UInt8>, isZero: Bool
    ) -> F? {
        guard let value = F(String(decoding: bytes, as: UTF8.self)), value.isFinite, value.isZero == isZero else {
            return nil
        }
        return value
    }

    /// Whether a field spells a number as a program would write it: no leading zeros, no plus.
    static func isPlainNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let shape = NumberShape(bytes), bytes.first != UInt8(ascii: "+") else { return false }
        return !shape.hasLeadingZeros
    }

    static func bool(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        if equals(bytes, "true") || equals(bytes, "TRUE") || equals(bytes, "True") { return true }
        if equals(bytes, "false") || equals(bytes, "FALSE") || equals(bytes, "False") { return false }
        return nil
    }

    /// The number that a word spells.
    static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        if equals(bytes, "NaN") { return .nan }
        if equals(bytes, "Infinity") { return .infinity }
        if equals(bytes, "-Infinity") { return -.infinity }
        return nil
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    private static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}

/// A decimal number taken apart: `digits` times ten to the `exponent`.
private struct NumberShape {
    private var digits: UInt64 = 0
    private var digitCount = 0
    private var exponent = 0
    private var isNegative = false
    /// Whether there are more digits than 64 bits hold, or an exponent beyond any double: then the slow way decides.
    private var isLong = false
    private(set) var hasLeadingZeros = false
    var isZero: Bool { digitCount == 0 }

    /// Nil when the bytes do not spell a number.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            index = 1
        }
        let start = index
        readDigits(bytes, &index)
        let whole = index - start
        hasLeadingZeros = whole > 1 && bytes[start] == 0x30
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let point = index
            readDigits(bytes, &index)
            exponent = point - index
            guard whole + index - point > 0 else { return nil }
        }
        guard index > start, readExponent(bytes, &index), index == bytes.count else { return nil }
    }

    /// The number when both parts are small enough for one correctly rounded operation (William Clinger's fast path).
    var exactDouble: Double? {
        guard !isLong, digits <= 1 << 53, exponent.magnitude <= 22 else { return nil }
        let scaled = exponent < 0 ? Double(digits) / Self.powers[-exponent] : Double(digits) * Self.powers[exponent]
        return isNegative ? -scaled : scaled
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    private mutating func readDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        while index < bytes.count, FieldText.isDigit(bytes[index]) {
            if digits != 0 || bytes[index] != 0x30 { digitCount += 1 }
            if digitCount <= 18 { digits = digits * 10 + UInt64(bytes[index] - 0x30) } else { isLong = true }
            index += 1
        }
    }

    private mutating func readExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "e") || bytes[index] == UInt8(ascii: "E") else {
            return true
        }
        index += 1
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let start = index
        var value = 0
        while index < bytes.count, FieldText.isDigit(bytes[index]) {
            if value < 100_000 { value = value * 10 + Int(bytes[index] - 0x30) }
            index += 1
        }
        if value > 1_000 { isLong = true }
        exponent += isNegative ? -value : value
        return index > start
    }
}
