import LoamLive
import LoamStorage

/// Writes what `watch` sees for people: the rows in a table, which goes on with a line for each change. Errors go to
/// standard error.
struct WatchTextWriter: WatchWriter {
    /// The columns before those of the values.
    private static let ownColumns = [
        OutputColumn(name: "save", type: .int64), OutputColumn(name: "change", type: .string),
        OutputColumn(name: "place", type: .string), OutputColumn(name: "row", type: .uint64),
    ]

    private let entity: String
    private let output: OutputStream
    private let style: Style
    private var table: TableWriter?
    private var save: UInt64 = 0
    private var sectionType: ValueType?
    private var hasFailed = false

    init(entity: String, to output: OutputStream, style: Style) {
        (self.entity, self.output, self.style) = (entity, output, style)
    }

    mutating func begin(_ state: WatchedState, _ columns: WatchedColumns) throws {
        (save, sectionType) = (state.save, columns.sectionType)
        let sections = sectionType == nil ? "" : " in \(count(state.sections.count, "section"))"
        let reset = state.isReset ? ", read anew" : ""
        let name = Printable.escaped(entity, limit: TableWriter.widthLimit)
        try output.write("\(name): \(count(state.count, "row"))\(sections), save \(save)\(reset)\n")
        if let sectionType {
            for (number, section) in state.sections.enumerated() {
                let text = text(section.identifier, sectionType)
                try output.write("  section \(number): \(text), \(count(section.rows.count, "row"))\n")
            }
        }
        table = TableWriter(Self.ownColumns + columns.columns, to: output, style: style)
    }

    mutating func append(_ rowID: RowID, at position: ResultPosition, _ values: [Value]?) throws {
        try append(save, "", place(position), rowID, values)
    }

    mutating func append(_ step: WatchStep, save: UInt64, _ values: [Value]?) throws {
        switch (step.kind, step.subject) {
        case (.moveFrom, _): break
        case (let kind, .section(let number, let value)):
            let place = "\(number) \(text(value, sectionType ?? .string))"
            try table?.append([.int(Int64(save)), .string(kind.rawValue), .string(place)])
        case (.moveTo, .row(let rowID, let position)):
            let from = step.from.map { place($0) + " → " } ?? ""
            try append(save, "move", from + place(position), rowID, values)
        case (let kind, .row(let rowID, let position)):
            try append(save, kind.rawValue, place(position), rowID, values)
        }
    }

    mutating func end(save: UInt64, count: Int, _ work: WatchedWork?) throws {
        try table?.finish()
        if let work {
            try output.write(style.dim(Printable.escapedLines("  \(work.trace); \(work.kind)")) + "\n")
        }
        try output.flush()
        if hasFailed { Terminal.writeError("Note: the store can be read again.\n") }
        hasFailed = false
    }

    mutating func fail(_ error: any Error, save: UInt64) throws {
        Terminal.writeError(Printable.escapedLines("Error: \(error)") + "\n")
        hasFailed = true
    }

    private mutating func append(
        _ save: UInt64, _ change: String, _ place: String, _ rowID: RowID, _ values: [Value]?
    ) throws {
        let own: [Value] = [.int(Int64(save)), .string(change), .string(place), .uint(rowID)]
        try table?.append(own + (values ?? []))
    }

    /// The item, behind the section where there are any.
    private func place(_ position: ResultPosition) -> String {
        sectionType == nil ? "\(position.item)" : "\(position.section)/\(position.item)"
    }

    private func text(_ value: Value, _ type: ValueType) -> String {
        value.isNull ? "nil" : Printable.escaped(ValueText.text(value, type), limit: TableWriter.widthLimit)
    }

    private func count(_ number: Int, _ unit: String) -> String {
        "\(Grouped.text(number)) \(unit)\(number == 1 ? "" : "s")"
    }
}
