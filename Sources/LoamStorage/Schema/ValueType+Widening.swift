extension ValueType {
    /// Whether the other type is a wider one that has every value of this type: of integers, one with more bits, from
    /// unsigned ones also a signed one; of `float`, `double`.
    package func widens(to other: ValueType) -> Bool {
        if self == .float { return other == .double }
        guard isInteger, other.isInteger, let width = fixedWidth, let otherWidth = other.fixedWidth else {
            return false
        }
        return width < otherWidth && (isUnsignedInteger || other.isSignedInteger)
    }
}

extension Value {
    /// The value as one of a type that its own widens to; others stay what they are.
    package func widened(to type: ValueType) -> Value {
        switch self {
        case .uint(let number) where type.isSignedInteger: Int64(exactly: number).map(Value.int) ?? self
        case .float(let number) where type == .double: .double(Double(number))
        default: self
        }
    }
}
