package import Foundation

extension DumpValue {
    /// The value that a piece of a dump stands for, or nil when it is not one of this type.
    package static func value(_ json: JSONValue, as type: ValueType) -> Value? {
        switch type {
        case .bool: json.bool.map(Value.bool)
        case .int8: json.integer(as: Int8.self).map { .int(Int64($0)) }
        case .int16: json.integer(as: Int16.self).map { .int(Int64($0)) }
        case .int32: json.integer(as: Int32.self).map { .int(Int64($0)) }
        case .int64: json.integer(as: Int64.self).map(Value.int)
        case .uint8: json.integer(as: UInt8.self).map { .uint(UInt64($0)) }
        case .uint16: json.integer(as: UInt16.self).map { .uint(UInt64($0)) }
        case .uint32: json.integer(as: UInt32.self).map { .uint(UInt64($0)) }
        case .uint64: json.integer(as: UInt64.self).map(Value.uint)
        case .float: floatingPoint(json, type: Float.self).map(Value.float)
        case .double: floatingPoint(json, type: Double.self).map(Value.double)
        case .decimal: json.string.flatMap(decimal).map(Value.decimal)
        case .string: json.string.map(Value.string)
        case .date: date(json).map(Value.date)
        case .uuid: json.string.flatMap(UUID.init(uuidString:)).map(Value.uuid)
        case .url: json.string.flatMap(URL.init(string:)).map(Value.url)
        case .data: json.string.flatMap { Data(base64Encoded: $0) }.map(Value.data)
        case .array(let element, let optional): array(json, type: element, isOptional: optional)
        case .dictionary(let key, let value, let optional):
            dictionary(json, keyType: key, valueType: value, isOptional: optional)
        case .structure(let members): structure(json, members: members)
        }
    }

    /// A decimal that is the whole text. (`Decimal(string:)` alone stops at the first byte that it does not know.)
    package static func decimal(_ text: String) -> Decimal? {
        if text == "NaN" { return Decimal.nan }
        let allowed = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard allowed, Double(text) != nil else { return nil }
        return Decimal(string: text, locale: nil)
    }

    private static func floatingPoint<F: BinaryFloatingPoint & LosslessStringConvertible>(
        _ json: JSONValue, type: F.Type
    ) -> F? {
        switch json {
        case .number(let text): F(text)
        case .string("NaN"): F.nan
        case .string("Infinity"): F.infinity
        case .string("-Infinity"): -F.infinity
        default: nil
        }
    }

    private static func date(_ json: JSONValue) -> Date? {
        if case .string(let text) = json, let date = ISO8601.date(text) { return date }
        return floatingPoint(json, type: Double.self).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    private static func element(_ json: JSONValue, type: ValueType, isOptional: Bool) -> Value? {
        if case .null = json { return isOptional ? .null : nil }
        return value(json, as: type)
    }

    private static func array(_ json: JSONValue, type: ValueType, isOptional: Bool) -> Value? {
        guard let elements = json.array else { return nil }
        let values = elements.compactMap { element($0, type: type, isOptional: isOptional) }
        return values.count == elements.count ? .array(values) : nil
    }

    private static func dictionary(
        _ json: JSONValue, keyType: ValueType, valueType: ValueType, isOptional: Bool
    ) -> Value? {
        var values: [Value: Value] = [:]
        func insert(_ key: JSONValue, member: JSONValue) -> Bool {
            guard let key = value(key, as: keyType),
                let member = element(member, type: valueType, isOptional: isOptional)
            else {
                return false
            }
            return values.updateValue(member, forKey: key) == nil
        }
        switch json {
        case .object(let members) where keyType == .string:
            for member in members where !insert(.string(member.name), member: member.value) { return nil }
        case .array(let pairs) where keyType != .string:
            for pair in pairs {
                guard let pair = pair.array, pair.count == 2, insert(pair[0], member: pair[1]) else { return nil }
            }
        default: return nil
        }
        return .dictionary(values)
    }

    private static func structure(_ json: JSONValue, members: [ValueType.Member]) -> Value? {
        guard case .object(let given) = json else { return nil }
        var values: [String: Value] = [:]
        for given in given {
            guard let member = members.first(where: { $0.name == given.name }),
                let value = element(given.value, type: member.type, isOptional: member.isOptional),
                values.updateValue(value, forKey: member.name) == nil
            else { return nil }
        }
        for member in members where !member.isOptional && values[member.name] == nil { return nil }
        return .structure(values)
    }
}
