import LoamStorage

/// Writes CSV (RFC 4180, lines end in LF) with a header. Nil is an empty field.
struct CSVWriter: RowWriter {
    private let columns: [OutputColumn]
    private let output: OutputStream
    private var line: [UInt8] = []

    init(_ columns: [OutputColumn], to output: OutputStream) throws {
        self.columns = columns
        self.output = output
        for (position, column) in columns.enumerated() { append(column.name, at: position) }
        try endLine()
    }

    mutating func append(_ values: [Value]) throws {
        for (position, (value, column)) in zip(values, columns).enumerated() {
            append(ValueText.text(value, column.type), at: position)
        }
        try endLine()
    }

    func finish() throws {
        try output.flush()
    }

    private mutating func append(_ text: String, at position: Int) {
        if position > 0 { line.append(UInt8(ascii: ",")) }
        let needsQuotes = text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            line.append(contentsOf: text.utf8)
            return
        }
        line.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { line.append(0x22) }
            line.append(byte)
        }
        line.append(0x22)
    }

    private mutating func endLine() throws {
        // A line with one empty field would read as no record at all.
        if line.isEmpty { line = [0x22, 0x22] }
        line.append(0x0A)
        try output.write(line)
        line.removeAll(keepingCapacity: true)
    }
}
