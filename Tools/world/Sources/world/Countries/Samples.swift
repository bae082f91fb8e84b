import Foundation

/// The rows of a CSV file whose first line names the columns. A quote keeps commas together; no quotes or line breaks are
/// within quotes.
struct Samples {
    /// Says that a file has no value where one is needed.
    struct MissingColumn: Error, CustomStringConvertible {
        let name: String

        var description: String { "A row of the samples has no usable '\(name)'." }
    }

    struct Row {
        fileprivate let columns: [String: Int]
        fileprivate let fields: [String]

        subscript(name: String) -> String {
            get throws {
                guard let column = columns[name], fields.indices.contains(column) else {
                    throw MissingColumn(name: name)
                }
                return fields[column]
            }
        }
    }

    let rows: [Row]

    init(contentsOf file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let names = lines.first.map(Self.fields) ?? []
        let columns = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        rows = lines.dropFirst().map { Row(columns: columns, fields: Self.fields($0)) }
    }

    private static func fields(_ line: Substring) -> [String] {
        var (fields, isQuoted) = ([""], false)
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
