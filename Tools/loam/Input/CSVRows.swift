import LoamStorage

/// The rows of a CSV file with a header.
final class CSVRows: RowReader {
    private var reader: CSVReader
    private let columns: [Column]
    private let parsers: [FieldParser]
    private let nullTokens: NullTokens
    /// The position of its column, for each field.
    private let positions: [Int]

    var line: Int { reader.line }

    /// Reads the header. Throws where it names a column that is not wanted.
    init(_ source: ByteSource, columns: [Column], nullTokens: NullTokens) throws {
        reader = try CSVReader(source)
        self.columns = columns
        self.nullTokens = nullTokens
        parsers = columns.map { FieldParser(type: $0.type) }
        let wanted = Dictionary(columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let line = reader.line
        positions = try Self.header(&reader).map { name in
            guard let position = wanted[name] else { throw InputError(.unknownColumn, line: line, column: name) }
            return position
        }
    }

    func next() throws -> [Value]? {
        guard try reader.next() else { return nil }
        try Self.checkWidth(reader, positions.count)
        var values = [Value](repeating: .null, count: columns.count)
        let line = reader.line
        try reader.withFields { fields in
            for field in 0..<fields.count {
                let position = positions[field]
                values[position] = try value(fields[field], position, line)
            }
        }
        for (position, column) in columns.enumerated() where !column.isOptional && values[position].isNull {
            throw InputError(.missingValue, line: line, column: column.name)
        }
        return values
    }

    private func value(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ line: Int) throws -> Value {
        if nullTokens.contains(bytes) { return .null }
        if let value = parsers[position].value(bytes) { return value }
        let text = String(decoding: bytes, as: UTF8.self)
        let column = columns[position]
        throw InputError(
            .invalidValue(type: column.type.description, text: text), line: line, column: column.name)
    }

    /// The columns of a file and the types of all their values; see ``ColumnKinds``.
    static func inferColumns(
        _ source: ByteSource, nullTokens: NullTokens, progress: Progress
    ) throws -> (columns: [Column], rows: Int) {
        var reader = try CSVReader(source)
        let names = try header(&reader)
        var kinds = names.map { _ in ColumnKinds() }
        var rows = 0
        while try reader.next() {
            try checkWidth(reader, names.count)
            reader.withFields { fields in
                for field in 0..<fields.count where !nullTokens.contains(fields[field]) {
                    kinds[field].observe(fields[field])
                }
            }
            rows += 1
            progress.update(rows)
        }
        return (zip(names, kinds).map { Column(name: $0, type: $1.type) }, rows)
    }

    private static func header(_ reader: inout CSVReader) throws -> [String] {
        guard try reader.next() else { throw InputError(.emptyFile) }
        let limit = RecordLayout.maximumFieldCount
        guard reader.fieldCount <= limit else { throw InputError(.tooManyColumns(limit: limit), line: reader.line) }
        var names: [String] = []
        var seen: Set<String> = []
        for field in 0..<reader.fieldCount {
            let name = reader.string(field)
            guard !name.isEmpty else { throw InputError(.emptyColumnName, line: reader.line) }
            guard EntityDefinition.isValidName(name) else {
                throw InputError(.invalidColumnName, line: reader.line, column: name)
            }
            guard seen.insert(name).inserted else {
                throw InputError(.duplicateColumn, line: reader.line, column: name)
            }
            names.append(name)
        }
        return names
    }

    private static func checkWidth(_ reader: borrowing CSVReader, _ expected: Int) throws {
        guard reader.fieldCount == expected else {
            throw InputError(.fieldCount(expected: expected, found: reader.fieldCount), line: reader.line)
        }
    }
}
