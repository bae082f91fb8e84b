import LoamStorage

/// Writes CSV (RFC 4180, lines end in LF) with a header. Nil is an empty field. Text is exact, but on a terminal, where
/// the characters that steer it are escaped.
struct CSVWriter: RowWriter {
    private let columns: [OutputColumn]
    private let output: OutputStream
    private let isTerminal: Bool
    private var line: [UInt8] = []

    init(_ columns: [OutputColumn], to output: OutputStream, isTerminal: Bool = false) throws {
        self.columns = columns
        self.output = output
        self.isTerminal = isTerminal
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
        let text = isTerminal ? Printable.escaped(text) : text
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
        // A reader would take a line with one empty field for no record at all.
        if line.isEmpty { line = [0x22, 0x22] }
        line.append(0x0A)
        try output.write(line)
        line.removeAll(keepingCapacity: true)
    }
}
