/// What is seen on a terminal: a grid of cells.
public struct Screen: Equatable, Sendable {
    /// How a text looks.
    public struct Style: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// A style by its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Thicker.
        public static let bold = Style(rawValue: 1)
        /// Paler.
        public static let dim = Style(rawValue: 2)
        /// Underlined.
        public static let underline = Style(rawValue: 4)
        /// Foreground and background changed.
        public static let reverse = Style(rawValue: 8)

        /// The sequence that turns this style on, and every other off.
        var sequence: String {
            let codes: [(Style, String)] = [(.bold, ";1"), (.dim, ";2"), (.underline, ";4"), (.reverse, ";7")]
            return "\u{1B}[0" + codes.filter { contains($0.0) }.map(\.1).joined() + "m"
        }
    }

    /// A place for one column. The second place of a wide character has an empty text.
    struct Cell: Equatable, Sendable {
        var text: String = " "
        var style: Style = []
    }

    /// How many rows there are, at least one.
    public let rows: Int
    /// How many columns there are, at least one.
    public let columns: Int
    private(set) var cells: [[Cell]]

    /// An empty screen.
    public init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (max(1, rows), max(1, columns))
        cells = Array(repeating: Array(repeating: Cell(), count: self.columns), count: self.rows)
    }

    /// Writes a text from a place on, as far as there is room. What steers a terminal is made inert.
    ///
    /// - Returns: the column behind the text.
    @discardableResult
    public mutating func write(_ text: String, row: Int, column: Int, style: Style = []) -> Int {
        guard cells.indices.contains(row), column >= 0 else { return column }
        var column = column
        for character in text.inert {
            let width = character.displayWidth
            guard width > 0 else { continue }
            guard column + width <= columns else { return column }
            put(String(character), width, row, column, style)
            column += width
        }
        return column
    }

    private mutating func put(_ text: String, _ width: Int, _ row: Int, _ column: Int, _ style: Style) {
        // A wide character of which one half is written over is gone.
        if cells[row][column].text.isEmpty, column > 0 { cells[row][column - 1].text = " " }
        let end = column + width
        if end < columns, cells[row][end].text.isEmpty { cells[row][end].text = " " }
        cells[row][column] = Cell(text: text, style: style)
        if width == 2 { cells[row][column + 1] = Cell(text: "", style: style) }
    }

    /// The text of a row, without spaces at its end.
    public func text(row: Int) -> String {
        let text = cells[row].map(\.text).joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
