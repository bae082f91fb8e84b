import LoamStorage

/// Writes one JSON object per row, as lines or as an array. Nil is null; see ``DumpValue`` for the other values.
struct JSONWriter: RowWriter {
    private let columns: [OutputColumn]
    private let output: OutputStream
    private let isArray: Bool
    private let names: [[UInt8]]
    private var isFirst = true

    init(_ columns: [OutputColumn], to output: OutputStream, isArray: Bool) throws {
        self.columns = columns
        self.output = output
        self.isArray = isArray
        names = columns.map { column in
            var bytes: [UInt8] = []
            JSONText.append(column.name, to: &bytes)
            return bytes + [UInt8(ascii: ":")]
        }
        if isArray { try output.write("[") }
    }

    mutating func append(_ values: [Value]) throws {
        var line = Array((isArray ? isFirst ? "\n" : ",\n" : "").utf8)
        isFirst = false
        for (position, value) in values.enumerated() {
            line.append(UInt8(ascii: position == 0 ? "{" : ","))
            line.append(contentsOf: names[position])
            DumpValue.append(value, as: columns[position].type, to: &line)
        }
        line.append(contentsOf: (isArray ? "}" : "}\n").utf8)
        try output.write(line)
    }

    func finish() throws {
        if isArray { try output.write(isFirst ? "]\n" : "\n]\n") }
        try output.flush()
    }
}
