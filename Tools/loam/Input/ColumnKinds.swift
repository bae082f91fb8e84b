import LoamStorage

/// The kinds of the values of a column so far, which give the narrowest type that holds them all.
///
/// Only whole numbers give `int64`; whole numbers and decimals `double`; only `true` and `false` `bool`; only ISO 8601
/// dates `date`. Everything else, a mixture, codes such as `007`, and numbers that the type would not keep exactly
/// (whole numbers beyond 64 bits, or beyond 2^53 among decimals) give `string`.
struct ColumnKinds: Hashable {
    private struct Kinds: OptionSet, Hashable {
        let rawValue: UInt8
        static let integer = Kinds(rawValue: 1)
        static let double = Kinds(rawValue: 2)
        /// `NaN` and `Infinity`, which are numbers only beside numbers.
        static let numberWord = Kinds(rawValue: 4)
        static let bool = Kinds(rawValue: 8)
        static let date = Kinds(rawValue: 16)
        static let text = Kinds(rawValue: 32)
    }

    private var kinds: Kinds = []
    /// Whether there was a whole number that a double does not hold.
    private var hasWideInteger = false

    /// The type that holds every value seen; `string` when there was none.
    var type: ValueType {
        if kinds == .integer { return .int64 }
        if kinds == .bool { return .bool }
        if kinds == .date { return .date }
        let isNumeric = kinds.isSubset(of: [.integer, .double, .numberWord]) && !kinds.isSubset(of: .numberWord)
        return isNumeric && !hasWideInteger ? .double : .string
    }

    /// Takes in a field that is not nil.
    mutating func observe(_ bytes: UnsafeBufferPointer<UInt8>) {
        if kinds.contains(.text) { return }
        if !observeInteger(bytes) { kinds.insert(Self.kind(bytes)) }
    }

    /// Takes in a JSON value that is not nil. Strings are text or dates, never numbers.
    mutating func observe(_ json: JSONValue) {
        if kinds.contains(.text) { return }
        switch json {
        case .null: break
        case .bool: kinds.insert(.bool)
        case .number(let text):
            var text = text
            text.withUTF8 { observe($0) }
        case .string(let text): kinds.insert(ISO8601.date(text) == nil ? .text : .date)
        case .array, .object: kinds.insert(.text)
        }
    }

    private mutating func observeInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard FieldText.isPlainInteger(bytes) else { return false }
        guard let value: Int64 = FieldText.integer(bytes) else {
            kinds.insert(.text)
            return true
        }
        kinds.insert(.integer)
        hasWideInteger = hasWideInteger || value.magnitude > 1 << 53
        return true
    }

    private static func kind(_ bytes: UnsafeBufferPointer<UInt8>) -> Kinds {
        guard let first = bytes.first else { return .text }
        if FieldText.isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
            if FieldText.isPlainNumber(bytes) { return FieldText.double(bytes) == nil ? .text : .double }
            if ISO8601.seconds(bytes) != nil { return .date }
        }
        if FieldText.bool(bytes) != nil { return .bool }
        return FieldText.word(bytes) == nil ? .text : .numberWord
    }
}
