/// Whole parts of decimals, without memory from the heap.
extension DecimalParts {
    var magnitude: DecimalParts {
        isNaN ? self : DecimalParts(isNegative: false, exponent: exponent, mantissa: mantissa)
    }

    /// The number without its fraction; nil where it is far beyond 64 bits. It is no NaN.
    var whole: Int128? {
        let magnitude: UInt128
        if exponent < 0 {
            // 128 bits have at most 39 digits.
            magnitude = exponent < -38 ? 0 : mantissa / Self.powersOfTen[-Int(exponent)]
        } else {
            guard exponent <= 38 else { return mantissa == 0 ? 0 : nil }
            let (scaled, isTooLarge) = mantissa.multipliedReportingOverflow(by: Self.powersOfTen[Int(exponent)])
            if isTooLarge { return nil }
            magnitude = scaled
        }
        return Int128(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }

    /// The whole part, moved to a side where there is a fraction; nil where it has too many digits.
    ///
    /// - Parameter side: nil cuts the fraction off.
    func wholePart(_ side: DecimalSide?) -> DecimalParts? {
        guard !isNaN, exponent < 0 else { return self }
        let shift = -Int(exponent)
        // Of the 39 digits that 128 bits hold the first is at most 3: behind more than 38 places it is below a half.
        let power = shift <= 38 ? Self.powersOfTen[shift] : .max
        let (quotient, rest) = shift <= 38 ? mantissa.quotientAndRemainder(dividingBy: power) : (0, mantissa)
        var whole = quotient
        switch side {
        case .down where isNegative && rest > 0, .up where !isNegative && rest > 0: whole += 1
        case .nearest where shift <= 38 && rest >= power - rest: whole += 1
        default: break
        }
        return Self.usual(isNegative, exponent: 0, mantissa: whole)
    }
}
