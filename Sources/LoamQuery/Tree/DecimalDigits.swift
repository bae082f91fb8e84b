import Foundation

/// A finite number as its decimal digits, for comparisons that must not round.
///
/// The value is `0.d₁d₂d₃… × 10^exponent`, with `d₁ ≠ 0` and no zeros at the end; zero has no digits.
struct DecimalDigits: Hashable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ value: Decimal) {
        self.init(value.description)
    }

    /// All digits of `value`, which must be finite: a double has at most 767 of them.
    init(_ value: Double) {
        self.init(String(format: "%.800e", value))
    }

    /// Reads an optional sign, digits, a fraction and an exponent; stops where the text is anything else.
    init(_ text: String) {
        var point: Int?
        var seen = 0
        var written = text.utf8[...]
        if let sign = written.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            written = written.dropFirst()
        }
        while let byte = written.first {
            if byte == UInt8(ascii: ".") {
                point = seen
            } else if (0x30...0x39).contains(byte) {
                if byte != 0x30 || !digits.isEmpty { digits.append(byte - 0x30) } else { exponent -= 1 }
                seen += 1
            } else {
                break
            }
            written = written.dropFirst()
        }
        exponent += point ?? seen
        if let mark = written.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            exponent += Self.exponent(written.dropFirst())
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { self = Self() }
    }

    /// Clamped far beyond what any number has: nothing that is added to it overflows.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
        let text = String(Substring(text))
        let beyond = 1 << 40
        return min(max(Int(text) ?? (text.hasPrefix("-") ? -beyond : beyond), -beyond), beyond)
    }

    private init() {}

    static func order(_ left: DecimalDigits, _ right: DecimalDigits) -> ValueOrder {
        guard left != right else { return .equal }
        guard left.sign == right.sign else { return left.sign < right.sign ? .less : .greater }
        let isSmaller =
            left.exponent == right.exponent
            ? left.digits.lexicographicallyPrecedes(right.digits) : left.exponent < right.exponent
        return isSmaller != left.isNegative ? .less : .greater
    }

    private var sign: Int { digits.isEmpty ? 0 : (isNegative ? -1 : 1) }
}
