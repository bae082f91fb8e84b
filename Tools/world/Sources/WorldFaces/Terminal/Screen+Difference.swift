extension Screen {
    /// What a terminal has to be sent so that it shows this screen where it shows another: only the cells that differ.
    /// Empty where none do. With no other screen, or one of another size, everything is cleared and drawn.
    public func sequence(replacing old: Screen?) -> String {
        var output = ""
        let known = old.flatMap { $0.rows == rows && $0.columns == columns ? $0 : nil }
        if known == nil { output += "\u{1B}[0m\u{1B}[2J" }
        let blank = Array(repeating: Cell(), count: columns)
        for row in 0..<rows { draw(row, over: known?.cells[row] ?? blank, to: &output) }
        return output
    }

    private func draw(_ row: Int, over old: [Cell], to output: inout String) {
        var (column, drawnTo, style) = (0, -1, nil as Style?)
        while column < columns {
            let cell = cells[row][column]
            let width = column + 1 < columns && cells[row][column + 1].text.isEmpty ? 2 : 1
            let isSame = (column..<column + width).allSatisfy { cells[row][$0] == old[$0] }
            if !isSame {
                if drawnTo != column { output += "\u{1B}[\(row + 1);\(column + 1)H" }
                if style != cell.style { output += cell.style.sequence }
                output += cell.text
                (drawnTo, style) = (column + width, cell.style)
            }
            column += width
        }
        if style != nil, style != [] { output += "\u{1B}[0m" }
    }
}
