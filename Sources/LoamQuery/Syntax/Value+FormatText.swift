import Foundation
package import LoamStorage

extension Value {
    /// The value as a literal of the format grammar, with a cast where a bare literal would say something else.
    package var formatText: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "TRUE" : "FALSE"
        case .int(let value): String(value)
        case .uint(let value): String(value)
        case .float(let value): Self.cast(Double(value), text: "\(value)", type: "float")
        case .double(let value): Self.cast(value, text: "\(value)", type: "double")
        case .decimal(let value): Self.cast(value.isNaN ? "'nan'" : value.description, type: "decimal")
        case .string(let value): Self.quoted(value)
        case .date(let value):
            ISO8601.text(of: value).map { "'\($0)'" }
                ?? Self.cast(value.seconds, text: "\(value.seconds)", type: "NSDate")
        case .uuid(let value): Self.quoted(value.uuidString)
        case .url(let value): Self.quoted(value.absoluteString)
        case .data(let value): Self.cast(Self.quoted(value.base64EncodedString()), type: "data")
        case .array(let values): "{" + values.map(\.formatText).joined(separator: ", ") + "}"
        case .dictionary, .structure: exactText
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }

    /// The value as an expression of the grammar that is read as this very constant, and as no literal whose type its
    /// neighbour decides.
    var exactText: String {
        switch self {
        case .null, .bool, .string, .float, .double, .decimal, .data: formatText
        case .int(let value): Self.cast("\(value)", type: "int64")
        case .uint(let value): Self.cast("\(value)", type: "uint64")
        case .date(let value):
            ISO8601.text(of: value).map { Self.cast("'\($0)'", type: "date") }
                ?? Self.cast(value.seconds, text: "\(value.seconds)", type: "NSDate")
        case .uuid: Self.cast(formatText, type: "uuid")
        case .url: Self.cast(formatText, type: "url")
        case .array(let values): Self.cast(Self.list(values), type: "array")
        case .dictionary(let values):
            Self.cast("{" + Self.lists(values.map { [$0, $1] }) + "}", type: "dictionary")
        case .structure(let members):
            Self.cast("{" + Self.lists(members.map { [.string($0), $1] }) + "}", type: "structure")
        }
    }

    private static func list(_ values: [Value]) -> String {
        "{" + values.map(\.exactText).joined(separator: ", ") + "}"
    }

    /// Pairs in the order of their texts, so that equal values print alike.
    private static func lists(_ pairs: [[Value]]) -> String { pairs.map(list).sorted().joined(separator: ", ") }

    /// Infinities and NaN are no number literals; they are quoted.
    private static func cast(_ number: Double, text: String, type: String) -> String {
        cast(number.isNaN ? "'nan'" : number.isInfinite ? quoted(text) : text, type: type)
    }

    private static func cast(_ literal: String, type: String) -> String {
        "CAST(\(literal), '\(type)')"
    }
}
