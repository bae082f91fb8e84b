package import Foundation

/// The sum of Decimals, without loss: rounded once, when it is asked for, whatever the order of the terms.
///
/// Adding costs no allocation once there was a term of the same exponent. Exact for up to 2^63 terms.
package struct DecimalSum: Sendable {
    /// The sum of the mantissas of one exponent, in two's complement of 192 bits.
    private struct Part: Sendable {
        let exponent: Int8
        var low: UInt128 = 0
        var high: Int64 = 0
    }

    private var parts: [Part] = []
    /// Terms that have no parts of their own.
    private var rest: ExactDecimal?
    private var isNaN = false

    package init() {}

    package mutating func add(_ value: Decimal) {
        if value.isNaN {
            isNaN = true
        } else if let term = DecimalParts(value) {
            add(term)
        } else if let term = ExactDecimal(value) {
            rest = Self.sum(rest, term)
        }
    }

    /// Adds a number that is a decimal; any other is none.
    package mutating func add(_ value: UnboxedValue) {
        guard value.kind == .decimal else { return }
        let term = value.decimal
        if term.isNaN { isNaN = true } else { add(term) }
    }

    /// The sum, rounded to the digits that a Decimal has; nil where it is too large for one. NaN where a term was.
    package var decimal: Decimal? { isNaN ? .nan : total.decimal }

    /// The sum divided by a number of terms, as ``decimal``; nil for none.
    package func divided(by count: Int) -> Decimal? {
        guard count > 0 else { return nil }
        if isNaN { return .nan }
        return ExactDecimal.result(.divide, left: total, right: ExactDecimal(count))?.decimal
    }

    private mutating func add(_ term: DecimalParts) {
        guard term.mantissa != 0 else { return }
        let index: Int
        if let known = parts.firstIndex(where: { $0.exponent == term.exponent }) {
            index = known
        } else {
            index = parts.count
            parts.append(Part(exponent: term.exponent))
        }
        let (low, carries) =
            term.isNegative
            ? parts[index].low.subtractingReportingOverflow(term.mantissa)
            : parts[index].low.addingReportingOverflow(term.mantissa)
        parts[index].low = low
        if carries { parts[index].high += term.isNegative ? -1 : 1 }
    }

    private var total: ExactDecimal {
        var total = rest ?? ExactDecimal(0)
        for part in parts { total = Self.sum(total, Self.number(part)) }
        return total
    }

    private static func sum(_ left: ExactDecimal?, _ right: ExactDecimal) -> ExactDecimal {
        left.flatMap { ExactDecimal.result(.add, left: $0, right: right) } ?? right
    }

    private static func number(_ part: Part) -> ExactDecimal {
        let isNegative = part.high < 0
        var (low, high) = (part.low, UInt64(bitPattern: part.high))
        if isNegative {
            low = ~low &+ 1
            high = ~high &+ (low == 0 ? 1 : 0)
        }
        // Nine digits at a time, from limbs of 32 bits, the highest first.
        var limbs = [high >> 32, high & 0xFFFF_FFFF]
        for shift in [96, 64, 32, 0] { limbs.append(UInt64(truncatingIfNeeded: low >> UInt128(shift)) & 0xFFFF_FFFF) }
        var digits: [UInt8] = []
        while limbs.contains(where: { $0 != 0 }) {
            var remainder: UInt64 = 0
            for index in limbs.indices {
                let value = remainder << 32 | limbs[index]
                (limbs[index], remainder) = (value / 1_000_000_000, value % 1_000_000_000)
            }
            for _ in 0..<9 {
                digits.append(UInt8(remainder % 10))
                remainder /= 10
            }
        }
        return ExactDecimal(
            isNegative: isNegative, digits: digits.reversed(), exponent: digits.count + Int(part.exponent))
    }
}
