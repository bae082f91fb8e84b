import LoamStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A column of a file to import, and the property that it fills.
struct Column: Hashable {
    var name: String
    var type: ValueType
    var isOptional = true
}

/// The formats that `import` reads.
enum InputFormat: String, CaseIterable {
    case csv, ndjson
}

/// The rows of a file as values, one after the other.
///
/// `values` has one value per column asked for, in that order; a column that the file does not have is nil.
protocol RowReader: AnyObject {
    /// The line of the current row, counted from 1.
    var line: Int { get }
    /// The next row; nil at the end.
    func next() throws -> [Value]?
}

/// Texts that mean nil, beside the empty field.
struct NullTokens {
    private let tokens: [[UInt8]]

    init(_ tokens: [String]) {
        self.tokens = tokens.map { Array($0.utf8) }
    }

    func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.isEmpty || tokens.contains { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }

    /// JSON has a null of its own: an empty string is an empty string.
    func contains(_ json: JSONValue) -> Bool {
        switch json {
        case .null: true
        case .string(var text): !text.isEmpty && text.withUTF8 { contains($0) }
        default: false
        }
    }
}

/// A file to import. It is read once to infer types and once for its rows; what cannot be read twice, such as a pipe,
/// is kept in memory.
struct InputFile {
    let path: String
    let format: InputFormat
    let nullTokens: NullTokens
    /// The bytes of a file that cannot be read twice.
    private let memory: [UInt8]?

    /// - Parameter path: `-` reads standard input.
    init(path: String, format: InputFormat?, nullTokens: [String]) throws {
        self.path = path
        let isJSON = [".ndjson", ".jsonl", ".ldjson"].contains { path.lowercased().hasSuffix($0) }
        self.format = format ?? (isJSON ? .ndjson : .csv)
        self.nullTokens = NullTokens(nullTokens)
        var status = stat()
        guard path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG else {
            memory = nil
            return
        }
        var bytes: [UInt8] = []
        let source = path == "-" ? ByteSource(standardInput: ()) : try ByteSource(path: path)
        while case let chunk = try source.next(), !chunk.isEmpty { bytes += chunk }
        memory = bytes
    }

    func source() throws -> ByteSource {
        if let memory { return ByteSource(bytes: memory) }
        return try ByteSource(path: path)
    }

    /// The columns with the types that hold all their values, in the file's order, and the number of rows.
    /// - Parameter types: types that are given, by column name; each must be a column.
    func inferColumns(types: [String: ValueType], progress: Progress) throws -> (columns: [Column], rows: Int) {
        let inferred =
            switch format {
            case .csv: try CSVRows.inferColumns(source(), nullTokens: nullTokens, progress: progress)
            case .ndjson: try NDJSONRows.inferColumns(source(), nullTokens: nullTokens, progress: progress)
            }
        if let unknown = Set(types.keys).subtracting(inferred.columns.map(\.name)).min() {
            throw ArgumentError(.unknownColumnOfTypes(unknown))
        }
        guard !inferred.columns.isEmpty else { throw InputError(.noColumns) }
        let columns = inferred.columns.map { Column(name: $0.name, type: types[$0.name] ?? $0.type) }
        return (columns, inferred.rows)
    }

    /// The rows, with values in the order of `columns`. A column of the file that is not among them is an error.
    func rows(_ columns: [Column]) throws -> any RowReader {
        switch format {
        case .csv: try CSVRows(source(), columns: columns, nullTokens: nullTokens)
        case .ndjson: NDJSONRows(try source(), columns: columns, nullTokens: nullTokens)
        }
    }
}
