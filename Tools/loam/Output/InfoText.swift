import LoamStorage

/// Writes a store's sizes and counts for people.
enum InfoText {
    static func text(_ info: StoreInfo, _ style: Style) -> String {
        var text = ""
        text += fields([
            ("store", Printable.escaped(info.path)),
            ("format", String(info.format)),
            ("id", Printable.escaped(info.storeID)),
            ("file", "\(Grouped.bytes(info.fileBytes)), mapped \(Grouped.bytes(info.mapBytes))"),
            ("pages", Grouped.bytes(info.pageSize)),
            ("last transaction", Grouped.text(info.lastTransaction)),
            ("last save", Grouped.text(info.lastSave)),
            ("readers", readers(info)),
        ])
        if !info.loads.isEmpty {
            text += fields([("loading", info.loads.map { Printable.escaped($0) }.joined(separator: ", "))])
        }
        text += table(
            "entities", ["", "rows", "properties", "relationships", "indexes", "records", "long values"],
            info.entities.map {
                [
                    $0.name, Grouped.text($0.rows), Grouped.text($0.properties), Grouped.text($0.relationships),
                    Grouped.text($0.indexes), Grouped.bytes($0.recordBytes), Grouped.bytes($0.longValueBytes),
                ]
            }, style)
        text += table(
            "indexes", ["", "state", "entries", "inexact", "blocks", "bytes"],
            info.indexes.map {
                [
                    "\($0.entity).\($0.name)", $0.state, Grouped.text($0.entries), Grouped.text($0.inexactEntries),
                    Grouped.text($0.blocks), Grouped.bytes($0.bytes),
                ]
            }, style)
        text += table(
            "databases", ["", "entries", "depth", "bytes"],
            info.databases.map {
                [$0.name, Grouped.text($0.entries), Grouped.text($0.depth), Grouped.bytes($0.bytes)]
            },
            style)
        return text
    }

    private static func readers(_ info: StoreInfo) -> String {
        let active = info.readers.compactMap { reader in
            reader.transaction.map { "process \(reader.process) at transaction \($0)" }
        }
        return "\(info.readers.count) of \(info.maximumReaders)"
            + (active.isEmpty ? "" : ": " + active.joined(separator: ", "))
    }

    private static func fields(_ fields: [(String, String)]) -> String {
        fields.map { name, value in
            name + String(repeating: " ", count: max(1, 18 - name.count)) + value + "\n"
        }.joined()
    }

    /// A table with the first column to the left and the others to the right.
    private static func table(_ title: String, _ header: [String], _ rows: [[String]], _ style: Style) -> String {
        guard !rows.isEmpty else { return "" }
        let cells = ([[title] + header.dropFirst()] + rows).map { $0.map { Printable.escaped($0, limit: 60) } }
        let widths = header.indices.map { column in cells.map { Printable.width(of: $0[column]) }.max() ?? 0 }
        let lines = cells.enumerated().map { position, row in
            let line = row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - Printable.width(of: text))
                return column == 0 ? text + space : space + text
            }.joined(separator: "  ")
            return position == 0 ? style.bold(line) : line
        }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }
}
