import Foundation
import LoamStorage

/// Turns the text of a field into a value of one type.
struct FieldParser {
    let type: ValueType

    /// The value, or nil when the text spells none. Strings are the field as it is; data is base64; dates are ISO 8601.
    func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
        switch type {
        case .bool: FieldText.bool(bytes).map(Value.bool)
        case .int8: FieldText.integer(bytes, as: Int8.self).map { .int(Int64($0)) }
        case .int16: FieldText.integer(bytes, as: Int16.self).map { .int(Int64($0)) }
        case .int32: FieldText.integer(bytes, as: Int32.self).map { .int(Int64($0)) }
        case .int64: FieldText.integer(bytes, as: Int64.self).map(Value.int)
        case .uint8: FieldText.integer(bytes, as: UInt8.self).map { .uint(UInt64($0)) }
        case .uint16: FieldText.integer(bytes, as: UInt16.self).map { .uint(UInt64($0)) }
        case .uint32: FieldText.integer(bytes, as: UInt32.self).map { .uint(UInt64($0)) }
        case .uint64: FieldText.integer(bytes, as: UInt64.self).map(Value.uint)
        case .float: FieldText.float(bytes).map(Value.float)
        case .double: FieldText.double(bytes).map(Value.double)
        case .date: ISO8601.seconds(bytes).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        default: value(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The value of a JSON value; nested ones are kept by string properties as JSON text, and by structured properties
    /// as a dump writes them.
    func value(_ json: JSONValue) -> Value? {
        switch json {
        case .null: return .null
        case .bool(let value):
            return type == .string ? .string(value ? "true" : "false") : type == .bool ? .bool(value) : nil
        case .number(var text), .string(var text):
            if case .array = type { return nil }
            return text.withUTF8 { value($0) }
        case .array, .object:
            if type == .string { return .string(String(decoding: JSONText.bytes(of: json), as: UTF8.self)) }
            return DumpValue.value(json, as: type)
        }
    }

    /// The number of digits that a decimal keeps, whatever the digits are.
    private static let decimalDigits = 38

    /// The decimal that a text spells; nil also where a decimal would not keep every digit.
    private static func decimal(_ text: String) -> Decimal? {
        let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let digits = mantissa.filter(FieldText.isDigit).drop { $0 == 0x30 }
        let isExact = (digits.lastIndex { $0 != 0x30 } ?? 0) - digits.startIndex < decimalDigits
        return isExact ? DumpValue.decimal(text) : nil
    }

    private func value(_ text: String) -> Value? {
        switch type {
        case .string: .string(text)
        case .decimal: Self.decimal(text).map(Value.decimal)
        case .uuid: UUID(uuidString: text).map(Value.uuid)
        case .url: URL(string: text).map(Value.url)
        case .data: Data(base64Encoded: text).map(Value.data)
        default: (try? JSONParser.parse(text)).flatMap { DumpValue.value($0, as: type) }
        }
    }
}
