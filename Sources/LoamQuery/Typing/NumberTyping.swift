import LoamStorage

/// Which numbers meet, and what a written number becomes beside a type.
enum NumberTyping {
    /// The value that `literal` stands for beside a value of `type`, exactly where the type can hold it; beside an
    /// integer a fraction stays one, so that `count < 5.5` means what it says. Nil when the type is no number.
    static func value(of literal: NumberLiteral, beside type: ValueType?) -> Value? {
        guard let type else { return plain(literal) }
        switch type {
        case .bool: return literal.text == "1" ? .bool(true) : (literal.text == "0" ? .bool(false) : nil)
        case .double, .float: return CastLiteral.value(of: literal, as: type)
        case .decimal: return CastLiteral.value(of: literal, as: .decimal) ?? plain(literal)
        case _ where type.isUnsignedInteger:
            return UInt64(literal.text).map(Value.uint) ?? plain(literal)
        case _ where type.isSignedInteger: return plain(literal)
        default: return nil
        }
    }

    /// The value of a number with no other type near it.
    private static func plain(_ literal: NumberLiteral) -> Value? {
        if literal.isInteger {
            if let value = Int64(literal.text) { return .int(value) }
            if let value = UInt64(literal.text) { return .uint(value) }
        }
        return Double(literal.text).map(Value.double)
    }
}
