import Foundation

/// The rows of a CSV file whose first line names the columns.
struct Samples {
    struct Row {
        fileprivate let columns: [String: Int]
        fileprivate let fields: [String]

        /// - Throws: ``SamplesError`` when the file has no such column, or the row is shorter.
        subscript(name: String) -> String {
            get throws {
                guard let column = columns[name], fields.indices.contains(column) else {
                    throw SamplesError(column: name)
                }
                return fields[column]
            }
        }
    }

    let rows: [Row]

    init(contentsOf file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let header = lines.first.map(Self.fields) ?? []
        let columns = Dictionary(
            header.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        rows = lines.dropFirst().map { Row(columns: columns, fields: Self.fields($0)) }
    }

    /// The fields of a line. Quotes keep commas together; the samples have no quotes or line breaks within quotes.
    private static func fields(_ line: Substring) -> [String] {
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard quoted.count > 1 else {
            return line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        var fields = [""]
        for (number, part) in quoted.enumerated() {
            let pieces = number % 2 == 1 ? [part] : part.split(separator: ",", omittingEmptySubsequences: false)
            fields[fields.count - 1] += pieces.first ?? ""
            fields += pieces.dropFirst().map(String.init)
        }
        return fields
    }
}

/// Says that a sample file has no value where one is needed.
struct SamplesError: Error, CustomStringConvertible {
    let column: String

    var description: String { "A row of the samples has no usable '\(column)'." }
}
