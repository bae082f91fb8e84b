/// Exact comparisons of decimals on their parts, without memory from the heap.
extension DecimalParts {
    static var nan: DecimalParts {
        var parts = DecimalParts(isNegative: false, mantissa: 0)
        parts.isNaN = true
        return parts
    }

    /// A number; zero has neither sign nor exponent.
    init(isNegative: Bool, exponent: Int8 = 0, mantissa: UInt128) {
        self.isNegative = isNegative && mantissa != 0
        isNaN = false
        self.exponent = mantissa == 0 ? 0 : exponent
        self.mantissa = mantissa
    }

    /// An integer of any type.
    init(_ number: Int128) { self.init(isNegative: number < 0, mantissa: number.magnitude) }

    /// The powers of ten that 128 bits hold: 10^0 to 10^38.
    static let powersOfTen: [UInt128] = (0..<39).reduce(into: []) { powers, _ in
        powers.append((powers.last ?? 0) == 0 ? 1 : powers[powers.count - 1] * 10)
    }

    /// The number of decimal digits of a number other than 0.
    static func digitCount(_ number: UInt128) -> Int {
        // log10(2) is a little more than 1233 / 4096: at most one digit is missed.
        let bits = 128 - number.leadingZeroBitCount
        let digits = (bits * 1233) >> 12
        return number >= powersOfTen[digits] ? digits + 1 : digits
    }

    // MARK: Order

    /// Negative, zero or positive. Neither number is a NaN.
    static func compare(_ left: DecimalParts, _ right: DecimalParts) -> Int {
        if left.sign != right.sign { return left.sign - right.sign }
        return left.sign * compareMagnitudes(left, right)
    }

    private var sign: Int { mantissa == 0 ? 0 : isNegative ? -1 : 1 }

    private static func compareMagnitudes(_ left: DecimalParts, _ right: DecimalParts) -> Int {
        if left.exponent == right.exponent || left.mantissa == 0 {
            return left.mantissa == right.mantissa ? 0 : left.mantissa < right.mantissa ? -1 : 1
        }
        let order = digitCount(left.mantissa) + Int(left.exponent) - digitCount(right.mantissa) - Int(right.exponent)
        if order != 0 { return order }
        // As many digits lie before the point, so the exponents differ by less than the digits that 128 bits hold.
        if left.exponent < right.exponent { return -compareMagnitudes(right, left) }
        let shift = Int(left.exponent) - Int(right.exponent)
        let (scaled, isTooLarge) = left.mantissa.multipliedReportingOverflow(by: powersOfTen[shift])
        if isTooLarge { return 1 }
        return scaled == right.mantissa ? 0 : scaled < right.mantissa ? -1 : 1
    }

    /// How a decimal that is no NaN stands to a finite Double: negative, zero or positive.
    static func compare(_ left: DecimalParts, _ right: Double) -> Int {
        let sign = right == 0 ? 0 : right < 0 ? -1 : 1
        if left.sign != sign || sign == 0 { return left.sign - sign }
        // left = mantissa * 5^e * 2^e, right = significand * 2^power: fives go to the side where their exponent is
        // positive.
        let exponent = Int(left.exponent)
        let power = Int(right.exponent) - 52
        let significand = UInt64(Double(sign: .plus, exponent: 52, significand: right.significand))
        let order = WideNumber.with(left.mantissa, UInt128(significand)) { number, other in
            number.multiplyByFive(times: max(exponent, 0))
            other.multiplyByFive(times: max(-exponent, 0))
            return WideNumber.compare(number, by: max(exponent, 0), other, by: power + max(-exponent, 0))
        }
        return sign * order
    }
}

extension UnboxedValue {
    /// How two numbers, one of them a decimal, stand to each other: negative, zero or positive, exactly. Nil where one
    /// is a NaN, or no number.
    package static func decimalOrder(_ left: UnboxedValue, _ right: UnboxedValue) -> Int? {
        guard left.kind == .decimal else { return decimalOrder(right, left).map(-) }
        let number = left.decimal
        if number.isNaN { return nil }
        switch right.kind {
        case .decimal:
            let other = right.decimal
            return other.isNaN ? nil : DecimalParts.compare(number, other)
        case .int, .uint: return right.integer.map { DecimalParts.compare(number, DecimalParts($0)) }
        case .float, .double:
            let other = right.floating
            if other.isNaN { return nil }
            return other.isInfinite ? other < 0 ? 1 : -1 : DecimalParts.compare(number, other)
        default: return nil
        }
    }
}

/// A whole number of up to 512 bits, in memory of the caller's: limbs of 64 bits, the lowest first.
private struct WideNumber {
    static let limbCount = 8

    private let limbs: UnsafeMutableBufferPointer<UInt64>

    init(_ value: UInt128, in limbs: UnsafeMutableBufferPointer<UInt64>) {
        self.limbs = limbs
        limbs.initialize(repeating: 0)
        limbs[0] = UInt64(truncatingIfNeeded: value)
        limbs[1] = UInt64(truncatingIfNeeded: value >> 64)
    }

    /// 5^128 has 298 bits: what is multiplied has up to 128 more.
    func multiplyByFive(times: Int) {
        var times = times
        while times > 0 {
            var (factor, carry): (UInt64, UInt64) = (1, 0)
            for _ in 0..<min(times, 27) { factor *= 5 }
            for index in 0..<Self.limbCount {
                let (high, low) = limbs[index].multipliedFullWidth(by: factor)
                let (sum, isCarried) = low.addingReportingOverflow(carry)
                limbs[index] = sum
                carry = high &+ (isCarried ? 1 : 0)
            }
            times -= min(times, 27)
        }
    }

    private var bitCount: Int {
        var index = Self.limbCount - 1
        while index > 0, limbs[index] == 0 { index -= 1 }
        return 64 * index + 64 - limbs[index].leadingZeroBitCount
    }

    private func shiftLeft(by count: Int) {
        guard count > 0 else { return }
        let (whole, rest) = (count / 64, UInt64(count % 64))
        var index = Self.limbCount - 1
        while index >= 0 {
            var limb: UInt64 = 0
            if index >= whole { limb = limbs[index - whole] << rest }
            if rest > 0, index > whole { limb |= limbs[index - whole - 1] >> (64 - rest) }
            limbs[index] = limb
            index -= 1
        }
    }

    /// How two numbers other than 0, each times a power of two, stand to each other. They are changed.
    static func compare(_ left: WideNumber, by leftPower: Int, _ right: WideNumber, by rightPower: Int) -> Int {
        let (leftBits, rightBits) = (left.bitCount, right.bitCount)
        let order = leftBits + leftPower - rightBits - rightPower
        if order != 0 { return order }
        // The same number of bits in all, so the one with fewer of its own has that many zeros at its end.
        left.shiftLeft(by: rightBits - leftBits)
        right.shiftLeft(by: leftBits - rightBits)
        var index = limbCount - 1
        while index > 0, left.limbs[index] == right.limbs[index] { index -= 1 }
        let (first, second) = (left.limbs[index], right.limbs[index])
        return first == second ? 0 : first < second ? -1 : 1
    }
}

extension WideNumber {
    /// Calls a closure with two numbers.
    static func with<R>(_ left: UInt128, _ right: UInt128, _ body: (WideNumber, WideNumber) -> R) -> R {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * limbCount) { limbs in
            let first = UnsafeMutableBufferPointer(rebasing: limbs[..<limbCount])
            let second = UnsafeMutableBufferPointer(rebasing: limbs[limbCount...])
            return body(WideNumber(left, in: first), WideNumber(right, in: second))
        }
    }
}
