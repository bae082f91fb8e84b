import ArgumentParser
import Foundation
import LoamStorage

/// The formats that `query` writes.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json, ndjson
}

/// A column of a result.
struct OutputColumn: Hashable {
    var name: String
    var type: ValueType
}

/// Writes rows in one format, each with one value per column.
protocol RowWriter {
    mutating func append(_ values: [Value]) throws
    /// Writes the rest of the output.
    mutating func finish() throws
}

extension OutputFormat {
    /// Makes a writer, and writes its header.
    func writer(_ columns: [OutputColumn], to output: OutputStream, style: Style) throws -> any RowWriter {
        switch self {
        case .table: TableWriter(columns, to: output, style: style)
        case .csv: try CSVWriter(columns, to: output, isTerminal: style.isTerminal)
        case .json: try JSONWriter(columns, to: output, isArray: true)
        case .ndjson: try JSONWriter(columns, to: output, isArray: false)
        }
    }
}

/// Values as text, with nothing lost.
enum ValueText {
    /// Numbers in their shortest exact form, dates in ISO 8601, data in base64, nested values as JSON, nil as nothing.
    static func text(_ value: Value, _ type: ValueType) -> String {
        switch value {
        case .null: return ""
        case .string(let text): return text
        case .url(let url): return url.absoluteString
        default: break
        }
        var bytes: [UInt8] = []
        DumpValue.append(value, as: type, to: &bytes)
        // Values other than nested ones are numbers, words, or strings without escapes.
        if bytes.first == UInt8(ascii: "\"") { bytes = Array(bytes.dropFirst().dropLast()) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
