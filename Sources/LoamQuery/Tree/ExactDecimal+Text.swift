import LoamStorage

extension ExactDecimal {
    /// Reads an optional sign, digits, a fraction and an exponent; stops where the text is anything else, so that text
    /// without a number is zero. Linear in the text.
    init(text: String) {
        var written = text.utf8[...]
        var isNegative = false
        if let sign = written.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            written = written.dropFirst()
        }
        var digits: [UInt8] = []
        var point: Int?
        while let byte = written.first {
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if (0x30...0x39).contains(byte) {
                digits.append(byte - 0x30)
            } else {
                break
            }
            written = written.dropFirst()
        }
        var exponent = point ?? digits.count
        if let mark = written.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            exponent += Self.exponent(written.dropFirst())
        }
        self.init(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    /// Clamped far beyond what any number has: nothing that is added to it overflows.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
        let text = String(Substring(text))
        let beyond = 1 << 40
        return min(max(Int(text) ?? (text.hasPrefix("-") ? -beyond : beyond), -beyond), beyond)
    }
}
