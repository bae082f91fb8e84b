import LoamStorage

/// The rows of a file with one JSON object per line.
///
/// A member that is absent is nil. Nested arrays and objects fill string properties as JSON text. Where a name stands
/// twice in an object, the last one counts. Empty lines are skipped.
final class NDJSONRows: RowReader {
    private var lines: LineReader
    private let columns: [Column]
    private let parsers: [FieldParser]
    private let nullTokens: NullTokens
    private let positions: [String: Int]

    var line: Int { lines.number }

    init(_ source: ByteSource, columns: [Column], nullTokens: NullTokens) {
        lines = LineReader(source)
        self.columns = columns
        self.nullTokens = nullTokens
        parsers = columns.map { FieldParser(type: $0.type) }
        positions = Dictionary(columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func next() throws -> [Value]? {
        guard let members = try Self.object(&lines) else { return nil }
        var values = [Value](repeating: .null, count: columns.count)
        for member in members {
            guard let position = positions[member.name] else {
                throw InputError(.unknownColumn, line: line, column: member.name)
            }
            values[position] = try value(member.value, position)
        }
        for (position, column) in columns.enumerated() where !column.isOptional && values[position].isNull {
            throw InputError(.missingValue, line: line, column: column.name)
        }
        return values
    }

    private func value(_ json: JSONValue, _ position: Int) throws -> Value {
        if nullTokens.contains(json) { return .null }
        if let value = parsers[position].value(json) { return value }
        let text = String(decoding: JSONText.bytes(of: json), as: UTF8.self)
        let column = columns[position]
        throw InputError(
            .invalidValue(type: column.type.description, text: text), line: line, column: column.name)
    }

    /// The columns of a file, by first appearance, and the types of all their values; see ``ColumnKinds``.
    static func inferColumns(
        _ source: ByteSource, nullTokens: NullTokens, progress: Progress
    ) throws -> (columns: [Column], rows: Int) {
        var lines = LineReader(source)
        var names: [String] = []
        var kinds: [ColumnKinds] = []
        var positions: [String: Int] = [:]
        var rows = 0
        while let members = try object(&lines) {
            for member in members {
                let position = positions[member.name] ?? names.count
                if position == names.count {
                    guard !member.name.isEmpty else { throw InputError(.emptyColumnName, line: lines.number) }
                    guard EntityDefinition.isValidName(member.name) else {
                        throw InputError(.invalidColumnName, line: lines.number, column: member.name)
                    }
                    let limit = RecordLayout.maximumFieldCount
                    guard position < limit else { throw InputError(.tooManyColumns(limit: limit), line: lines.number) }
                    positions[member.name] = position
                    names.append(member.name)
                    kinds.append(ColumnKinds())
                }
                if !nullTokens.contains(member.value) { kinds[position].observe(member.value) }
            }
            rows += 1
            progress.update(rows)
        }
        return (zip(names, kinds).map { Column(name: $0, type: $1.type) }, rows)
    }

    private static func object(_ lines: inout LineReader) throws -> [JSONValue.Member]? {
        while try lines.next() {
            if lines.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            let json: JSONValue
            do {
                json = try JSONParser.parse(lines.bytes)
            } catch {
                throw InputError(.invalidJSON(offset: error.offset, reason: error.reason), line: lines.number)
            }
            guard case .object(let members) = json else { throw InputError(.notAnObject, line: lines.number) }
            return members
        }
        return nil
    }
}
