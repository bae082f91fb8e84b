import Foundation
import LoamStorage

/// Constants, in the type and the form of what they are compared with: whether a value equals one of them is one
/// look-up. Nil equals nil; a NaN equals nothing; numbers of different types are equal when they are the same number.
final class ValueLookup: Sendable {
    /// All but strings.
    private let values: Set<Value>
    /// The strings, by their bytes in the form.
    let strings: StringSet
    /// The decimals, in their order.
    private let decimals: [UnboxedValue]
    /// The bytes of URLs and data; nil where there are none.
    private let bytes: StringSet?
    /// Whether nil is among them.
    let hasNil: Bool

    /// - Parameter type: of the values that will be looked up; nil where they are all nil.
    init(_ constants: some Sequence<Value>, type: ValueType?, form: StringForm) {
        var values: Set<Value> = []
        var strings: [String] = []
        for constant in constants where !constant.isNaN {
            if constant.isNull {
                values.insert(.null)
            } else if case .string(let text) = constant {
                strings.append(text)
            } else if let type, let value = Self.value(constant, as: type) {
                values.insert(value)
            }
        }
        self.values = values
        self.strings = StringSet(strings, form: form)
        hasNil = values.contains(.null)
        let decimals = values.compactMap { value in
            if case .decimal = value { UnboxedValue(value) } else { nil as UnboxedValue? }
        }
        self.decimals = decimals.sorted { (UnboxedValue.decimalOrder($0, $1) ?? 0) < 0 }
        let bytes = values.compactMap(\.contentBytes)
        self.bytes = bytes.isEmpty ? nil : StringSet(bytes: bytes)
    }

    /// O(1), and what it costs to bring a string into the form.
    func contains(_ value: Value) -> Bool {
        if case .string(let text) = value { return strings.contains(text) }
        return values.contains(value.signedIfPossible)
    }

    /// The same for a value that a predicate computes with. O(1) but for decimals, where it is O(log constants), and what
    /// it costs to bring a string into the form.
    ///
    /// - Throws: `StorageError.damagedRecord` for a string that is not UTF-8.
    func contains(_ value: UnboxedValue) throws -> Bool {
        switch value.kind {
        case .null: hasNil
        case .string: try strings.contains(value.text, isPlain: value.isPlain)
        case .url, .data: bytes?.containsBytes(value.text) ?? false
        case .decimal: containsDecimal(value)
        case .composite, .pair: false
        case .bool, .int, .uint, .float, .double, .date, .uuid: values.contains(try value.boxed().signedIfPossible)
        }
    }

    private func containsDecimal(_ value: UnboxedValue) -> Bool {
        var (start, end) = (0, decimals.count)
        while start < end {
            let middle = (start + end) / 2
            guard let order = UnboxedValue.decimalOrder(value, decimals[middle]) else { return false }
            if order == 0 { return true }
            if order < 0 { end = middle } else { start = middle + 1 }
        }
        return false
    }

    /// Nil where no value of the type equals the constant.
    private static func value(_ constant: Value, as type: ValueType) -> Value? {
        guard type.isNumeric else { return constant }
        if type.isSignedInteger || type.isUnsignedInteger {
            return whole(constant)
        }
        switch (type, constant) {
        case (.double, .double), (.float, .float), (.decimal, .decimal): return constant
        default: return converted(constant, to: type)
        }
    }

    /// An integer of any type: sums of unsigned numbers are of either.
    private static func whole(_ constant: Value) -> Value? {
        switch constant {
        case .int, .uint: constant.signedIfPossible
        default: converted(constant, to: .int64) ?? converted(constant, to: .uint64)
        }
    }

    private static func converted(_ constant: Value, to type: ValueType) -> Value? {
        guard case .compare(_, let value) = NumericBound.bound(type, comparison: .equal, constant: constant) else {
            return nil
        }
        return value
    }
}

extension Value {
    /// The bytes by which URLs and data are compared; nil for other values.
    fileprivate var contentBytes: [UInt8]? {
        switch self {
        case .url(let url): Array(url.absoluteString.utf8)
        case .data(let data): Array(data)
        default: nil
        }
    }

    /// An unsigned integer as a signed one where it fits, so that there is one value for each whole number.
    fileprivate var signedIfPossible: Value {
        guard case .uint(let value) = self, let signed = Int64(exactly: value) else { return self }
        return .int(signed)
    }
}

extension String {
    /// The text in a form, normalized as in its key.
    func inForm(_ form: StringForm) -> String {
        StringForms.withBytes(of: self, form: form) { String(decoding: $0, as: UTF8.self) }
    }
}
