import Foundation

/// Exact arithmetic of decimals on their parts, and what becomes of them elsewhere, without memory from the heap.
extension DecimalParts {
    /// The result where it is exact, has at most 38 digits and lies well within the range of exponents; nil for any
    /// other, and for a division by zero. Neither number is a NaN.
    static func exactResult(
        _ operation: ArithmeticOperator, left: DecimalParts, right: DecimalParts
    ) -> DecimalParts? {
        switch operation {
        case .add: sum(left, right)
        case .subtract: sum(left, right.negated)
        case .multiply: product(left, right)
        case .divide: exactQuotient(left, right)
        }
    }

    var negated: DecimalParts { DecimalParts(isNegative: !isNegative, exponent: exponent, mantissa: mantissa) }

    static func usual(_ isNegative: Bool, exponent: Int, mantissa: UInt128) -> DecimalParts? {
        guard mantissa < powersOfTen[38], (-90...90).contains(exponent) else { return nil }
        return DecimalParts(isNegative: isNegative, exponent: Int8(exponent), mantissa: mantissa)
    }

    private static func sum(_ left: DecimalParts, _ right: DecimalParts) -> DecimalParts? {
        if left.mantissa == 0 {
            return usual(right.isNegative, exponent: Int(right.exponent), mantissa: right.mantissa)
        }
        if right.mantissa == 0 { return usual(left.isNegative, exponent: Int(left.exponent), mantissa: left.mantissa) }
        let exponent = min(left.exponent, right.exponent)
        guard let first = left.mantissa(at: exponent), let second = right.mantissa(at: exponent) else { return nil }
        if left.isNegative == right.isNegative {
            return usual(left.isNegative, exponent: Int(exponent), mantissa: first + second)
        }
        let isSmaller = first < second
        return usual(
            isSmaller ? right.isNegative : left.isNegative, exponent: Int(exponent),
            mantissa: isSmaller ? second - first : first - second)
    }

    /// The mantissa for a lower exponent; nil where it has more than 38 digits.
    private func mantissa(at lower: Int8) -> UInt128? {
        let shift = Int(exponent) - Int(lower)
        guard shift <= 38 else { return nil }
        let (scaled, isTooLarge) = mantissa.multipliedReportingOverflow(by: Self.powersOfTen[shift])
        return isTooLarge || scaled >= Self.powersOfTen[38] ? nil : scaled
    }

    private static func product(_ left: DecimalParts, _ right: DecimalParts) -> DecimalParts? {
        let (mantissa, isTooLarge) = left.mantissa.multipliedReportingOverflow(by: right.mantissa)
        if isTooLarge { return nil }
        return usual(
            left.isNegative != right.isNegative, exponent: Int(left.exponent) + Int(right.exponent),
            mantissa: mantissa)
    }

    // MARK: Other numbers

    /// The nearest Double, as its digits read.
    var approximateDouble: Double {
        if isNaN { return .nan }
        // Both are Doubles, so the one operation on them is rounded correctly.
        if mantissa < 1 << 53, (-22...22).contains(exponent) {
            let power = Double(Self.powersOfTen[Int(exponent.magnitude)])
            let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return isNegative ? -magnitude : magnitude
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            // From the end: the digits, then the exponent as "e", a sign and three digits.
            var start = 40
            var rest = mantissa
            repeat {
                start -= 1
                text[start] = CChar(0x30 + rest % 10)
                rest /= 10
            } while rest > 0
            if isNegative {
                start -= 1
                text[start] = 0x2D
            }
            text[40] = 0x65
            text[41] = exponent < 0 ? 0x2D : 0x2B
            let magnitude = exponent.magnitude
            text[42] = CChar(0x30 + magnitude / 100)
            text[43] = CChar(0x30 + magnitude / 10 % 10)
            text[44] = CChar(0x30 + magnitude % 10)
            text[45] = 0
            return text.baseAddress.map { strtod($0 + start, nil) } ?? .nan
        }
    }

    /// The parts of a value that may have been rounded, or made by arithmetic: as they lie in its memory, where that is
    /// known to be how this Foundation keeps them.
    init(inMemoryOf value: Decimal) {
        guard Self.liesInMemory else {
            self = DecimalParts(value) ?? .nan
            return
        }
        self = Self.inMemory(of: value)
    }

    private static func inMemory(of value: Decimal) -> DecimalParts {
        if value.isNaN { return .nan }
        return DecimalParts(
            isNegative: value.sign == .minus, exponent: Int8(clamping: value.exponent),
            mantissa: mantissaInMemory(of: value))
    }

    private static let liesInMemory = ["1", "-1.5", "12345678901234567890.123456789", "1e100", "-1e-100"].allSatisfy {
        guard let value = Decimal(string: $0), let parts = DecimalParts(value) else { return false }
        return inMemory(of: value) == parts
    }
}
