import Foundation

/// What is wrong with a file to import: the line, the column where it is known, and the way out.
struct InputError: Error, Hashable {
    enum Kind: Hashable {
        case invalidUTF8
        case quoteInField
        case textAfterQuote
        case quoteNotClosed
        case recordTooLong(limit: Int)
        case fieldCount(expected: Int, found: Int)
        case emptyFile
        case emptyColumnName
        case invalidColumnName
        case duplicateColumn
        case tooManyColumns(limit: Int)
        case notAnObject
        case invalidJSON(offset: Int, reason: String)
        case unknownColumn
        case invalidValue(type: String, text: String)
        case missingValue
        case noColumns
    }

    var kind: Kind
    /// The line, counted from 1, where the record begins, or the quote that does not end.
    var line: Int?
    var column: String?

    init(_ kind: Kind, line: Int? = nil, column: String? = nil) {
        self.kind = kind
        self.line = line
        self.column = column
    }
}

extension InputError: CustomStringConvertible {
    var description: String {
        let context = [line.map { "line \($0)" }, column.map { "column '\(Printable.escaped($0, limit: 60))'" }]
        let text = context.compactMap { $0 }.joined(separator: ", ")
        return text.isEmpty ? kind.message : "\(text): \(kind.message)"
    }
}

extension InputError.Kind {
    var message: String {
        switch self {
        case .invalidUTF8: "the text is not UTF-8; convert the file first, for example with iconv"
        case .quoteInField:
            "a quote stands inside a field that does not begin with one; quote the field, double the quote"
        case .textAfterQuote: "text follows the closing quote of a field"
        case .quoteNotClosed: "a quote is opened here and never closed"
        case .recordTooLong(let limit): "a record is longer than \(limit >> 20) MiB; is a quote not closed?"
        case .fieldCount(let expected, let found): "\(expected) fields were expected and \(found) found"
        case .emptyFile: "the file is empty; a header line with the names of the columns was expected"
        case .emptyColumnName: "a column has no name"
        case .invalidColumnName:
            "a column's name has at most 255 bytes and neither a dot nor a comma nor a control character; rename it"
        case .duplicateColumn: "the header names a column twice"
        case .tooManyColumns(let limit):
            "there are more than \(Grouped.text(limit)) columns, the most that an entity can have; make rows of columns"
        case .notAnObject: "a JSON object was expected"
        case .invalidJSON(let offset, let reason): "byte \(offset) is not JSON: \(reason)"
        case .unknownColumn: "the entity has no property of this name"
        case .invalidValue(let type, let text): "'\(Printable.escaped(text, limit: 60))' is no value of type \(type)"
        case .missingValue: "the entity's property is not optional and has no value here"
        case .noColumns: "the file has no columns"
        }
    }
}
