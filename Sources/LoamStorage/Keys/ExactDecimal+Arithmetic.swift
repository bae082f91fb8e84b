import Foundation

/// Arithmetic digit by digit, for numbers whose exponents Foundation's does not bear: it traps where a sum of exponents
/// leaves what a `Decimal` has.
extension ExactDecimal {
    /// The number of digits of a quotient.
    private static let precision = 38

    /// The result of an operation on two numbers; nil for a division by zero.
    static func result(_ operation: ArithmeticOperator, left: ExactDecimal, right: ExactDecimal) -> ExactDecimal? {
        switch operation {
        case .add: sum(left, right)
        case .subtract: sum(left, right.negated)
        case .multiply: product(left, right)
        case .divide: quotient(left, right)
        }
    }

    /// Rounded to what a `Decimal` holds; nil where the number is too large, zero where it is too small.
    var decimal: Decimal? {
        // Less than a tenth of the smallest one: its first digit rounds nothing.
        guard exponent >= -128 else { return Decimal(0) }
        let rounded = rounded(to: min(Self.precision, exponent + 128))
        let shift = min(max(0, rounded.exponent - rounded.digits.count - 127), Self.precision)
        let text = rounded.digits.map(String.init).joined() + String(repeating: "0", count: shift)
        guard !rounded.digits.isEmpty else { return Decimal(0) }
        guard text.count <= Self.precision else { return nil }
        let sign = isNegative ? "-" : ""
        return Decimal(
            string: "\(sign)\(text)e\(rounded.exponent - text.count)", locale: Locale(identifier: "en_US_POSIX"))
    }

    private var negated: ExactDecimal {
        ExactDecimal(isNegative: !isNegative, digits: digits, exponent: exponent)
    }

    /// The number rounded to at most `count` digits. Halves are rounded away from zero.
    private func rounded(to count: Int) -> ExactDecimal {
        guard digits.count > count else { return self }
        // A digit before the first, for a carry.
        var kept = [0] + digits.prefix(count)
        if digits[count] >= 5 {
            var index = kept.count - 1
            while kept[index] == 9 {
                kept[index] = 0
                index -= 1
            }
            kept[index] += 1
        }
        return ExactDecimal(isNegative: isNegative, digits: kept, exponent: exponent + 1)
    }

    private static func sum(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal {
        let top = max(left.exponent, right.exponent) + 1
        let bottom = min(left.exponent - left.digits.count, right.exponent - right.digits.count)
        let (first, second) = (left.aligned(from: top, to: bottom), right.aligned(from: top, to: bottom))
        guard left.isNegative != right.isNegative else {
            return ExactDecimal(isNegative: left.isNegative, digits: added(first, second), exponent: top)
        }
        let isSmaller = first.lexicographicallyPrecedes(second)
        var difference = isSmaller ? second : first
        subtract(isSmaller ? first : second, from: &difference)
        return ExactDecimal(
            isNegative: isSmaller ? right.isNegative : left.isNegative, digits: difference, exponent: top)
    }

    private static func product(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal {
        var sums = [Int](repeating: 0, count: left.digits.count + right.digits.count)
        for (i, a) in left.digits.enumerated() {
            for (j, b) in right.digits.enumerated() { sums[i + j + 1] += Int(a) * Int(b) }
        }
        for index in sums.indices.reversed() where index > 0 {
            sums[index - 1] += sums[index] / 10
            sums[index] %= 10
        }
        return ExactDecimal(
            isNegative: left.isNegative != right.isNegative, digits: sums.map(UInt8.init),
            exponent: left.exponent + right.exponent)
    }

    private static func quotient(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal? {
        guard !right.digits.isEmpty else { return nil }
        let divisor = [0] + right.digits
        let stepCount = right.digits.count + precision + 2
        var rest = [UInt8](repeating: 0, count: divisor.count)
        var result: [UInt8] = []
        result.reserveCapacity(stepCount)
        for index in 0..<stepCount {
            rest.removeFirst()
            rest.append(index < left.digits.count ? left.digits[index] : 0)
            var digit: UInt8 = 0
            while !rest.lexicographicallyPrecedes(divisor) {
                subtract(divisor, from: &rest)
                digit += 1
            }
            result.append(digit)
        }
        return ExactDecimal(
            isNegative: left.isNegative != right.isNegative, digits: result,
            exponent: left.exponent - right.exponent + right.digits.count)
    }

    /// The digits from one power of ten down to another, with zeros where there are none.
    private func aligned(from top: Int, to bottom: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: top - exponent) + digits
            + [UInt8](repeating: 0, count: exponent - digits.count - bottom)
    }

    private static func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var (result, carry) = (left, UInt8(0))
        for index in left.indices.reversed() {
            let sum = left[index] + right[index] + carry
            (result[index], carry) = (sum % 10, sum / 10)
        }
        return result
    }

    /// - Parameter right: at most `left`, and as many digits.
    private static func subtract(_ right: [UInt8], from left: inout [UInt8]) {
        var borrow = UInt8(0)
        for index in left.indices.reversed() {
            let taken = right[index] + borrow
            borrow = left[index] < taken ? 1 : 0
            left[index] = left[index] + borrow * 10 - taken
        }
    }
}
