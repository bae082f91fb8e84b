import LoamLive
import LoamStorage

/// Writes what `watch` sees as lines of JSON, each with its `kind` and its `save`; the help of the command lists them.
struct WatchJSONWriter: WatchWriter {
    private let output: OutputStream
    private var columns: [(name: String, type: ValueType)] = []
    private var sectionType: ValueType?
    private var save: UInt64 = 0

    init(to output: OutputStream) {
        self.output = output
    }

    mutating func begin(_ state: WatchedState, _ columns: WatchedColumns) throws {
        self.columns = columns.columns.map { ($0.name, $0.type) }
        (sectionType, save) = (columns.sectionType, state.save)
        var line = line(state.isReset ? "reset" : "state", save)
        line.append("count", state.count)
        if let sectionType {
            line.append("sections", state.sections) {
                var object = JSONLine()
                object.append("value", $0.identifier, sectionType)
                object.append("count", $0.rows.count)
                $1 += object.bytes
            }
        }
        try write(line)
    }

    mutating func append(_ rowID: RowID, at position: ResultPosition, _ values: [Value]?) throws {
        var line = line("row", save)
        line.append(position)
        line.append("row", rowID)
        append(values, to: &line)
        try write(line)
    }

    mutating func append(_ step: WatchStep, save: UInt64, _ values: [Value]?) throws {
        var line = line(step.kind.rawValue, save)
        switch step.subject {
        case .section(let number, let value):
            line.append("section", number)
            line.append("value", value, sectionType ?? .string)
        case .row(let rowID, let position):
            line.append(position)
            line.append("row", rowID)
        }
        if let from = step.from {
            line.append("from", from) {
                var object = JSONLine()
                object.append($0)
                $1 += object.bytes
            }
        }
        if step.shownRow != nil { append(values, to: &line) }
        try write(line)
    }

    mutating func end(save: UInt64, count: Int, _ work: WatchedWork?) throws {
        var line = line("end", save)
        line.append("count", count)
        if let work {
            line.append("kept", .string("\(work.kind)"), .string)
            line.append("trace", work.trace) { work, bytes in
                var object = JSONLine()
                for (name, number) in work.figures { object.append(name, number) }
                bytes += object.bytes
            }
        }
        try write(line)
        try output.flush()
    }

    mutating func fail(_ error: any Error, save: UInt64) throws {
        var line = line("error", save)
        line.append("message", "\(error)") { JSONText.append($0, to: &$1) }
        try write(line)
        try output.flush()
    }

    private func line(_ kind: String, _ save: UInt64) -> JSONLine {
        var line = JSONLine()
        line.append("kind", kind) { JSONText.append($0, to: &$1) }
        line.append("save", save)
        return line
    }

    private func append(_ values: [Value]?, to line: inout JSONLine) {
        line.append("values", values) { [columns] values, bytes in
            guard let values else { return bytes += Array("null".utf8) }
            var object = JSONLine()
            for (column, value) in zip(columns, values) { object.append(column.name, value, column.type) }
            bytes += object.bytes
        }
    }

    private func write(_ line: JSONLine) throws { try output.write(line.bytes + [UInt8(ascii: "\n")]) }
}

/// A JSON object in one line, member after member.
private struct JSONLine {
    private var text: [UInt8] = []

    var bytes: [UInt8] { (text.isEmpty ? [UInt8(ascii: "{")] : text) + [UInt8(ascii: "}")] }

    mutating func append<Content>(_ name: String, _ content: Content, _ write: (Content, inout [UInt8]) -> Void) {
        text.append(UInt8(ascii: text.isEmpty ? "{" : ","))
        JSONText.append(name, to: &text)
        text.append(UInt8(ascii: ":"))
        write(content, &text)
    }

    mutating func append(_ name: String, _ number: some FixedWidthInteger) {
        append(name, number) { JSONText.append($0, to: &$1) }
    }

    mutating func append(_ name: String, _ value: Value, _ type: ValueType) {
        append(name, value) { DumpValue.append($0, as: type, to: &$1) }
    }

    mutating func append<Element>(_ name: String, _ elements: [Element], _ write: (Element, inout [UInt8]) -> Void) {
        append(name, elements[...]) { elements, bytes in
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    mutating func append(_ position: ResultPosition) {
        append("section", position.section)
        append("item", position.item)
    }
}
