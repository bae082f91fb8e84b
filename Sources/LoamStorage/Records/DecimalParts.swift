import Foundation

/// A Decimal taken apart: `(-1)^isNegative * mantissa * 10^exponent`, or not a number.
///
/// Its bytes: flags (bit 0 negative, bit 1 NaN), exponent (signed), then the mantissa little endian without leading
/// zero bytes (0 to 16 bytes). NaN is `02 00`, zero is `00 00`. The parts are those that the value has: 1.0 and 1.00
/// may differ in bytes, never in value.
struct DecimalParts: Hashable, Sendable {
    var isNegative: Bool
    var isNaN: Bool
    var exponent: Int8
    var mantissa: UInt128

    /// The parts of a value; nil where Foundation gives no parts that make the value again (none is known).
    ///
    /// The mantissa is read from the value's memory (16 bytes at offset 4 in every Foundation so far) and believed only
    /// when it makes the same value again; otherwise from the digits, by public calls alone.
    init?(_ value: Decimal) {
        isNaN = value.isNaN
        isNegative = false
        exponent = 0
        mantissa = 0
        guard !value.isNaN, !value.isZero else { return }
        guard let exponent = Int8(exactly: value.exponent) else { return nil }
        self.exponent = exponent
        isNegative = value.sign == .minus
        mantissa = Self.mantissaInMemory(of: value)
        if self.value == value { return }
        guard let digits = UInt128(value.significand.magnitude.description) else { return nil }
        mantissa = digits
        if self.value != value { return nil }
    }

    /// The value of the parts; nil when it cannot be represented (only damaged bytes say so).
    var value: Decimal? {
        if isNaN { return Decimal.nan }
        guard mantissa != 0 else { return Decimal(0) }
        var significand = Decimal(UInt64(truncatingIfNeeded: mantissa))
        if mantissa > UInt64.max {
            significand += Decimal(UInt64(truncatingIfNeeded: mantissa >> 64)) * (Decimal(UInt64.max) + 1)
        }
        let result = Decimal(
            sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
        return result.isNaN ? nil : result
    }

    static func mantissaInMemory(of value: Decimal) -> UInt128 {
        withUnsafeBytes(of: value) { bytes in
            bytes.count == 20 ? bytes.littleEndian(at: 4, as: UInt128.self) : 0
        }
    }
}

extension DecimalParts {
    /// Calls `body` with the 2 to 18 bytes of the value.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let significant = (128 - mantissa.leadingZeroBitCount + 7) / 8
        let flags: UInt8 = (isNegative ? 1 : 0) | (isNaN ? 2 : 0)
        let tail = UInt64(truncatingIfNeeded: mantissa >> 48)
        let rest = UInt64(truncatingIfNeeded: mantissa >> 112)
        let head = UInt64(flags) | UInt64(UInt8(bitPattern: exponent)) << 8 | UInt64(truncatingIfNeeded: mantissa) << 16
        return try withUnsafeBytes(of: (head.littleEndian, tail.littleEndian, rest.littleEndian)) {
            try body(UnsafeRawBufferPointer(rebasing: $0[..<(2 + significant)]))
        }
    }

    /// Reads the bytes back; nil unless they are exactly what ``withBytes(_:)`` gives for some parts.
    init?(bytes: RawSpan) {
        let count = bytes.byteCount
        guard count >= 2, count <= 18 else { return nil }
        let flags = bytes.littleEndian(at: 0, as: UInt8.self)
        isNegative = flags & 1 != 0
        isNaN = flags & 2 != 0
        exponent = bytes.littleEndian(at: 1, as: Int8.self)
        mantissa = 0
        for offset in stride(from: count &- 1, through: 2, by: -1) {
            mantissa = mantissa << 8 | UInt128(bytes.littleEndian(at: offset, as: UInt8.self))
        }
        let lastIsZero = count > 2 && bytes.littleEndian(at: count &- 1, as: UInt8.self) == 0
        let isBare = mantissa == 0 && !isNegative && exponent == 0
        guard flags <= 3, !lastIsZero, isNaN ? isBare : (mantissa != 0 || isBare) else { return nil }
    }
}
