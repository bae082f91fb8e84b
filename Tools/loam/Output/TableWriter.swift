import LoamStorage

/// Writes an aligned table for people: numbers to the right, control characters escaped, values cut to 60 columns.
///
/// Column widths come from the first thousand rows, so that a long result begins to appear early; a wider value
/// further down pushes its line to the right. Nil is shown as `nil`.
struct TableWriter: RowWriter {
    static let widthLimit = 60
    private static let rowsMeasured = 1_000

    private struct Cell {
        var text: String
        var width: Int
        var isNil = false
    }

    private let columns: [OutputColumn]
    private let output: OutputStream
    private let style: Style
    private var widths: [Int]
    private var pending: [[Cell]] = []
    private var isMeasuring = true

    init(_ columns: [OutputColumn], to output: OutputStream, style: Style) {
        self.columns = columns
        self.output = output
        self.style = style
        widths = columns.map { Printable.width(of: Printable.escaped($0.name, limit: Self.widthLimit)) }
    }

    mutating func append(_ values: [Value]) throws {
        let cells = zip(values, columns).map { Self.cell($0, $1) }
        guard isMeasuring else { return try write(cells) }
        for (position, cell) in cells.enumerated() { widths[position] = max(widths[position], cell.width) }
        pending.append(cells)
        if pending.count == Self.rowsMeasured { try endMeasuring() }
    }

    mutating func finish() throws {
        if isMeasuring { try endMeasuring() }
        try output.flush()
    }

    private static func cell(_ value: Value, _ column: OutputColumn) -> Cell {
        if value.isNull { return Cell(text: "nil", width: 3, isNil: true) }
        let text = Printable.escaped(ValueText.text(value, column.type), limit: widthLimit)
        return Cell(text: text, width: Printable.width(of: text))
    }

    private mutating func endMeasuring() throws {
        isMeasuring = false
        let names = columns.map { column in
            let name = Printable.escaped(column.name, limit: Self.widthLimit)
            return Cell(text: name, width: Printable.width(of: name))
        }
        try output.write(style.bold(line(names)) + "\n")
        try output.write(style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")) + "\n")
        for cells in pending { try write(cells) }
        pending = []
    }

    private func write(_ cells: [Cell]) throws {
        try output.write(line(cells) + "\n")
    }

    private func line(_ cells: [Cell]) -> String {
        var result = ""
        for (position, cell) in cells.enumerated() {
            if position > 0 { result += "  " }
            let space = String(repeating: " ", count: max(0, widths[position] - cell.width))
            let text = cell.isNil ? style.dim(cell.text) : cell.text
            if columns[position].type.isNumeric {
                result += space + text
            } else {
                result += position == cells.count - 1 ? text : text + space
            }
        }
        return result
    }
}
