package import Foundation

/// A number as decimal digits, exactly: `0.d1d2d3... * 10^exponent` with a sign.
///
/// Every integer, every Float and Double and every Decimal is one, which makes comparisons between types exact. Digits
/// are 0 to 9 without zeros at either end; zero has none (and no sign). Cost grows with the square of the digits (up to
/// 767 for a Double): for constants, not for rows.
package struct ExactDecimal: Hashable, Sendable {
    package private(set) var isNegative = false
    package private(set) var digits: [UInt8] = []
    package private(set) var exponent = 0

    /// `0.d1d2d3... * 10^exponent`; zeros at either end are taken off.
    package init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        let leading = digits.prefix { $0 == 0 }.count
        guard leading < digits.count else { return }
        let trailing = digits.reversed().prefix { $0 == 0 }.count
        self.isNegative = isNegative
        self.digits = Array(digits[leading..<(digits.count - trailing)])
        self.exponent = exponent - leading
    }

    package init(_ value: some FixedWidthInteger) {
        let digits = value.magnitude.description.utf8.map { $0 - 0x30 }
        self.init(isNegative: value < 0, digits: digits, exponent: digits.count)
    }

    /// The digits of a Double; nil for NaN and the infinities.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        guard value != 0 else {
            self.init(isNegative: false, digits: [], exponent: 0)
            return
        }
        // value = significand * 2^power, significand a whole number; for a negative power that is
        // significand * 5^-power / 10^-power.
        let power = Int(value.exponent) - 52
        let scaled = Double(sign: .plus, exponent: 52, significand: value.significand)
        var limbs = DecimalLimbs(UInt64(scaled))
        limbs.multiply(by: power < 0 ? 5 : 2, times: abs(power))
        let digits = limbs.digits
        self.init(isNegative: value < 0, digits: digits, exponent: digits.count + min(power, 0))
    }

    /// The digits of a decimal that is no NaN.
    init(_ parts: DecimalParts) {
        let digits = parts.mantissa.description.utf8.map { $0 - 0x30 }
        self.init(isNegative: parts.isNegative, digits: digits, exponent: digits.count + Int(parts.exponent))
    }

    /// The digits of a Decimal; nil for NaN.
    package init?(_ value: Decimal) {
        guard !value.isNaN else { return nil }
        if let parts = DecimalParts(value) {
            self.init(parts)
            return
        }
        var digits: [UInt8] = []
        var point: Int?
        for character in value.description.utf8 {
            switch character {
            case 0x30...0x39: digits.append(character - 0x30)
            case 0x2E: point = digits.count
            default: continue
            }
        }
        self.init(isNegative: value < 0, digits: digits, exponent: point ?? digits.count)
    }

    /// The number of a numeric value; nil for NaN, the infinities and values that are no number.
    init?(_ value: Value) {
        switch value {
        case .int(let value): self.init(value)
        case .uint(let value): self.init(value)
        case .float(let value): self.init(Double(value))
        case .double(let value): self.init(value)
        case .decimal(let value): self.init(value)
        default: return nil
        }
    }

    /// The whole part, rounded towards zero.
    var truncated: ExactDecimal {
        ExactDecimal(isNegative: isNegative, digits: Array(digits.prefix(max(exponent, 0))), exponent: exponent)
    }

    /// The digits as an integer literal with an exponent, which `Double` and `Float` read with correct rounding.
    var literal: String {
        (isNegative ? "-" : "") + "0." + digits.map(String.init).joined() + "0e\(exponent)"
    }
}

extension ExactDecimal: Comparable {
    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.sign != right.sign { return left.sign < right.sign }
        return left.isNegative ? right.magnitudeIsLess(than: left) : left.magnitudeIsLess(than: right)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    private func magnitudeIsLess(than other: ExactDecimal) -> Bool {
        exponent != other.exponent ? exponent < other.exponent : digits.lexicographicallyPrecedes(other.digits)
    }
}

/// A whole number in limbs of nine decimal digits, lowest first.
private struct DecimalLimbs {
    private var limbs: [UInt32] = []

    init(_ value: UInt64) {
        var rest = value
        while rest > 0 {
            limbs.append(UInt32(rest % 1_000_000_000))
            rest /= 1_000_000_000
        }
    }

    mutating func multiply(by factor: UInt64, times: Int) {
        var times = times
        while times > 0 {
            // Up to 13 at once: 5^13 and 2^13 keep a limb's product well below 2^64.
            let together = min(times, 13)
            let product = (0..<together).reduce(1 as UInt64) { result, _ in result * factor }
            multiply(by: product)
            times -= together
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * factor + carry
            limbs[index] = UInt32(product % 1_000_000_000)
            carry = product / 1_000_000_000
        }
        while carry > 0 {
            limbs.append(UInt32(carry % 1_000_000_000))
            carry /= 1_000_000_000
        }
    }

    /// All digits, highest first, with leading zeros.
    var digits: [UInt8] {
        limbs.reversed().flatMap { limb in
            var rest = limb
            var digits = [UInt8](repeating: 0, count: 9)
            for index in digits.indices.reversed() {
                digits[index] = UInt8(rest % 10)
                rest /= 10
            }
            return digits
        }
    }
}
