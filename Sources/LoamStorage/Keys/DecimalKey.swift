import Foundation

/// The key of a Decimal: bytes in the order of the numbers, the same for 1.0 and 1.00.
///
/// | part | bytes |
/// |---|---|
/// | class | 0x02 negative, 0x03 zero, 0x04 positive, 0x05 NaN (last; nothing follows zero and NaN) |
/// | exponent | of the form 0.d1d2d3... * 10^e: e + 0x4000, big endian |
/// | digits | two to a byte, as their number + 2; the last pair filled with 0 |
///
/// Of negative numbers, exponent and digits are inverted and 0xFF follows, so that a longer number comes first.
enum DecimalKey {
    /// The longest component: tag, class, exponent, 39 digits in 20 bytes, end mark, an escape, terminator.
    static let longestComponent = 27

    private static let bias = 0x4000

    static func bytes(of value: Decimal) -> [UInt8] {
        guard let number = ExactDecimal(value) else { return [0x05] }
        guard !number.digits.isEmpty else { return [0x03] }
        let exponent = UInt16(clamping: number.exponent + bias)
        var body = [UInt8(exponent >> 8), UInt8(exponent & 0xFF)]
        for index in stride(from: 0, to: number.digits.count, by: 2) {
            let low = index + 1 < number.digits.count ? number.digits[index + 1] : 0
            body.append(number.digits[index] * 10 + low + 2)
        }
        return number.isNegative ? [0x02] + body.map { ~$0 } + [0xFF] : [0x04] + body
    }

    /// Calls a closure with the bytes of a decimal that is given by its parts: the same bytes. Nothing is allocated.
    static func withBytes<R>(
        of parts: DecimalParts, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        try withUnsafeTemporaryAllocation(byteCount: 80, alignment: 8) { room in
            // The digits lie behind the bytes.
            let bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<40])
            let count = write(parts, digits: UnsafeMutableRawBufferPointer(rebasing: room[40...]), to: bytes)
            return try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func write(
        _ parts: DecimalParts, digits room: UnsafeMutableRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard !parts.isNaN, parts.mantissa != 0 else {
            bytes[0] = parts.isNaN ? 0x05 : 0x03
            return 1
        }
        let first = digits(of: parts.mantissa, at: room)
        let exponent = UInt16(clamping: room.count - first + Int(parts.exponent) + bias)
        var last = room.count - 1
        while room[last] == 0 { last -= 1 }
        let mask: UInt8 = parts.isNegative ? 0xFF : 0x00
        bytes[0] = parts.isNegative ? 0x02 : 0x04
        bytes[1] = UInt8(exponent >> 8) ^ mask
        bytes[2] = UInt8(exponent & 0xFF) ^ mask
        var end = 3
        for index in stride(from: first, through: last, by: 2) {
            let low = index < last ? room[index + 1] : 0
            bytes[end] = (room[index] * 10 + low + 2) ^ mask
            end += 1
        }
        if parts.isNegative {
            bytes[end] = 0xFF
            end += 1
        }
        return end
    }

    /// Writes the digits of a number other than 0 at the end of some memory; where the first one stands.
    private static func digits(of number: UInt128, at room: UnsafeMutableRawBufferPointer) -> Int {
        var (rest, first) = (number, room.count)
        while rest > 0 {
            // 19 digits at a time: these are divided in 64 bits.
            let (higher, lower) = rest.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
            rest = higher
            var part = UInt64(lower)
            for _ in 0..<19 where part > 0 || rest > 0 {
                first -= 1
                room[first] = UInt8(part % 10)
                part /= 10
            }
        }
        return first
    }

    /// Whether these bytes are the key of some Decimal.
    static func isValid(_ bytes: [UInt8]) -> Bool {
        switch bytes.first {
        case 0x03, 0x05: return bytes.count == 1
        case 0x04: return isValidBody(bytes.dropFirst())
        case 0x02: return bytes.last == 0xFF && isValidBody(ArraySlice(bytes.dropFirst().dropLast().map { ~$0 }))
        default: return false
        }
    }

    private static func isValidBody(_ body: ArraySlice<UInt8>) -> Bool {
        let pairs = body.dropFirst(2)
        guard body.count > 2, pairs.count <= 20, let first = pairs.first, let last = pairs.last else { return false }
        // 0.1 * 10^e with e from -127 (1e-128) to 167 (39 digits and 10^127, rounded up).
        let exponent = body.prefix(2).reduce(0) { $0 << 8 | Int($1) } - bias
        return (-127...167).contains(exponent) && first >= 12 && last != 2 && pairs.allSatisfy { 2...101 ~= $0 }
    }
}
