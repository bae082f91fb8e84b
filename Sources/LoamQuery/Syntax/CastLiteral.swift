import Foundation
import LoamStorage

/// Literals of an exact type, written `CAST(literal, 'type')`: what a bare number or string cannot say.
///
/// `CAST(0.5, 'NSDate')` is Core Data's way to write a date, in seconds since 2001.
enum CastLiteral {
    static func value(of expression: QueryExpression, as typeName: String) -> Value? {
        if case .list(let elements) = expression { return collection(of: elements, as: typeName) }
        guard let type = foundation[typeName] ?? ValueType.simple[typeName] else { return nil }
        switch expression {
        case .number(let literal): return value(of: literal, as: type).flatMap { type.holds($0) ? $0 : nil }
        case .constant(.string(let text)):
            if type == .date, let seconds = specialNumber(text) {
                return .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
            return value(of: text, as: type)
        default: return nil
        }
    }

    /// The names of Foundation's classes.
    private static let foundation: [String: ValueType] = [
        "NSDate": .date, "NSString": .string, "NSNumber": .double, "NSDecimalNumber": .decimal, "NSUUID": .uuid,
        "NSURL": .url, "NSData": .data,
    ]

    /// The function that converts values of a row to a type; nil where there is none.
    static func conversion(to typeName: String) -> Function? {
        guard let type = foundation[typeName] ?? ValueType.simple[typeName] else { return nil }
        return Function.allCases.first { $0.entry.notation == .cast(type.description) }
    }

    /// The names of the types that values of a row are converted to.
    static let conversions: [String] = Function.allCases.compactMap {
        if case .cast(let type) = $0.entry.notation { type } else { nil }
    }

    /// Arrays, and pairs of a key and a value as a dictionary or a structure.
    private static func collection(of elements: [QueryExpression], as typeName: String) -> Value? {
        switch typeName {
        case "array": return constants(elements).map(Value.array)
        case "dictionary":
            let pairs = elements.compactMap(pair)
            return pairs.count == elements.count ? .dictionary(Dictionary(pairs) { first, _ in first }) : nil
        case "structure":
            let members = elements.compactMap(pair).compactMap { pair -> (String, Value)? in
                if case .string(let name) = pair.0 { (name, pair.1) } else { nil }
            }
            return members.count == elements.count ? .structure(Dictionary(members) { first, _ in first }) : nil
        default: return nil
        }
    }

    private static func pair(_ element: QueryExpression) -> (Value, Value)? {
        guard case .list(let parts) = element, let values = constants(parts), values.count == 2 else { return nil }
        return (values[0], values[1])
    }

    private static func constants(_ elements: [QueryExpression]) -> [Value]? {
        let values = elements.compactMap { if case .constant(let value) = $0 { value } else { nil } }
        return values.count == elements.count ? values : nil
    }

    /// The value that `text` is read as when it stands beside a value of `type`.
    static func value(of text: String, as type: ValueType) -> Value? {
        switch type {
        case .string: .string(text)
        case .date: ISO8601.date(text).map(Value.date)
        case .uuid: UUID(uuidString: text).map(Value.uuid)
        case .url: URL(string: text).map(Value.url)
        case .decimal where text == "nan": .decimal(.nan)
        case .decimal: NumberLiteral(text).flatMap { value(of: $0, as: .decimal) }
        case .data: Data(base64Encoded: text).map(Value.data)
        case .double: specialNumber(text).map(Value.double)
        case .float: specialNumber(text).map { .float(Float($0)) }
        default: nil
        }
    }

    static func value(of literal: NumberLiteral, as type: ValueType) -> Value? {
        switch type {
        case .double: Double(literal.text).map(Value.double)
        case .float: Float(literal.text).map(Value.float)
        case .decimal: decimal(literal.text).map(Value.decimal)
        case .date: Double(literal.text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case _ where type.isSignedInteger: Int64(literal.text).map(Value.int)
        case _ where type.isUnsignedInteger: UInt64(literal.text).map(Value.uint)
        default: nil
        }
    }

    /// The decimal of a text; nil where 38 digits do not hold the number exactly.
    private static func decimal(_ text: String) -> Decimal? {
        guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN,
            ExactDecimal(value) == ExactDecimal(text: text)
        else { return nil }
        return value
    }

    private static func specialNumber(_ text: String) -> Double? {
        switch text {
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
        }
    }
}

extension ValueType {
    /// Whether an integer lies within the bounds of this type, where that is one of integers.
    fileprivate func holds(_ value: Value) -> Bool {
        guard isInteger, let bits = fixedWidth.map({ $0 * 8 }), bits < 64 else { return true }
        switch value {
        case .int(let value): return value >= -(1 << (bits - 1)) && value < 1 << (bits - 1)
        case .uint(let value): return value < 1 << bits
        default: return true
        }
    }
}
