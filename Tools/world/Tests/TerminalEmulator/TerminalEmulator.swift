/// A terminal in memory: what a program has written, as a person would see it.
///
/// It knows text, carriage returns, line feeds, `CSI H`, `CSI 2J`, `CSI m` and private modes; another sequence, or a control
/// character, is counted in ``surprises``.
public struct TerminalEmulator: Sendable {
    private var cells: [[Character]]
    private var row = 0
    private var column = 0
    private var pending: [UInt8] = []
    /// Modes that are on: `?1049` is the other screen.
    public private(set) var modes: Set<String> = ["?25"]
    /// What no screen is drawn with.
    public private(set) var surprises: [String] = []

    /// An empty terminal.
    public init(rows: Int, columns: Int) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows without spaces at their ends.
    public var lines: [String] {
        cells.map { row in
            var row = row
            while row.last == " " { row.removeLast() }
            return String(row.filter { $0 != "\0" })
        }
    }

    /// All rows.
    public var text: String { lines.joined(separator: "\n") }

    /// Takes in bytes, in any pieces.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        while let length = step() { pending.removeFirst(length) }
    }

    /// Handles what is first, and says how many bytes it was; nil where some are missing.
    private mutating func step() -> Int? {
        guard let first = pending.first else { return nil }
        if first == 0x1B { return sequence() }
        if first < 0x20 || first == 0x7F {
            control(first)
            return 1
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard pending.count >= length else { return nil }
        put(String(decoding: pending.prefix(length), as: UTF8.self))
        return length
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x0D: column = 0
        case 0x0A: row = min(row + 1, cells.count - 1)
        default: surprises.append("control \(byte)")
        }
    }

    private mutating func put(_ text: String) {
        guard let scalar = text.unicodeScalars.first, let character = text.first else { return }
        if (0x80..<0xA0).contains(scalar.value) { return surprises.append("control \(scalar.value)") }
        guard cells.indices.contains(row) else { return }
        if scalar.properties.generalCategory == .nonspacingMark, column > 0 {
            cells[row][column - 1] = Character(String(cells[row][column - 1]) + text)
            return
        }
        guard cells[row].indices.contains(column) else { return }
        cells[row][column] = character
        column += 1
        if (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xD7A3).contains(scalar.value)
            || scalar.value > 0x1F000
        {
            if cells[row].indices.contains(column) { cells[row][column] = "\0" }
            column += 1
        }
    }

    private mutating func sequence() -> Int? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") else {
            surprises.append("escape \(pending[1])")
            return 2
        }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        run(String(decoding: pending[2..<end], as: UTF8.self), Character(Unicode.Scalar(pending[end])))
        return end + 1
    }

    private mutating func run(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (final, parameters) {
        case ("m", _): break
        case ("H", _) where numbers.count == 2: (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case ("J", "2"): cells = cells.map { $0.map { _ in " " } }
        case ("h", _) where parameters.hasPrefix("?"): modes.insert(parameters)
        case ("l", _) where parameters.hasPrefix("?"): modes.remove(parameters)
        default: surprises.append("CSI \(parameters) \(final)")
        }
    }
}
