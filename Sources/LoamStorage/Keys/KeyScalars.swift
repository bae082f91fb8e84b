/// The bits that keys hold for numbers: unsigned integers in the order of the numbers, and back.
///
/// The flip of floating point is the usual one: negative numbers inverted, others with the sign bit set.
enum KeyScalars {
    static func bits(_ value: Double) -> UInt64 {
        let bits = value.isNaN ? Double.nan.bitPattern : (value + 0).bitPattern
        return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | 1 << 63)
    }

    static func bits(_ value: Float) -> UInt32 {
        let bits = value.isNaN ? Float.nan.bitPattern : (value + 0).bitPattern
        return bits ^ (UInt32(bitPattern: Int32(bitPattern: bits) >> 31) | 1 << 31)
    }

    /// The number of these bits; nil when no number has them (-0.0, another NaN).
    static func double(_ bits: UInt64) -> Double? {
        let value = Double(bitPattern: bits >> 63 == 1 ? bits ^ 1 << 63 : ~bits)
        return Self.bits(value) == bits ? value : nil
    }

    static func float(_ bits: UInt32) -> Float? {
        let value = Float(bitPattern: bits >> 31 == 1 ? bits ^ 1 << 31 : ~bits)
        return Self.bits(value) == bits ? value : nil
    }

    static func bits<I: FixedWidthInteger & SignedInteger>(_ value: I) -> I.Magnitude
    where I.Magnitude: FixedWidthInteger {
        I.Magnitude(truncatingIfNeeded: value) ^ 1 << (I.Magnitude.bitWidth - 1)
    }
}
