package import Foundation
package import LoamStorage

/// A value as SQLite keeps it.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    /// Nil for a value that SQLite keeps otherwise: NaN, numbers above Int64, decimals, and what is made of parts.
    package init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .int(let value): self = .integer(value)
        case .uint(let value):
            guard let number = Int64(exactly: value) else { return nil }
            self = .integer(number)
        case .double(let value) where !value.isNaN: self = .real(value)
        case .float(let value) where !value.isNaN: self = .real(Double(value))
        case .date(let value) where !value.timeIntervalSinceReferenceDate.isNaN:
            self = .real(value.timeIntervalSinceReferenceDate)
        case .string(let value) where !value.utf8.contains(0): self = .text(value)
        case .data(let value): self = .blob(value)
        case .uuid(let value): self = .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
        default: return nil
        }
    }

    /// The value in SQL.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): value < 0 ? "(\(value))" : "\(value)"
        case .real(let value) where value.isInfinite: value < 0 ? "(-9e999)" : "9e999"
        case .real(let value): "(\(value))"
        case .text(let value): "'" + value.replacing("'", with: "''") + "'"
        case .blob(let value): "x'" + value.map { String(format: "%02x", $0) }.joined() + "'"
        }
    }
}

extension ValueType {
    /// The type of a column for such values, which changes none of them; nil where SQLite has none.
    var sqliteType: String? {
        switch self {
        case .double, .float, .date: "REAL"
        case .string: "TEXT"
        case .data, .uuid: "BLOB"
        case .bool: "INTEGER"
        default: isInteger ? "INTEGER" : nil
        }
    }
}
