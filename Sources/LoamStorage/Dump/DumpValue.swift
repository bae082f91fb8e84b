import Foundation

/// One value of a dump: as JSON, by the property's type, exact in both directions.
///
/// Integers, floats and doubles are numbers (shortest decimal that reads back); NaN and the infinities are the strings
/// `"NaN"`, `"Infinity"`, `"-Infinity"`. Decimals, UUIDs and URLs are strings, data is base64. A date is ISO 8601 in
/// UTC, or its seconds since 2001 where ISO 8601 cannot say it exactly. A structure is an object without its nil
/// members; a dictionary is an object when its keys are strings, else an array of pairs, in the order of the keys'
/// bytes.
package enum DumpValue {
    /// Appends a value as JSON. Cost: the value's length, and a sort for dictionaries.
    package static func append(_ value: Value, as type: ValueType, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): JSONText.append(value, to: &bytes)
        case .uint(let value): JSONText.append(value, to: &bytes)
        case .float(let value): JSONText.append(value, to: &bytes)
        case .double(let value): JSONText.append(value, to: &bytes)
        case .decimal(let value): JSONText.append(value.description, to: &bytes)
        case .string(let value): JSONText.append(value, to: &bytes)
        case .date(let value): append(value, to: &bytes)
        case .uuid(let value): JSONText.append(value.uuidString, to: &bytes)
        case .url(let value): JSONText.append(value.absoluteString, to: &bytes)
        case .data(let value): JSONText.append(value.base64EncodedString(), to: &bytes)
        case .array(let values): append(values, as: type, to: &bytes)
        case .dictionary(let values): append(values, as: type, to: &bytes)
        case .structure(let members): append(members, as: type, to: &bytes)
        }
    }

    private static func append(_ date: Date, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if ISO8601.append(date, to: &bytes) {
            bytes.append(UInt8(ascii: "\""))
        } else {
            bytes.removeLast()
            JSONText.append(date.seconds, to: &bytes)
        }
    }

    private static func append(_ values: [Value], as type: ValueType, to bytes: inout [UInt8]) {
        var elementType = ValueType.string
        if case .array(let type, _) = type { elementType = type }
        bytes.append(UInt8(ascii: "["))
        for (position, value) in values.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(value, as: elementType, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func append(_ values: [Value: Value], as type: ValueType, to bytes: inout [UInt8]) {
        var (keyType, valueType) = (ValueType.string, ValueType.string)
        if case .dictionary(let key, let value, _) = type { (keyType, valueType) = (key, value) }
        let isObject = keyType == .string
        let pairs = values.map { key, value in
            var pair = (key: [UInt8](), value: [UInt8]())
            append(key, as: keyType, to: &pair.key)
            append(value, as: valueType, to: &pair.value)
            return pair
        }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        for (position, pair) in pairs.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            if !isObject { bytes.append(UInt8(ascii: "[")) }
            bytes.append(contentsOf: pair.key)
            bytes.append(UInt8(ascii: isObject ? ":" : ","))
            bytes.append(contentsOf: pair.value)
            if !isObject { bytes.append(UInt8(ascii: "]")) }
        }
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    private static func append(_ members: [String: Value], as type: ValueType, to bytes: inout [UInt8]) {
        var declared: [ValueType.Member] = []
        if case .structure(let members) = type { declared = members }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in declared {
            guard let value = members[member.name], !value.isNull else { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(value, as: member.type, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
