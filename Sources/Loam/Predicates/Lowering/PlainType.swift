import Foundation
import LoamStorage

/// The types that most captured values are of: told by comparing types, where any other is asked for its conformances.
enum PlainType {
    /// Whether it is a type whose stored values have its order and its equality. No optional is.
    static func includes(_ type: any Any.Type) -> Bool {
        type == Int.self || type == String.self || type == Double.self || type == Date.self || type == Bool.self
            || type == UUID.self
    }

    /// The stored form of a value of such a type; nil for a value of another.
    static func value(of captured: Any) -> Value? {
        let type = type(of: captured)
        if type == Int.self { return (captured as? Int).map { .int(Int64($0)) } }
        if type == String.self { return (captured as? String).map { .string($0) } }
        if type == Double.self { return (captured as? Double).map { .double($0) } }
        if type == Date.self { return (captured as? Date).map { .date($0) } }
        if type == Bool.self { return (captured as? Bool).map { .bool($0) } }
        if type == UUID.self { return (captured as? UUID).map { .uuid($0) } }
        return nil
    }
}
